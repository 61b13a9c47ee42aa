"""The server outside in the simulation: virtual time passes on the way to it and back."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable

from tests.faults.play.desk import Outside, sources

SLOW_S = 1.5
"""The longest way there, and the longest way back."""


class NearBy(Outside):
    """It counts what was sent. `rng` belongs to the run, `trace` takes its lines."""

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
