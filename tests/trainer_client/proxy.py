"""A proxy before a real server that fails as networks do: requests or answers are lost, or another program answers."""

import asyncio
import json
import threading
from collections import deque
from concurrent.futures import Future
from typing import Any, Self

DROP = "the connection breaks before the request is delivered"
SWALLOW = "the request is delivered and answered, and the connection breaks before the answer arrives"


class Proxy:
    """Passes HTTP requests on to `port`, one by one; `fails` says what to do with the next ones instead.

    An item of `fails` is `DROP`, `SWALLOW`, or the bytes of an answer that does not come from the server.
    """

    def __init__(self, port: int) -> None:
        """Prepare; entering the context starts it."""
        self.upstream = port
        self.fails: deque[str | bytes] = deque()
        self.requests: list[bytes] = []
        self._loop = asyncio.new_event_loop()
        self._port: Future[int] = Future()

    @property
    def url(self) -> str:
        """The address at which the proxy listens."""
        return f"http://127.0.0.1:{self._port.result(10)}"

    def __enter__(self) -> Self:
        """Serve in a thread of its own, so that sync clients may block."""
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(),))
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Stop the proxy."""
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join()
        self._loop.close()

    def choose(self, request: bytes) -> str | bytes | None:
        """What to do with `request`: an item of `fails`, or None to pass it on."""
        return self.fails.popleft() if self.fails else None

    async def _serve(self) -> None:
        self._stopped = asyncio.Event()
        self._open: set[asyncio.Task[Any]] = set()
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self._port.set_result(server.sockets[0].getsockname()[1])
        await self._stopped.wait()
        server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            while await self._exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._open.discard(task)
            writer.transport.abort()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        request = await _message(reader)
        self.requests.append(request)
        fail = self.choose(request)
        if fail == DROP:
            return False
        answer = fail if isinstance(fail, bytes) else await self._pass_on(request)
        if fail == SWALLOW:
            return False
        writer.write(answer)
        await writer.drain()
        return True

    async def _pass_on(self, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.upstream)
        try:
            writer.write(request)
            return await _message(reader)
        finally:
            writer.close()


async def _message(reader: asyncio.StreamReader) -> bytes:
    """One request or answer with its body."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
    return head + await reader.readexactly(int(length or b"0"))


def answer(status: int, body: bytes, **headers: str) -> bytes:
    """The bytes of an HTTP answer."""
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    head = "\r\n".join([f"HTTP/1.1 {status} Told", f"content-length: {len(body)}", *lines])
    return head.encode() + b"\r\n\r\n" + body


def defect() -> bytes:
    """The server's own error, which is not retried. A 500 that is no problem document comes from a proxy, and is."""
    fields = {"title": "Internal Server Error", "status": 500, "code": "internal", "retryable": False}
    body = json.dumps({**fields, "detail": "a defect of the server"}).encode()
    return answer(500, body, content_type="application/problem+json")
