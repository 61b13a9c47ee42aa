"""A model that gives the same answer after a delay: an endpoint of the OpenAI chat protocol, as plain ASGI."""

import asyncio
import os
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import orjson

from agent_env_schemas import USER_STOP

LATENCY, TURNS = "BENCH_MODEL_LATENCY_S", "BENCH_MODEL_TURNS"
"""Environment variables: the seconds that an answer takes, and the number of messages after which the user leaves."""

WORDS = "I see. Could you look into it, please?"

_Event = MutableMapping[str, Any]
_App = Callable[[_Event, Callable[[], Awaitable[_Event]], Callable[[_Event], Awaitable[None]]], Awaitable[None]]


def create_app() -> _App:
    """Return the endpoint. It answers any request on any path."""
    latency, turns = float(os.environ[LATENCY]), int(os.environ[TURNS])

    async def answer(
        scope: _Event, receive: Callable[[], Awaitable[_Event]], send: Callable[[_Event], Awaitable[None]]
    ) -> None:
        if scope["type"] != "http":
            raise RuntimeError("only http is spoken here")  # tells the server that there is no lifespan
        request = orjson.loads(await _body(receive))
        await asyncio.sleep(latency)
        said = sum(message["role"] == "assistant" for message in request["messages"])
        body = _completion(request["model"], USER_STOP if said >= turns else WORDS)
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return answer


async def _body(receive: Callable[[], Awaitable[_Event]]) -> bytes:
    body, more = b"", True
    while more:
        event = await receive()
        body += event.get("body", b"")
        more = event.get("more_body", False)
    return body


def _completion(model: str, words: str) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", "content": words}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 400, "completion_tokens": 10, "total_tokens": 410}
    completion = {"id": "bench", "object": "chat.completion", "created": 0, "model": model}
    return orjson.dumps({**completion, "choices": [choice], "usage": usage})
