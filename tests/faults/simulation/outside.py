"""The server outside in the simulation: virtual time passes on the way to it and back."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable

from tests.faults.play.desk import Outside, sources

SLOW_S = 1.5
"""The longest time, in seconds, of the way there, and of the way back."""


class NearBy(Outside):
    """A server that counts what was sent. `rng` and `trace` are those of the run."""

    def __init__(self) -> None:
        """Nothing has been sent."""
        self.sent: Counter[str] = Counter()
        self.rng = random.Random(0)
        self.trace: Callable[[str], None] = lambda _: None

    async def reach(self, name: str, text: str) -> None:
        """Take the call after a while, and answer after another one."""
        await asyncio.sleep(self.rng.uniform(0, SLOW_S))
        if name == "send":
            self.sent[text] += 1
            self.trace(f"SENT {text}")
        await asyncio.sleep(self.rng.uniform(0, SLOW_S))


OUTSIDE = NearBy()
"""One for all runs, because making domains takes longer than a run. Each run clears it."""

SOURCES = sources(OUTSIDE)
