"""Parser of raw model text: it finds the format whose mark comes first and calls that format's reader."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from env_server.tools.parse.clean import strip_frame, strip_thoughts
from env_server.tools.parse.formats import bare, fenced, hermes, python, react, xml
from env_server.tools.parse.lenient_json import one_message
from env_server.tools.parse.outcome import failed, message
from env_server.tools.parse.result import Format, Parsed, Unreadable


@dataclass(frozen=True, slots=True)
class FormatReader:
    """One format. `mark` returns its possible start or -1; `read` returns None if the text is prose.

    `read` raises `Unreadable` if a call was meant but cannot be read.
    """

    format: Format
    mark: Callable[[str, Collection[str]], int]
    read: Callable[[str, int, Collection[str]], Parsed | None]


READERS = (
    FormatReader(Format.HERMES, hermes.mark, hermes.read),
    FormatReader(Format.XML, xml.mark, xml.read),
    FormatReader(Format.FENCED_JSON, fenced.mark, fenced.read),
    FormatReader(Format.PYTHON, fenced.mark, python.read),
    FormatReader(Format.REACT, react.mark, react.read),
    FormatReader(Format.JSON, bare.mark, bare.read),
)

# Every mark contains one of these, so a few substring searches are enough for most prose.
_HINTS = ("{", "<", "```", "Action", "Final Answer")


def parse_text(text: str, known: Collection[str]) -> Parsed:
    """Parse a model's raw message. Never raise. The time is linear in the length of `text`.

    `known` holds the names of the episode's tools, with aliases; pass a set or a mapping. It resolves ambiguous texts:
    whether `<name>` or `name(...)` is a call or an example. A text without any mark of a call is a message to the user.
    A text with a mark that cannot be read is a failure.
    """
    with one_message():
        return _read(text, known)


def _read(text: str, known: Collection[str]) -> Parsed:
    text = strip_frame(text)
    whole = bare.read_whole(text, known)
    if whole is not None:
        return whole
    text = strip_thoughts(text)
    if not any(hint in text for hint in _HINTS):
        return message(text)
    return _read_marked(text, known)


def _read_marked(text: str, known: Collection[str]) -> Parsed:
    # The first mark is the outer one. A later mark may be data inside its arguments.
    marks = [(reader.mark(text, known), order) for order, reader in enumerate(READERS)]
    for start, order in sorted(mark for mark in marks if mark[0] >= 0):
        reader = READERS[order]
        try:
            parsed = reader.read(text, start, known)
        except Unreadable as error:
            return failed(reader.format, text, str(error))
        if parsed is not None:
            return parsed
    return message(text)
