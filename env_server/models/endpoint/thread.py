"""An event loop in a thread of its own, for work that comes in bursts while others wait for the first loop."""

import asyncio
import sys
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

SWITCH_S = 0.0005
"""How long one thread may keep the interpreter while the other waits for it."""

T = TypeVar("T")


class Elsewhere:
    """Runs coroutines on a loop of its own; it ends with `close`, or with the process."""

    def __init__(self, name: str) -> None:
        """Start the thread."""
        sys.setswitchinterval(min(SWITCH_S, sys.getswitchinterval()))
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What `work` returns or raises; if the caller is cancelled, so is the work."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    async def close(self) -> None:
        """Stop the loop and the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.to_thread(self._thread.join)
        self._loop.close()
