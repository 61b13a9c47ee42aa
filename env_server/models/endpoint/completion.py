"""Parsing of an endpoint's response as a chat completion. No field is trusted to be valid."""

import json
from collections.abc import Sequence
from typing import Any

from env_server.models.answer import Message, ModelAnswer, ToolCall
from env_server.models.endpoint.characters import whole

MOST_CALLS, LONGEST = 32, 100_000
"""The maximum number of calls read from one answer, and the maximum number of characters of a text in it."""

MOST_TOKENS = 10**8
"""The maximum plausible token count. A higher count in a response is ignored."""


def read_completion(body: bytes, messages: Sequence[Message]) -> ModelAnswer:
    """Return the answer in `body` to `messages`.

    Raises:
        ValueError: if it holds no answer; the message names the kind of fault.
    """
    try:
        completion = json.loads(body.decode("utf-8-sig", "replace"))
        message = completion["choices"][0]["message"]
        calls = tuple(_call(i, call) for i, call in enumerate((message.get("tool_calls") or [])[:MOST_CALLS]))
        content = _text(message.get("content") or "")
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError) as e:
        raise ValueError(type(e).__name__) from e
    asked, told = _counted(completion.get("usage"))
    # An endpoint may report no token counts, or wrong ones. The estimate is four characters per token.
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
