"""Patterns are compiled when they are first used, and all at once in the background of a server."""

import re
import subprocess
import sys

import pytest

from env_server.reading.sentences import patterns
from env_server.reading.sentences.patterns import compile_all, compiled


def test_a_pattern_is_compiled_at_its_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Making one compiles nothing. The first use compiles it, and later ones do not again."""
    made = []

    def make(given: tuple[str, ...]) -> re.Pattern[str]:
        made.append(given)
        return re.compile("|".join(given))

    monkeypatch.setattr(patterns, "_made", make)
    monkeypatch.setattr(patterns, "_LATE", [])
    one, other = compiled(r"\bone\b", "two"), compiled("three")
    assert made == []
    assert [bool(one.search(text)) for text in ("and two", "one", "three")] == [True, True, False]
    assert one.fullmatch("one")
    assert made == [(r"\bone\b", "two")]
    compile_all()
    compile_all()
    assert other.sub("3", "three") == "3"
    assert made == [(r"\bone\b", "two"), ("three",)]


def test_a_reset_waits_for_no_pattern() -> None:
    """Importing what plays episodes compiles no pattern of the reader."""
    code = "import env_server.assembly; from env_server.reading.sentences import patterns; "
    code += "print(len(patterns._LATE) > 0, any('search' in vars(late) for late in patterns._LATE))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]
