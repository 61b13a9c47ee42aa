"""The input of `env-server mcp`: lines as they come, without holding up the end of the program."""

import asyncio
import os
from collections.abc import AsyncIterator
from threading import Thread

CHUNK = 65_536


class Lines:
    """Lines of a descriptor, read in a thread that nobody waits for.

    A read from a pipe cannot be called off. Python's own threads and file objects would make the program wait for it
    when a signal ends the program; so this one uses neither.
    """

    def __init__(self, descriptor: int) -> None:
        """Begin to read; there has to be a running event loop."""
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._descriptor = descriptor
        self.ended = asyncio.Event()
        """Whether all of them have been read, though perhaps not yet been given."""
        Thread(target=self._read, daemon=True).start()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Each line, until the input ends."""
        while (line := await self._lines.get()) is not None:
            yield line

    def _read(self) -> None:
        rest = b""
        try:
            while chunk := os.read(self._descriptor, CHUNK):
                *whole, rest = (rest + chunk).split(b"\n")
                for line in whole:
                    self._put(line)
            if rest:
                self._put(rest)
            self._end()
        except RuntimeError:  # the event loop is closed: nobody listens any more
            return
        except OSError:
            self._end()

    def _put(self, line: bytes | None) -> None:
        self._loop.call_soon_threadsafe(self._lines.put_nowait, line)

    def _end(self) -> None:
        self._put(None)
        self._loop.call_soon_threadsafe(self.ended.set)
