"""Streamed answers of the stand-in: server-sent events, each a chunk of a completion."""

import json
from collections.abc import Iterator
from typing import Any

from tests.standin.protocol import Reply

PIECE = 8
"""The number of characters of words or arguments in one chunk."""

DONE = b"data: [DONE]\n\n"


def events(reply: Reply, model: str, number: int, *, with_usage: bool) -> Iterator[bytes]:
    """The events of a streamed answer; usage, if wanted, comes in a last chunk that has no choices."""
    head = reply.head("chat.completion.chunk", model, number)
    for delta in _deltas(reply, number):
        yield _event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    yield _event({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reply.finish_reason}]})
    if with_usage and reply.tokens is not None:
        yield _event({**head, "choices": [], "usage": reply.usage()})
    yield DONE


def _deltas(reply: Reply, number: int) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": "" if reply.content is not None else None}
    for piece in _pieces(reply.content or ""):
        yield {"content": piece}
    for i, call in enumerate(reply.tool_calls(number)):
        function = call["function"]
        yield {"tool_calls": [{**call, "index": i, "function": {**function, "arguments": ""}}]}
        for piece in _pieces(function["arguments"]):
            yield {"tool_calls": [{"index": i, "function": {"arguments": piece}}]}


def _pieces(text: str) -> Iterator[str]:
    return (text[at : at + PIECE] for at in range(0, len(text), PIECE))


def _event(chunk: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(chunk).encode() + b"\n\n"
