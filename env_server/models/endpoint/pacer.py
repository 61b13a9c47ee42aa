"""A turnstile: of many that come at once one passes at a time, and everybody else's work comes in between."""

import asyncio

LATE_S = 0.05
"""What is lost on a busy machine is made up for, but not more than this."""


class Turnstile:
    """Lets one pass every `pace_s` seconds; whoever comes alone passes at once."""

    def __init__(self, pace_s: float = 0.0) -> None:
        """Open; `pace_s` may be changed at any time."""
        self.pace_s = pace_s
        self._next = 0.0
        self._lock = asyncio.Lock()

    async def pass_through(self) -> None:
        """Wait for one's turn; in any case whatever else is ready goes first."""
        now = asyncio.get_running_loop().time
        async with self._lock:
            await asyncio.sleep(self._next - now())
            self._next = max(self._next, now() - LATE_S) + self.pace_s
