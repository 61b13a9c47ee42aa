"""Calls as elements: `<tool>{...}</tool>`, `<tool name="x">...`, and elements named like a known tool."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from env_server.tools.parse.calls import ARGUMENT_KEYS, EXPECTED, calls_from, make_call, objects
from env_server.tools.parse.lenient_json import MAX_BROKEN, decode_at, repair, skip_space
from env_server.tools.parse.outcome import called
from env_server.tools.parse.reader import FormatReader
from env_server.tools.parse.result import Format, Parsed, ParsedCall, Unreadable
from env_server.tools.parse.xml_elements import OPENING, attributes, children, contents, value_of

_GENERIC = frozenset({"tool", "invoke"})

_Read = tuple[list[ParsedCall], bool, int]
"""Calls, whether any was repaired, and the end of the element."""


def mark(text: str, known: Collection[str]) -> int:
    """Return the start of the first element that is generic or named like a known tool, or -1."""
    opening = _next(text, 0, known)
    return opening.start() if opening else -1


def _next(text: str, pos: int, known: Collection[str]) -> re.Match[str] | None:
    for opening in OPENING.finditer(text, pos):
        if opening[1] in _GENERIC or opening[1] in known:
            return opening
    return None


def read(text: str, start: int, known: Collection[str]) -> Parsed | None:
    """Return the calls of all elements that `mark` finds. A plain `<tool>` without a call in it is prose."""
    calls: list[ParsedCall] = []
    pieces: list[str] = []
    repaired, pos, mentions = False, 0, 0
    while mentions < MAX_BROKEN and (opening := _next(text, start, known)):
        found = _read_element(text, opening, known)
        if found is None:
            mentions += 1
            start = opening.end()
            continue
        made, mended, start = found
        calls += made
        repaired = repaired or mended
        pieces.append(text[pos : opening.start()])
        pos = start
    return called(Format.XML, [*pieces, text[pos:]], calls, repaired) if calls else None


def _read_element(text: str, opening: re.Match[str], known: Collection[str]) -> _Read | None:
    given = attributes(opening[2])
    name = opening[1] if opening[1] in known else given.pop("name", None)
    body = skip_space(text, opening.end())
    if text.startswith(("{", "["), body) and not opening[2].endswith("/"):
        return _read_json(text, opening, body, name)
    if name is None:
        return _read_generic(text, opening)
    inner, end = contents(text, opening)
    values = children(inner) or {key: value_of(value) for key, value in given.items()}
    call, repaired = make_call(name, _inner_arguments(values))
    return [call], repaired, end


def _read_generic(text: str, opening: re.Match[str]) -> _Read | None:
    """Read `<tool><name>x</name><arguments>{...}</arguments></tool>`. Return None if the tag is a word in prose."""
    try:
        inner, end = contents(text, opening)
    except Unreadable:
        return None
    values = children(inner)
    calls, repaired = calls_from(values)
    return calls, repaired, end


def _inner_arguments(values: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments, which may be inside one `<arguments>` element."""
    for key in ARGUMENT_KEYS:
        inner = values.get(key)
        if len(values) == 1 and isinstance(inner, dict):
            return inner
    return values


def _read_json(text: str, opening: re.Match[str], body: int, name: str | None) -> _Read:
    closing = f"</{opening[1]}>"
    found = decode_at(text, body)
    if found is None:
        close = text.find(closing, body)
        value = repair(text[body : close if close >= 0 else len(text)])
        end = close + len(closing) if close >= 0 else len(text)
        return _calls(objects(value) if name is None else value, name)[0], True, end
    value, stop = found
    end = skip_space(text, stop)
    closed = text.startswith(closing, end)
    if not closed and text.find(closing, end) >= 0:
        raise Unreadable(f"The <{opening[1][:80]}> element holds more than JSON. {EXPECTED}")
    calls, repaired = _calls(value, name)
    return calls, repaired or not closed, end + len(closing) * closed


def _calls(value: Any, name: str | None) -> tuple[list[ParsedCall], bool]:
    """Return the calls of a JSON body: complete calls, or the arguments of the tool `name`."""
    if name is None:
        return calls_from(value)
    complete = isinstance(value, dict) and value.get("name") == name
    if complete and any(key in value for key in ARGUMENT_KEYS):
        return calls_from(value)
    call, repaired = make_call(name, value)
    return [call], repaired


READER = FormatReader(Format.XML, order=20, hints=("<",), mark=mark, read=read)
