"""The server's end of a worker's socket."""

import socket
from collections.abc import Awaitable, Callable
from typing import Final

import anyio

from mcp_servers.python.sandbox.inside import frames

_TICK: Final = 0.025  # Seconds between two checks of a running worker.


class Broken(Exception):
    """The worker broke the protocol or is gone. The text is a reason, as in `Result.killed`."""


class TimedOut(Broken):
    """The code exceeded its time limit."""


class Gone(Broken):
    """The worker ended by itself."""


class Channel:
    """Frames over one non-blocking socket."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self._socket = connection
        self._received = bytearray()

    async def send(self, frame: bytes) -> None:
        """Send a frame.

        Raises:
            Gone: The worker has closed its end of the socket.
        """
        rest = memoryview(frame)
        while rest:
            try:
                rest = rest[self._socket.send(rest) :]
            except BlockingIOError:
                await anyio.wait_writable(self._socket)
            except OSError as error:
                raise Gone from error

    async def receive(self, identity: bytes, longest: int, watch: Callable[[], Awaitable[None]] | None = None) -> bytes:
        """Wait for the frame with this identity and return its body.

        Args:
            identity: The identity of the request.
            longest: Maximum length of the body, in bytes.
            watch: A check that runs repeatedly while there is nothing to read. It may raise.

        Raises:
            Broken: The reply breaks the protocol.
            Gone: The worker ended.
        """
        await self._gather(frames.HEAD, watch)
        found, length = frames.unpack_head(self._received)
        if found != identity or length > longest:
            raise Broken("it wrote to the connection that belongs to the sandbox")
        await self._gather(frames.HEAD + length, watch)
        body = bytes(self._received[frames.HEAD : frames.HEAD + length])
        del self._received[: frames.HEAD + length]
        return body

    async def _gather(self, size: int, watch: Callable[[], Awaitable[None]] | None) -> None:
        while len(self._received) < size:
            try:
                part = self._socket.recv(65_536)
            except BlockingIOError:
                await self._wait(watch)
            except OSError as error:
                raise Gone from error
            else:
                if not part:
                    raise Gone
                self._received += part

    async def _wait(self, watch: Callable[[], Awaitable[None]] | None) -> None:
        if watch is None:
            await anyio.wait_readable(self._socket)
            return
        with anyio.move_on_after(_TICK) as patience:
            await anyio.wait_readable(self._socket)
        if patience.cancelled_caught:
            await watch()

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()
