"""The cues of the patterns."""

import importlib
import pkgutil
import re
from types import ModuleType

import pytest

from env_server.reading import sentences
from env_server.reading.sentences.patterns import WORD, Rules, compiled
from env_server.reading.words.text import pieces
from tests.reading.test_said import SAID, lines

FOUND = (importlib.import_module(f.name) for f in pkgutil.walk_packages(sentences.__path__, f"{sentences.__name__}."))
MODULES = [module for module in FOUND if any(isinstance(value, Rules) for value in vars(module).values())]


@pytest.mark.parametrize("module", MODULES)
def test_no_pattern_is_left_out_for_its_cues(module: ModuleType) -> None:
    """If a pattern matches a sentence of the tables, the sentence has one of the pattern's cue words."""
    sentences = [piece.view for path in SAID.glob("*.txt") for line in lines(path.stem) for piece in pieces(line)]
    parts = [part for rules in vars(module).values() if isinstance(rules, Rules) for part in rules.parts]
    assert parts
    for cues, pattern in parts:
        for view in sentences:
            if cues and pattern.search(view):
                assert not cues.isdisjoint(WORD.findall(view)), (pattern.pattern[:60], view)


@pytest.mark.parametrize(
    "pattern",
    [
        r"\bwould you like\b",
        r"\b(?:would|do) you (?:like|want)",
        r"\b(?:a (?:b|c)|d[)|]e) f",
        r"\b(?:please )?confirm",
        r"\bas?k|\bsay",
        r"^so\b|\bthen\b",
    ],
)
def test_a_search_by_first_letters_finds_the_same(pattern: str) -> None:
    """Patterns find the same with and without the search by first letters."""
    texts = [
        "Would you like it",
        "do you want it",
        "would you like; do you like",
        "xdo you like",
        "a c f",
        "ad)e f",
        "d)e f",
    ]
    texts += ["please confirm", "reconfirm it, confirm", "ak ask say", "so then", "then so"]
    for text in map(str.lower, texts):
        found = [match.span() for match in compiled(pattern).finditer(text)]
        assert found == [match.span() for match in re.finditer(pattern, text)], text
