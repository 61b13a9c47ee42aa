"""A minimal HTTP/1.1 client: one keep-alive connection, one request at a time, and little work per request.

It reads only responses in the form of uvicorn's: a status line, headers with a Content-Length, and a body.
"""

import asyncio
from collections.abc import Sequence
from itertools import cycle
from typing import Self, cast

_STATUS = slice(9, 12)
_LENGTH = b"\r\ncontent-length:"


class HttpError(Exception):
    """The server closed the connection, or sent a response that this client cannot read."""


class Connection(asyncio.Protocol):
    """One connection. A call of `post` must end before the next one begins."""

    def __init__(self) -> None:
        """Create a protocol that is not connected yet; see `open`."""
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._body_at = self._end = 0
        self._answer: asyncio.Future[tuple[int, bytes]] | None = None

    @classmethod
    async def open(cls, port: int) -> Self:
        """Connect to a port of this machine.

        Raises:
            OSError: if no process listens on the port.
        """
        _, connection = await asyncio.get_running_loop().create_connection(cls, "127.0.0.1", port)
        return connection

    async def post(self, path: bytes, body: bytes, headers: bytes = b"") -> tuple[int, bytes]:
        """Send the JSON `body` to `path`, and return the status and the body of the response.

        `headers` are additional header lines, each with its line end.

        Raises:
            HttpError: if there is no response that this client can read.
        """
        if self._transport is None or self._transport.is_closing():
            raise HttpError("the connection is closed")
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(
            b"POST %b HTTP/1.1\r\nhost: 127.0.0.1\r\n%bcontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b"
            % (path, headers, len(body), body)
        )
        return await self._answer

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's transport does not inherit from Transport

    def data_received(self, data: bytes) -> None:
        """Add received bytes to the response."""
        self._buffer += data
        if self._end == 0 and not self._read_head():
            return
        if len(self._buffer) < self._end:
            return
        status, body = int(self._buffer[_STATUS]), bytes(self._buffer[self._body_at : self._end])
        self._buffer.clear()
        self._end = 0
        self._settle((status, body))

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail the pending request, if there is one."""
        self._settle(HttpError(f"the server closed the connection ({exc or 'without an error'})"))

    def _read_head(self) -> bool:
        """Compute where the response ends. Return whether its head is complete."""
        head_end = self._buffer.find(b"\r\n\r\n")
        if head_end < 0:
            return False
        head = bytes(self._buffer[: head_end + 2]).lower()
        _, found, rest = head.partition(_LENGTH)
        if not found:
            self._settle(HttpError(f"an answer without Content-Length: {head[:80]!r}"))
            return False
        self._body_at = head_end + 4
        self._end = self._body_at + int(rest.partition(b"\r\n")[0])
        return True

    def _settle(self, answer: tuple[int, bytes] | HttpError) -> None:
        if self._answer is None or self._answer.done():
            return
        if isinstance(answer, HttpError):
            self._answer.set_exception(answer)
        else:
            self._answer.set_result(answer)


class Spread:
    """Connections to several servers of one database. Each request goes to the next of them."""

    def __init__(self, connections: Sequence[Connection]) -> None:
        """Use `connections` in turn."""
        self._all, self._turns = connections, cycle(connections)

    @classmethod
    async def open(cls, ports: Sequence[int]) -> Self:
        """Connect to each port.

        Raises:
            OSError: if no process listens on one of them.
        """
        return cls([await Connection.open(port) for port in ports])

    async def post(self, path: bytes, body: bytes, headers: bytes = b"") -> tuple[int, bytes]:
        """Send a request as `Connection.post` does."""
        return await next(self._turns).post(path, body, headers)

    def close(self) -> None:
        """Close all connections."""
        for connection in self._all:
            connection.close()
