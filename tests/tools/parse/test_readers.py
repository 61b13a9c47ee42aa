"""Formats are found in their folder, and a new one is one module."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from env_server.tools import parse_text
from env_server.tools.parse import formats
from env_server.tools.parse.formats import hints, readers

BANG = """
from env_server.tools.parse.outcome import called
from env_server.tools.parse.reader import FormatReader
from env_server.tools.parse.result import ParsedCall

READER = FormatReader(
    "bang",
    order=5,
    hints=("!!",),
    mark=lambda text, known: text.find("!!"),
    read=lambda text, start, known: called("bang", [text[:start]], [ParsedCall(text[start + 2 :].strip(), {})], False),
)
"""


def test_every_module_of_the_folder_is_a_format() -> None:
    """Every module is a format, and no two have the same order or name."""
    files = {path.stem for path in Path(formats.__file__).parent.glob("*.py")} - {"__init__"}
    assert len({reader.order for reader in readers()}) == len({reader.format for reader in readers()}) == len(files)


@pytest.fixture
def bang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add one more module to the folder."""
    (tmp_path / "bang.py").write_text(BANG)
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
    for made in (readers, hints):
        made.cache_clear()
    yield
    for made in (readers, hints):
        made.cache_clear()
    sys.modules.pop("env_server.tools.parse.formats.bang", None)


@pytest.mark.usefixtures("bang")
def test_a_new_format_is_one_file() -> None:
    """The new format is found beside the others; prose stays prose."""
    found = parse_text("One moment. !!find", {"find"})
    assert (found.format, found.content, [call.name for call in found.calls]) == ("bang", "One moment.", ["find"])
    assert parse_text("One moment.", {"find"}).calls == ()
