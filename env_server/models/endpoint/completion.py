"""What an endpoint sent, read as a chat completion of which nothing is certain."""

import json
from collections.abc import Sequence
from typing import Any

from env_server.models.answer import Message, ModelAnswer, ToolCall
from env_server.models.endpoint.characters import whole

MOST_CALLS, LONGEST = 32, 100_000
"""Calls in one answer that are looked at, and characters that a text in it may have."""

MOST_TOKENS = 10**8
"""No answer has more; whoever says so has miscounted."""


def read_completion(body: bytes, messages: Sequence[Message]) -> ModelAnswer:
    """The answer in `body` to `messages`.

    Raises:
        ValueError: if it holds none; the message says what kind of fault it has.
    """
    try:
        completion = json.loads(body.decode("utf-8-sig", "replace"))
        message = completion["choices"][0]["message"]
        calls = tuple(_call(i, call) for i, call in enumerate((message.get("tool_calls") or [])[:MOST_CALLS]))
        content = _text(message.get("content") or "")
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError) as e:
        raise ValueError(type(e).__name__) from e
    asked, told = _counted(completion.get("usage"))
    # An endpoint may not count, or not well: four characters are about a token.
    if asked is None or not asked + (told or 0):
        asked = sum(len(str(m.get("content"))) for m in messages) // 4
    if not told:
        told = 1 + len(content) // 4
    return ModelAnswer(content, calls, asked, told)


def _call(index: int, call: Any) -> ToolCall:
    function = call["function"]
    return ToolCall(
        _text(call.get("id") or f"call_{index}"), _text(function["name"]), _text(function.get("arguments") or "")
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    if len(value) > LONGEST:
        raise TypeError("far too long")
    return whole(value)


def _counted(usage: Any) -> tuple[int | None, int | None]:
    counts = usage if isinstance(usage, dict) else {}
    return _count(counts.get("prompt_tokens")), _count(counts.get("completion_tokens"))


def _count(value: Any) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS
    return value if is_count else None
