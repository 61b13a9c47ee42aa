import asyncio
from collections.abc import Awaitable, Callable

import pytest

from env_server.bench.load.http import Connection, HttpError

Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]


async def exchange(answer: Answer, posts: int = 1) -> list[tuple[int, bytes]]:
    """Post requests to a server that reads one at a time and answers each by `answer`."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(posts):
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            assert await reader.readexactly(length) == b'{"a":1}'
            await answer(writer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        connection = await Connection.open(server.sockets[0].getsockname()[1])
        try:
            return [await connection.post(b"/step", b'{"a":1}') for _ in range(posts)]
        finally:
            connection.close()


async def in_pieces(writer: asyncio.StreamWriter) -> None:
    """Answer byte by byte."""
    for byte in b"HTTP/1.1 409 Conflict\r\nContent-Length: 5\r\nx: y\r\n\r\nhello":
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0)


async def without_length(writer: asyncio.StreamWriter) -> None:
    """Answer with an unknown length."""
    writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n")


async def nothing(_writer: asyncio.StreamWriter) -> None:
    """Give no answer."""


def test_status_and_body_of_each_answer_come_back() -> None:
    """Two requests on one connection get their own answers, however the bytes arrive."""
    assert asyncio.run(exchange(in_pieces, posts=2)) == [(409, b"hello")] * 2


@pytest.mark.parametrize("answer", [without_length, nothing])
def test_an_unreadable_answer_is_an_error(answer: Answer) -> None:
    """An answer of unknown length and a closed connection are errors."""
    with pytest.raises(HttpError):
        asyncio.run(exchange(answer))
