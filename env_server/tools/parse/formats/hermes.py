"""`<tool_call>` blocks: JSON inside (Hermes, Qwen), or `<function=...>` inside or alone (Qwen3-Coder)."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from env_server.tools.parse.calls import EXPECTED, calls_from, make_call, objects, quoted
from env_server.tools.parse.lenient_json import decode_at, repair, skip_space
from env_server.tools.parse.lenient_json import read as read_value
from env_server.tools.parse.outcome import called
from env_server.tools.parse.reader import FormatReader
from env_server.tools.parse.result import Format, Parsed, ParsedCall, Unreadable
from env_server.tools.parse.xml_elements import children, value_of

_CLOSE = "</tool_call>"
_OPENING = re.compile(r"<tool_call>|<function=")
_CLOSING = re.compile(r"\s*+</tool_call>")
_TAG = re.compile(r"</?tool_call>")
_FUNCTION = re.compile(r"\s*+<function=([^<>\s]++)\s*+>")
_FUNCTION_CLOSING = re.compile(r"\s*+</function>")
_FUNCTION_END = re.compile(r"</function>|<function=|</?tool_call>")
_PARAMETER = re.compile(r"<parameter=([^<>\s]++)\s*+>")
_PARAMETER_END = re.compile(r"</parameter>|(?=<parameter=|</function>|</tool_call>)")
_LAYOUT = re.compile(r"(?:\s|```\w*)*+")
_LEFT_OVER = re.compile(r"[\s}\])`,;]*+")


def mark(text: str, known: Collection[str]) -> int:  # noqa: ARG001 - all readers share this signature
    """Return the start of the first block, or -1."""
    match = _OPENING.search(text)
    return match.start() if match else -1


def read(text: str, start: int, known: Collection[str]) -> Parsed | None:  # noqa: ARG001
    """Return the calls of every block in `text`. The prose between the blocks becomes content."""
    calls: list[ParsedCall] = []
    pieces: list[str] = []
    repaired, pos = False, 0
    while opening := _OPENING.search(text, start):
        pieces.append(text[pos : opening.start()])
        body = opening.start() if opening[0] == "<function=" else _end(_LAYOUT, text, opening.end())
        made, mended, end = _read_body(text, body)
        calls += made
        repaired = repaired or mended
        start = pos = _end(_CLOSING, text, end)
    return called(Format.HERMES, [*pieces, text[pos:]], calls, repaired)


def _end(pattern: re.Pattern[str], text: str, pos: int) -> int:
    match = pattern.match(text, pos)
    return match.end() if match else pos


def _block_end(text: str, pos: int) -> int:
    tag = _TAG.search(text, pos)
    return tag.start() if tag else len(text)


def _read_body(text: str, pos: int) -> tuple[list[ParsedCall], bool, int]:
    """Return the calls in the block whose content starts at `pos`, whether any was repaired, and their end."""
    if text.startswith("<function=", pos):
        return _read_functions(text, pos)
    if text.startswith(("{", "["), pos):
        return _read_json(text, pos)
    end = _block_end(text, pos)
    if not text.startswith("<", pos) or end == pos:
        raise Unreadable(f"The <tool_call> block holds no JSON object. {EXPECTED}")
    calls, repaired = calls_from(children(text[pos:end]))
    return calls, repaired, end


def _read_json(text: str, pos: int) -> tuple[list[ParsedCall], bool, int]:
    """Read one or more JSON values. Stray closing brackets after them are dropped."""
    calls: list[ParsedCall] = []
    repaired = False
    while text.startswith(("{", "["), pos):
        found = decode_at(text, pos)
        if found is None:
            end = _block_end(text, pos)
            made, _ = calls_from(objects(repair(text[pos:end])))
            return calls + made, True, end
        made, mended = calls_from(found[0])
        calls += made
        pos = _end(_LEFT_OVER, text, found[1])
        repaired = repaired or mended or "}" in text[found[1] : pos]
    tag = _TAG.search(text, pos)
    if tag is not None and tag[0] == _CLOSE and tag.start() > pos:
        raise Unreadable(f"The <tool_call> block holds more than JSON. {EXPECTED}")
    return calls, repaired, pos


def _read_functions(text: str, pos: int) -> tuple[list[ParsedCall], bool, int]:
    """Read consecutive `<function=name>` elements, each with `<parameter=key>` elements or a JSON object inside."""
    calls: list[ParsedCall] = []
    repaired = False
    while opening := _FUNCTION.match(text, pos):
        body = skip_space(text, opening.end())
        arguments: Any
        if text.startswith("{", body):
            arguments, end, mended = read_value(text, body, _function_end(text, body))
        else:
            arguments, end, mended = _read_parameters(text, body)
        call, _ = make_call(opening[1], arguments)
        calls.append(call)
        repaired = repaired or mended
        pos = _end(_FUNCTION_CLOSING, text, end)
    if not calls:
        raise Unreadable("The <function=...> element has no name. Expected <function=name>.")
    return calls, repaired, pos


def _function_end(text: str, pos: int) -> int:
    tag = _FUNCTION_END.search(text, pos)
    return tag.start() if tag else len(text)


def _read_parameters(text: str, pos: int) -> tuple[dict[str, Any], int, bool]:
    values: dict[str, Any] = {}
    repaired = False
    while opening := _PARAMETER.match(text, pos):
        if opening[1] in values:
            raise Unreadable(f"The parameter {quoted(opening[1])} is given twice; send a list as JSON.")
        closing = _PARAMETER_END.search(text, opening.end())
        end = closing.start() if closing else len(text)
        values[opening[1]] = value_of(text[opening.end() : end])
        closed = closing is not None and closing[0] == "</parameter>"
        repaired = repaired or not closed
        pos = skip_space(text, closing.end() if closing and closed else end)
    if pos < len(text) and _function_end(text, pos) != pos:
        raise Unreadable("Expected <parameter=key>value</parameter> elements within <function=...>.")
    return values, pos, repaired


READER = FormatReader(Format.HERMES, order=10, hints=("<",), mark=mark, read=read)
