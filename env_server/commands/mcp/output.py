"""The output of `env-server mcp`: written without holding up the end of the program."""

import asyncio
import os
import select
from queue import SimpleQueue
from threading import Thread
from time import monotonic

import anyio
from mcp.shared.message import SessionMessage

from env_server.commands.mcp.messages import written

CHUNK = 4_096
"""Written at once; a reader that is slow, and not gone, takes so much in a while."""

LOOKS_S = 0.25
"""How often it is asked whether a reader still reads."""


class Output:
    """Writes to a descriptor in a thread that nobody waits for.

    A write to a pipe that is full cannot be called off, and where nobody reads it never ends; a thread of Python's own
    would make the program wait for it. See `Lines`, which does the same for the input.
    """

    def __init__(self, descriptor: int) -> None:
        """Begin to write; there has to be a running event loop."""
        self._loop = asyncio.get_running_loop()
        self._todo: SimpleQueue[tuple[bytes, asyncio.Future[None]]] = SimpleQueue()
        self._descriptor = descriptor
        self._unwritten = 0
        self._moved_at = monotonic()
        Thread(target=self._write, daemon=True).start()

    async def send(self, item: SessionMessage, /) -> None:
        """Write one message, to its end.

        Raises:
            anyio.BrokenResourceError: if nobody can read it any more.
        """
        if not self._unwritten:
            self._moved_at = monotonic()
        self._unwritten += 1
        done = self._loop.create_future()
        self._todo.put((written(item), done))
        try:
            await done
        finally:
            self._unwritten -= 1

    async def stuck(self, patience_s: float) -> None:
        """Wait until there is something to write of which, from now on, nobody has read anything for so long."""
        since = monotonic()
        while not self._unwritten or monotonic() - max(since, self._moved_at) < patience_s:
            await asyncio.sleep(LOOKS_S)

    def _write(self) -> None:
        while True:
            data, done = self._todo.get()
            error: Exception | None = None
            try:
                self._write_all(memoryview(data))
            except OSError as e:
                error = anyio.BrokenResourceError(str(e))
            try:
                self._loop.call_soon_threadsafe(_settle, done, error)
            except RuntimeError:  # the event loop is closed: nobody waits any more
                return

    def _write_all(self, data: memoryview) -> None:
        while data:
            try:
                data = data[os.write(self._descriptor, data[:CHUNK]) :]
            except BlockingIOError:  # the client has set its pipe so
                select.select([], [self._descriptor], [])
            self._moved_at = monotonic()


def _settle(done: asyncio.Future[None], error: Exception | None) -> None:
    if done.done():  # called off meanwhile
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)
