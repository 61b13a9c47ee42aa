"""The head and the body of an answer are sent together."""

import asyncio
from collections.abc import Callable

import pytest

from env_server.api.connections import JoinedWrites


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
