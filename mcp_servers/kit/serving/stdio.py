"""Serves over standard input and output until the input ends or an interrupt arrives."""

import os
import select
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import anyio
from mcp.server import MCPServer

CHUNK = 65_536
"""Maximum bytes of one read."""


async def serve_stdio(name: str, server: MCPServer[Any]) -> None:
    """Serve until the input ends or an interrupt arrives. Then release the server's resources.

    The SDK reads in a thread that cannot be interrupted. An interrupt alone would wait for the next line of input.
    """
    if sys.stdin is None or sys.stdout is None:
        sys.exit(f"mcp-{name}: standard input or output is closed; open both, or pass --http PORT")
    if sys.platform == "win32":
        await server.run_stdio_async()
        return
    with _ending_input() as end, anyio.open_signal_receiver(signal.SIGINT) as interrupts:
        async with anyio.create_task_group() as tasks:

            async def stop() -> None:
                async for _ in interrupts:
                    os.write(end, b"x")
                    tasks.cancel_scope.cancel()

            tasks.start_soon(stop)
            await server.run_stdio_async()
            tasks.cancel_scope.cancel()


@contextmanager
def _ending_input() -> Iterator[int]:
    """Replace descriptor 0 with a pipe. Writing a byte to the yielded descriptor ends the input."""
    source = os.dup(0)
    reading, writing = os.pipe()
    stopping, end = os.pipe()
    os.dup2(reading, 0)
    os.close(reading)
    threading.Thread(target=_pass_on, args=(source, stopping, writing), daemon=True).start()
    try:
        yield end
    finally:
        os.dup2(source, 0)


def _pass_on(source: int, stopping: int, writing: int) -> None:
    """Copy `source` to `writing` until `source` ends, the reader closes, or `stopping` becomes readable."""
    with suppress(OSError):
        while stopping not in (ready := select.select([source, stopping], [], [])[0]) and source in ready:
            data = os.read(source, CHUNK)
            if not data:
                break
            while data:
                data = data[os.write(writing, data) :]
    os.close(writing)
