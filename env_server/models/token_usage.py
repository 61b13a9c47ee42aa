"""Token counts of the models of each run."""

from collections import Counter
from typing import Protocol


class TokenLedger(Protocol):
    """A store of the token sums. The ledger of a server outlives it and is shared by its processes."""

    def spent(self, run: str) -> int:
        """Return the tokens that `run` has used so far."""

    async def spend(self, run: str, tokens: int) -> None:
        """Add `tokens` to the sum of `run`, whether or not the answer was usable."""


class MemoryLedger:
    """A ledger in the memory of the process."""

    def __init__(self) -> None:
        """Start with nothing spent."""
        self._sums: Counter[str] = Counter()

    def spent(self, run: str) -> int:
        """Return the tokens that `run` has used so far."""
        return self._sums[run]

    async def spend(self, run: str, tokens: int) -> None:
        """Add `tokens` to the sum of `run`."""
        self._sums[run] += tokens
