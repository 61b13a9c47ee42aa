"""An event loop in a thread of its own, for bursts of work that must not block the main loop."""

import asyncio
import sys
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

SWITCH_S = 0.0005
"""The interpreter's switch interval in seconds: how long one thread may run while another one waits."""

T = TypeVar("T")


class Elsewhere:
    """A thread with its own event loop that runs coroutines. It ends with `close`, or with the process."""

    def __init__(self, name: str) -> None:
        """Start the thread."""
        sys.setswitchinterval(min(SWITCH_S, sys.getswitchinterval()))
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Return or raise the outcome of `work`. If the caller is cancelled, the work is cancelled too."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    async def close(self) -> None:
        """Stop the loop and the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.to_thread(self._thread.join)
        self._loop.close()
