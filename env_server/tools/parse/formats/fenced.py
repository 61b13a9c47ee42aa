"""Calls as JSON in Markdown fences."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from env_server.tools.parse.calls import calls_from
from env_server.tools.parse.formats.bare import items_of
from env_server.tools.parse.lenient_json import MAX_BROKEN, read_if_meant, skip_space
from env_server.tools.parse.outcome import called
from env_server.tools.parse.reader import FormatReader
from env_server.tools.parse.result import Format, Parsed, ParsedCall

FENCE = "```"
_OPENING = re.compile(r"```([A-Za-z_0-9+-]*)[ \t]*+\r?\n?")


@dataclass(frozen=True, slots=True)
class Block:
    """One fence. Its content is `text[body:close]`; `language` is in lower case and may be empty."""

    start: int
    body: int
    close: int
    language: str


def block_at(text: str, start: int) -> Block:
    """Return the fence that opens at `start`. It closes at the next ticks or at the end of the text."""
    opening = _OPENING.match(text, start)
    body, language = (opening.end(), opening[1].lower()) if opening else (start + len(FENCE), "")
    close = text.find(FENCE, body)
    return Block(start, body, len(text) if close < 0 else close, language)


def close_of(text: str, pos: int) -> int:
    """Return the end of the fence around `pos`, after its closing ticks."""
    close = text.find(FENCE, pos)
    return len(text) if close < 0 else close + len(FENCE)


def mark(text: str, known: Collection[str]) -> int:  # noqa: ARG001 - all readers share this signature
    """Return the start of the first fence, or -1."""
    return text.find(FENCE)


def read(text: str, start: int, known: Collection[str]) -> Parsed | None:
    """Return every call in the JSON fences of `text`. Other fences stay in the content."""
    calls: list[ParsedCall] = []
    pieces: list[str] = []
    repaired, pos, broken = False, 0, 0
    while broken < MAX_BROKEN and (start := text.find(FENCE, start)) >= 0:
        block = block_at(text, start)
        made, mended, stop = _read_body(text, block, known)
        broken += stop == block.body
        end = close_of(text, stop)
        if made:
            calls += made
            pieces.append(text[pos:start])
            pos, repaired = end, repaired or mended
        start = end
    return called(Format.FENCED_JSON, [*pieces, text[pos:]], calls, repaired) if calls else None


def _read_body(text: str, block: Block, known: Collection[str]) -> tuple[list[ParsedCall], bool, int]:
    """Return the calls in one fence, whether any was repaired, and the end of its readable JSON."""
    calls: list[ParsedCall] = []
    repaired, stop = False, block.body
    while (cursor := skip_space(text, stop)) < len(text) and text[cursor] in "{[":
        found = read_if_meant(text, cursor, max(block.close, cursor), known)
        if found is None:
            break
        value, stop, mended = found
        items = items_of(value, known, mended)
        if items is not None:
            made, fixed = calls_from(items)
            calls += made
            repaired = repaired or mended or fixed
    return calls, repaired, stop


READER = FormatReader(Format.FENCED_JSON, order=30, hints=(FENCE,), mark=mark, read=read)
