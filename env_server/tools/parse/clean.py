"""Removal of text that is not part of the message: thoughts, and the special tokens around a turn."""

from __future__ import annotations

import re

from env_server.tools.parse.lenient_json import MAX_BROKEN, decode_at, skip_space
from env_server.tools.parse.result import Unreadable

_END_TOKENS = ("</s>", "<eos>", "<end_of_turn>", "<｜end▁of▁sentence｜>")  # noqa: RUF001 - DeepSeek's own spelling
_FRAME_TOKEN = re.compile(r"<\|\w{1,40}\|>")
_LONGEST_TOKEN = 44
_LEADING = re.compile(r"(?:\s*+(?:<\|\w{1,40}\|>|<s>)(?:assistant\b)?)+")
_THOUGHT_TAG = re.compile(r"<(/?)(?:think|thinking)>|<tool_call>", re.IGNORECASE)


def strip_frame(text: str) -> str:
    """Return `text` without surrounding whitespace, role headers before it, and special tokens after it."""
    head = _LEADING.match(text)
    start = head.end() if head else 0
    end = len(text)
    while True:
        while end > start and text[end - 1].isspace():
            end -= 1
        token = _trailing_token(text, start, end)
        if not token:
            return text[start:end].strip()
        end -= token


def _trailing_token(text: str, start: int, end: int) -> int:
    """Return the length of the special token at the end of `text[start:end]`, or 0."""
    for token in _END_TOKENS:
        if text.endswith(token, start, end):
            return len(token)
    if text.endswith("|>", start, end):
        opening = text.rfind("<|", max(start, end - _LONGEST_TOKEN), end)
        if opening >= 0 and _FRAME_TOKEN.fullmatch(text, opening, end):
            return end - opening
    return 0


def strip_thoughts(text: str) -> str:
    """Return `text` without its think blocks.

    An unclosed block runs to the end. A closing tag without an opening tag ends a thought that the chat template
    opened, so all text before it is removed. Tags inside a well-formed `<tool_call>` are its data.
    """
    if "think" not in text.lower():
        return text
    kept: list[str] = []
    pos, thinking, broken = 0, False, 0
    cursor = 0
    while tag := _THOUGHT_TAG.search(text, cursor):
        cursor = tag.end()
        if tag[0].lower() == "<tool_call>":
            if not thinking and broken < MAX_BROKEN:
                end = _end_of_json(text, cursor)
                broken += end is None
                cursor = end or cursor
        elif tag[1]:
            if not thinking:
                kept.clear()
            thinking, pos = False, tag.end()
        elif not thinking:
            kept.append(text[pos : tag.start()])
            thinking = True
    if not thinking:
        kept.append(text[pos:])
    return "".join(kept).strip()


def _end_of_json(text: str, start: int) -> int | None:
    """Return the end of the JSON value after `start`; None if there is none or no `</tool_call>` follows it."""
    try:
        found = decode_at(text, skip_space(text, start))
    except Unreadable:
        return None
    if found is None or not text.startswith("</tool_call>", skip_space(text, found[1])):
        return None
    return found[1]
