"""Calls as plain JSON: the whole text, or objects and lists within prose."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from env_server.tools.parse.calls import EXPECTED, calls_from, is_call, objects, unwrap
from env_server.tools.parse.lenient_json import MAX_BROKEN, QUOTE, decode_at, read_if_meant, skip_space
from env_server.tools.parse.outcome import called, failed, message
from env_server.tools.parse.reader import FormatReader
from env_server.tools.parse.result import Format, Parsed, ParsedCall, Unreadable
from env_server.tools.parse.structured import is_message, read_message

# An object with a first key, in any kind of quotes, possibly as the first item of a list.
_OBJECT = re.compile(rf"(?:\[\s*+)?\{{\s*+{QUOTE}\w++{QUOTE}\s*+:")


def read_whole(text: str, known: Collection[str]) -> Parsed | None:
    """Parse a text that is one valid JSON object or list; else return None. Marks within its strings are data."""
    if text[:1] not in ("{", "["):
        return None
    try:
        found = decode_at(text, 0)
    except Unreadable:  # the readers of the marks decide whether the depth matters
        return None
    if found is None or skip_space(text, found[1]) != len(text):
        return None
    value = found[0]
    if is_message(value):
        return read_message(value)
    items = items_of(value, known)
    if items is None:
        return message(text)
    try:
        calls, repaired = calls_from(items)
    except Unreadable as error:
        return failed(form_of(items), text, str(error))
    return called(form_of(items), [], calls, repaired)


def items_of(value: Any, known: Collection[str], repaired: bool = False) -> list[Any] | None:
    """Return the calls in a decoded value as a list; None if no item is meant as a call.

    A repaired value was marked as a call, so a repaired value without calls raises `Unreadable`.
    """
    items = objects(value) if repaired else value if isinstance(value, list) else [value]
    if any(is_call(item, known) for item in items):
        return items
    if repaired:
        raise Unreadable(f"The JSON is not valid and could not be repaired into a call. {EXPECTED}")
    return None


def form_of(items: list[Any]) -> Format:
    """Return `OPENAI` for calls nested under "function", `JSON` for plain ones."""
    nested = any(isinstance(item, Mapping) and unwrap(item) is not item for item in items)
    return Format.OPENAI if nested else Format.JSON


def mark(text: str, known: Collection[str]) -> int:  # noqa: ARG001 - all readers share this signature
    """Return the start of the first object in `text`, or -1."""
    match = _OBJECT.search(text)
    return match.start() if match else -1


def read(text: str, start: int, known: Collection[str]) -> Parsed | None:
    """Return every call among the objects in `text`. The prose between them becomes content."""
    calls: list[ParsedCall] = []
    pieces: list[str] = []
    form, repaired = Format.JSON, False
    pos, cursor, broken = 0, start, 0
    while broken < MAX_BROKEN and (match := _OBJECT.search(text, cursor)):
        begin = match.start()
        found = read_if_meant(text, begin, len(text), known)
        if found is None:
            broken += 1
            cursor = begin + 1
            continue
        value, cursor, mended = found
        items = items_of(value, known, mended)
        if items is None:
            continue
        made, fixed = calls_from(items)
        calls += made
        pieces.append(text[pos:begin])
        pos, form, repaired = cursor, form_of(items), repaired or mended or fixed
    return called(form, [*pieces, text[pos:]], calls, repaired) if calls else None


READER = FormatReader(Format.JSON, order=60, hints=("{",), mark=mark, read=read)
