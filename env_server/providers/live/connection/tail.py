"""The last lines that a child process wrote to stderr. They tell why it ended."""

import asyncio
import os
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TextIO

LINES = 20
WIDTH = 400


class Tail(asyncio.Protocol):
    """Keeps the last lines of what is written to a pipe."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._lines: deque[str] = deque([""], LINES)

    @property
    def last(self) -> str:
        """The last line that says something."""
        return next((line.strip() for line in reversed(self._lines) if line.strip()), "")

    @asynccontextmanager
    async def pipe(self) -> AsyncIterator[TextIO]:
        """Yield the file for a child's stderr. The block closes it once the child has it."""
        reading, writing = os.pipe()
        with os.fdopen(writing, "w") as file:
            transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: self, os.fdopen(reading, "rb"))
            try:
                yield file
            finally:
                transport.close()

    def data_received(self, data: bytes) -> None:
        """Take what was written."""
        first, *more = data.decode(errors="replace").split("\n")
        self._lines[-1] = (self._lines[-1] + first)[:WIDTH]
        self._lines.extend(line[:WIDTH] for line in more)
