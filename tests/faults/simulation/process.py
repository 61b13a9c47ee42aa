"""A server process in the simulation: the real application, from its start to its death."""

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI

from agent_env_schemas import StepRequest
from env_server.app import create_app
from env_server.episodes import Episodes
from env_server.errors import ProblemError
from env_server.settings import Settings
from tests.faults.play.clients import Reply
from tests.faults.simulation.loop import OWNER, Owner


@dataclass(eq=False)
class Process(Owner):
    """A process. It is ready when its application has started."""

    app: FastAPI | None = None
    ready_for_requests: bool = False
    said: str = ""
    """Why it could not start or end."""

    waiting: list["asyncio.Future[Reply]"] = field(default_factory=list)
    """Requests that it has not answered."""

    def __post_init__(self) -> None:
        """Prepare the context of everything that it runs."""
        self.context: Context = copy_context()
        self.context.run(OWNER.set, self)
        self._inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._ended = asyncio.get_running_loop().create_future()

    def run(self, work: Callable[[], Any]) -> "asyncio.Task[Any]":
        """Run a coroutine function as a task of this process."""
        context = self.context.copy()
        task: asyncio.Task[Any] = asyncio.get_running_loop().create_task(work(), context=context)
        return task

    def start(self, settings: Settings) -> None:
        """Start the application."""
        self.run(lambda: self._live(settings))

    async def _live(self, settings: Settings) -> None:
        self.app = create_app(settings)
        await self._inbox.put({"type": "lifespan.startup"})
        scope: dict[str, Any] = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
        try:
            await self.app(scope, self._inbox.get, self._told)
        except Exception:  # the start has failed; the supervisor tries again
            self.ready_for_requests = False
        if not self._ended.done():
            self._ended.set_result(None)

    async def _told(self, message: Any) -> None:
        self.ready_for_requests = message["type"] == "lifespan.startup.complete"
        self.said = message.get("message", "")

    @property
    def ended(self) -> bool:
        """Whether it is dead, or has ended, or could not start."""
        return self.dead or self._ended.done()

    async def stop(self) -> None:
        """Let the application end politely."""
        self.ready_for_requests = False
        await self._inbox.put({"type": "lifespan.shutdown"})
        await self._ended

    def handle(self, path: str, body: bytes, *, cut_off: bool) -> "asyncio.Future[Reply]":
        """Take a request. With `cut_off`, the second half of its body never arrives."""
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.waiting.append(answer)
        self.run(lambda: self._served(path, body, answer, cut_off=cut_off))
        return answer

    async def _served(self, path: str, body: bytes, answer: "asyncio.Future[Reply]", *, cut_off: bool) -> None:
        half = len(body) // 2
        parts = [(body[:half], True), (body[half:], False)][: 1 if cut_off else 2]
        status, content = 0, b""

        async def receive() -> dict[str, Any]:
            if not parts:
                await asyncio.get_running_loop().create_future()  # nothing comes any more
            await asyncio.sleep(0)
            data, more = parts.pop(0)
            return {"type": "http.request", "body": data, "more_body": more}

        async def send(message: Any) -> None:
            nonlocal status, content
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                content += message.get("body", b"")
                if not message.get("more_body") and not answer.done():
                    answer.set_result(Reply(status, content))

        assert self.app is not None
        headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "path": path}
        about = {"raw_path": path.encode(), "query_string": b"", "root_path": "", "scheme": "http", "headers": headers}
        await self.app({**scope, **about, "client": ("127.0.0.1", 1), "server": ("localhost", 80)}, receive, send)

    def keyed(self, request: StepRequest, key: str) -> "asyncio.Future[Reply]":
        """Play a message that came with a key in the place of a turn's number, as the MCP endpoint does."""
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.waiting.append(answer)
        self.run(lambda: self._keyed(lambda episodes: episodes.step(request, key), answer))
        return answer

    async def _keyed(self, play: Callable[[Episodes], Awaitable[bytes]], answer: "asyncio.Future[Reply]") -> None:
        assert self.app is not None
        try:
            reply = Reply(200, await play(await self.app.state.episodes.get()))
        except ProblemError as problem:
            text = f'{{"code":"{problem.code}","retryable":{str(problem.retryable).lower()}}}'
            reply = Reply(problem.status, text.encode())
        if not answer.done():
            answer.set_result(reply)
