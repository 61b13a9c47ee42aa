"""A turnstile for bursts of work: one coroutine passes at a time, and other ready work runs in between."""

import asyncio

LATE_S = 0.05
"""The maximum delay in seconds that later passes may make up for on a busy machine."""


class Turnstile:
    """A turnstile that lets one coroutine pass every `pace_s` seconds. A single coroutine passes at once."""

    def __init__(self, pace_s: float = 0.0) -> None:
        """Start open; `pace_s` may be changed at any time."""
        self.pace_s = pace_s
        self._next = 0.0
        self._lock = asyncio.Lock()

    async def pass_through(self) -> None:
        """Wait for a turn. The event loop runs other ready work first in any case."""
        now = asyncio.get_running_loop().time
        async with self._lock:
            await asyncio.sleep(self._next - now())
            self._next = max(self._next, now() - LATE_S) + self.pace_s
