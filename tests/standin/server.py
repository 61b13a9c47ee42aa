"""A stand-in for a model's endpoint: a real HTTP server on a real socket, which answers as a test programs it."""

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from itertools import islice
from types import TracebackType
from typing import Self

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from tests.standin.protocol import Asked, Reply
from tests.standin.stream import events

Answer = Reply | str
Program = Callable[[Asked], Answer]

PATIENCE_S = 300.0
LOOK_S = 0.01
"""Seconds between two checks of whether a held answer may be sent."""

WORDS = "I would like some help, please."


class StandIn:
    """Answers what `then` has queued, in order, and after that what `program` says; `journal` keeps every request."""

    def __init__(self, program: Program | str = WORDS) -> None:
        """Begin with an empty queue; a `program` that is text is always said."""
        self.begin_anew(program)
        app = Starlette(routes=[Route("/v1/chat/completions", self._complete, methods=["POST"])])
        config = uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, lifespan="off", backlog=2048)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def begin_anew(self, program: Program | str = WORDS) -> None:
        """Forget what was asked and programmed; whoever still waits for an answer gets it."""
        self.program: Program = program if callable(program) else (lambda _asked: str(program))
        self.journal: list[Asked] = []
        self.most_concurrent = 0
        self._concurrent = 0
        self._queue: deque[Answer] = deque()

    def then(self, *answers: Answer) -> Self:
        """Queue answers for the next requests."""
        self._queue.extend(answers)
        return self

    @property
    def url(self) -> str:
        """The base URL for clients."""
        port = self._server.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}/v1"

    def asked(self, *, judging: bool | None = None) -> Iterable[Asked]:
        """The requests so far, all or only those for (or not for) a verdict."""
        return [a for a in self.journal if judging is None or a.judging is judging]

    def __enter__(self) -> Self:
        """Start listening."""
        self._thread.start()
        deadline = time.monotonic() + PATIENCE_S
        while not self._server.started:
            assert time.monotonic() < deadline, "the stand-in did not start"
            time.sleep(0.005)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop, whoever is still waiting."""
        self._server.should_exit = self._server.force_exit = True
        self._thread.join(PATIENCE_S)

    async def _complete(self, request: Request) -> Response:
        asked = Asked(request.url.path, dict(request.headers), await request.json(), time.monotonic())
        self.journal.append(asked)
        number = len(self.journal)
        answer = self._queue.popleft() if self._queue else self.program(asked)
        reply = Reply(answer) if isinstance(answer, str) else answer
        self._concurrent += 1
        self.most_concurrent = max(self.most_concurrent, self._concurrent)
        try:
            await asyncio.sleep(reply.delay_s)
            while reply.held is not None and not reply.held.is_set():
                await asyncio.sleep(LOOK_S)
        finally:
            self._concurrent -= 1
        if asked.body.get("stream") and reply.status == 200 and reply.body is None:
            chunks = _streamed(reply, asked, number)
            return StreamingResponse(chunks, headers=dict(reply.headers), media_type="text/event-stream")
        payload = reply.payload(str(asked.body.get("model")), number)
        return Response(payload, reply.status, dict(reply.headers), media_type="application/json")


class Broken(Exception):
    """Ends a connection that the test wants to break."""


async def _streamed(reply: Reply, asked: Asked, number: int) -> AsyncIterator[bytes]:
    with_usage = bool(asked.body.get("stream_options", {}).get("include_usage"))
    for event in islice(events(reply, str(asked.body.get("model")), number, with_usage=with_usage), reply.breaks_after):
        yield event
        await asyncio.sleep(0)  # so that each is a write of its own
    if reply.breaks_after is not None:
        raise Broken
