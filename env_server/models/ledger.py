"""How many tokens the users of each run have taken."""

from collections import Counter
from typing import Protocol


class TokenLedger(Protocol):
    """Keeps the sums; those of a server survive it and are shared by its processes."""

    def spent(self, run: str) -> int:
        """Tokens that `run` has taken so far."""

    async def spend(self, run: str, tokens: int) -> None:
        """Note `tokens` more, whether or not what they were spent on was of any use."""


class MemoryLedger:
    """A ledger for as long as the process lives."""

    def __init__(self) -> None:
        """Begin with nothing spent."""
        self._sums: Counter[str] = Counter()

    def spent(self, run: str) -> int:
        """Tokens that `run` has taken so far."""
        return self._sums[run]

    async def spend(self, run: str, tokens: int) -> None:
        """Note `tokens` more."""
        self._sums[run] += tokens
