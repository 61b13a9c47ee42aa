"""Calls as JSON in Markdown fences."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from env_server.tools.parse.calls import calls_from
from env_server.tools.parse.formats.bare import items_of
from env_server.tools.parse.jsonish import MAX_BROKEN, read_if_meant, skip_space
from env_server.tools.parse.outcome import called
from env_server.tools.parse.result import Call, Format, Parsed

FENCE = "```"
_OPENING = re.compile(r"```([A-Za-z_0-9+-]*)[ \t]*+\r?\n?")


@dataclass(frozen=True, slots=True)
class Block:
    """One fence: its contents are `text[body:close]`, in `language` (lower case, maybe empty)."""

    start: int
    body: int
    close: int
    language: str


def block_at(text: str, start: int) -> Block:
    """The fence that opens with the ticks at `start` and closes at the next ticks, or with the text."""
    opening = _OPENING.match(text, start)
    body, language = (opening.end(), opening[1].lower()) if opening else (start + len(FENCE), "")
    close = text.find(FENCE, body)
    return Block(start, body, len(text) if close < 0 else close, language)


def close_of(text: str, pos: int) -> int:
    """Where the fence around `pos` ends, its closing ticks included."""
    close = text.find(FENCE, pos)
    return len(text) if close < 0 else close + len(FENCE)


def mark(text: str, known: Collection[str]) -> int:  # noqa: ARG001 - every reader's signature
    """Where the first fence begins, or -1."""
    return text.find(FENCE)


def read(text: str, start: int, known: Collection[str]) -> Parsed | None:
    """Every call in the JSON fences of `text`; other fences stay in the content."""
    calls: list[Call] = []
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


def _read_body(text: str, block: Block, known: Collection[str]) -> tuple[list[Call], bool, int]:
    """The calls in one fence, whether any was repaired, and where what could be read of its JSON ends."""
    calls: list[Call] = []
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
