"""Parser of raw model text: it finds the format whose mark comes first and calls that format's reader."""

from __future__ import annotations

from collections.abc import Collection

from env_server.tools.parse.clean import strip_frame, strip_thoughts
from env_server.tools.parse.formats import bare, hints, readers
from env_server.tools.parse.lenient_json import OneMessage
from env_server.tools.parse.outcome import failed, message
from env_server.tools.parse.result import Parsed, Unreadable


def parse_text(text: str, known: Collection[str]) -> Parsed:
    """Parse a model's raw message. Never raise. The time is linear in the length of `text`.

    `known` holds the names of the episode's tools, with aliases; pass a set or a mapping. It resolves ambiguous texts:
    whether `<name>` or `name(...)` is a call or an example. A text without any mark of a call is a message to the user.
    A text with a mark that cannot be read is a failure.
    """
    with OneMessage():
        return _read(text, known)


def _read(text: str, known: Collection[str]) -> Parsed:
    text = strip_frame(text)
    whole = bare.read_whole(text, known)
    if whole is not None:
        return whole
    text = strip_thoughts(text)
    if not any(hint in text for hint in hints()):
        return message(text)
    return _read_marked(text, known)


def _read_marked(text: str, known: Collection[str]) -> Parsed:
    # The first mark is the outer one. A later mark may be data inside its arguments.
    marks = [(reader.mark(text, known), reader) for reader in readers()]
    for start, reader in sorted((mark for mark in marks if mark[0] >= 0), key=lambda mark: mark[0]):
        try:
            parsed = reader.read(text, start, known)
        except Unreadable as error:
            return failed(reader.format, text, str(error))
        if parsed is not None:
            return parsed
    return message(text)
