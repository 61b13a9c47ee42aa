"""The input of `env-server mcp`, read line by line. Reading does not delay the end of the program."""

import asyncio
import os
from collections.abc import AsyncIterator
from threading import Thread

CHUNK = 65_536


class Lines:
    """Lines of a descriptor, read in a daemon thread.

    A read from a pipe cannot be cancelled. If a signal ends the program, threads of Python's executors and file objects
    would make it wait for the read. So this class uses neither.
    """

    def __init__(self, descriptor: int) -> None:
        """Start to read. An event loop must be running."""
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._descriptor = descriptor
        self.ended = asyncio.Event()
        """Set when all lines have been read, even if some are not yet consumed."""
        Thread(target=self._read, daemon=True).start()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield each line until the input ends."""
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
        except RuntimeError:  # the event loop is closed, so no consumer is left
            return
        except OSError:
            self._end()

    def _put(self, line: bytes | None) -> None:
        self._loop.call_soon_threadsafe(self._lines.put_nowait, line)

    def _end(self) -> None:
        self._put(None)
        self._loop.call_soon_threadsafe(self.ended.set)
