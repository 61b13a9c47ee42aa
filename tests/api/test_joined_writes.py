"""The head and the body of an answer are sent together."""

import asyncio
from collections.abc import Callable

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from env_server.api.connections import ConnectionLimits, ConnectionPool, JoinedWrites, LimitedConnection


class Recorded(asyncio.Transport):
    """A transport that keeps what is written to it."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written.append(bytes(data))

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed


def written(use: Callable[[JoinedWrites], None]) -> list[bytes]:
    """Return what reaches the network when `use` has written and the loop has run for two iterations."""
    transport = Recorded()

    async def run() -> None:
        use(JoinedWrites(transport, asyncio.get_running_loop()))
        for _ in range(2):
            await asyncio.sleep(0)

    asyncio.run(run())
    return transport.written


def test_head_and_body_are_one_write() -> None:
    """Two writes of one iteration are one, and later ones are written as they come."""

    def use(transport: JoinedWrites) -> None:
        for data in (b"head", b"body", b"more", b""):
            transport.write(data)

    assert written(use) == [b"headbody", b"more", b""]


def test_a_head_does_not_wait_for_a_slow_body() -> None:
    """What is written alone is sent in the next iteration of the loop."""
    assert written(lambda transport: transport.write(b"head")) == [b"head"]


def test_closing_writes_what_is_held_back() -> None:
    """An answer that ends with its head is not lost."""
    transport = Recorded()

    async def run() -> None:
        joined = JoinedWrites(transport, asyncio.get_running_loop())
        joined.write(b"head")
        joined.close()
        assert joined.is_closing()
        await asyncio.sleep(0)

    asyncio.run(run())
    assert transport.written == [b"head"]


@pytest.mark.parametrize("first", [b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_nothing_is_written_twice(first: bytes) -> None:
    """A body that comes after the head was sent alone follows it, once."""
    transport = Recorded()

    async def run() -> None:
        joined = JoinedWrites(transport, asyncio.get_running_loop())
        joined.write(first)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        joined.write(b"body")
        await asyncio.sleep(0)

    asyncio.run(run())
    assert transport.written == [first, b"body"]


@pytest.mark.parametrize("method", [b"GET", b"HEAD"])
@pytest.mark.parametrize("reason", ["full", "stopping"])
def test_an_answer_is_not_lost_when_its_connection_is_given_up(method: bytes, reason: str) -> None:
    """A connection that is given up right after its answer has sent it, also an answer without a body."""
    held: list[LimitedConnection] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
        await send({"type": "http.response.body", "body": b"hello"})
        held[0].give_up(reason)

    config = uvicorn.Config(app, log_config=None, lifespan="off")
    config.load()
    pool = ConnectionPool(ConnectionLimits(connections=1, head_timeout_s=5, body_timeout_s=5))

    def connection() -> LimitedConnection:
        held.append(LimitedConnection(pool, config=config, server_state=ServerState(), app_state={}))
        return held[0]

    async def answer() -> bytes:
        server = await asyncio.get_running_loop().create_server(connection, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(method + b" / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        found = await reader.read()
        writer.close()
        server.close()
        return found

    head, _, body = asyncio.run(answer()).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK")
    assert body == (b"" if method == b"HEAD" else b"hello")
