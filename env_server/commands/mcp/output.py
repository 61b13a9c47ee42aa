"""The output of `env-server mcp`. Writing does not delay the end of the program."""

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
"""Bytes per write. A slow reader consumes that much in time and so does not count as gone."""

LOOKS_S = 0.25
"""Seconds between checks whether the client still reads."""


class Output:
    """Writes to a descriptor in a daemon thread.

    A write to a full pipe cannot be cancelled, and it never ends if no process reads the pipe. Threads of Python's
    executors would make the program wait for it. `Lines` does the same for the input.
    """

    def __init__(self, descriptor: int) -> None:
        """Start to write. An event loop must be running."""
        self._loop = asyncio.get_running_loop()
        self._todo: SimpleQueue[tuple[bytes, asyncio.Future[None]]] = SimpleQueue()
        self._descriptor = descriptor
        self._unwritten = 0
        self._moved_at = monotonic()
        Thread(target=self._write, daemon=True).start()

    async def send(self, item: SessionMessage, /) -> None:
        """Write one message completely.

        Raises:
            anyio.BrokenResourceError: if the client has closed its end.
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
        """Wait until data is pending and the client has read none of it for `patience_s` seconds."""
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
            except RuntimeError:  # the event loop is closed, so no sender is left
                return

    def _write_all(self, data: memoryview) -> None:
        while data:
            try:
                data = data[os.write(self._descriptor, data[:CHUNK]) :]
            except BlockingIOError:  # the client has made its pipe non-blocking
                select.select([], [self._descriptor], [])
            self._moved_at = monotonic()


def _settle(done: asyncio.Future[None], error: Exception | None) -> None:
    if done.done():  # the sender was cancelled meanwhile
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)
