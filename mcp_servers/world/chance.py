"""Reproducible random streams. Each stream belongs to one subject of one world.

Streams use only `Random.random`, whose sequence Python keeps stable, and arithmetic that IEEE 754 defines. The stream
of a subject does not depend on the use of other streams.
"""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Stream:
    """A random stream of one subject, such as the bars of a ticker."""

    __slots__ = ("random",)

    def __init__(self, *subject: str | int | float) -> None:
        """Begin the stream of `subject`. Its first word is the seed of the world."""
        self.random = Random("/".join(map(str, subject))).random

    def normal(self) -> float:
        """Return a number with mean 0 and deviation 1, between -3.4 and 3.4: a scaled sum of four uniform numbers."""
        random = self.random
        return (random() + random() + random() + random() - 2.0) * 1.7320508075688772

    def between(self, low: float, high: float) -> float:
        """Return a number from `low` to `high`."""
        return low + (high - low) * self.random()

    def whole(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`, both included."""
        return low + int((high - low + 1) * self.random())

    def chance(self, share: float) -> bool:
        """Return True with probability `share`."""
        return self.random() < share

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[int(len(items) * self.random())]

    def some(self, items: Sequence[T], count: int) -> list[T]:
        """Return `count` different items in random order. Return all of them if there are fewer."""
        left = list(items)
        found = []
        for _ in range(min(count, len(left))):
            at = int(len(left) * self.random())
            left[at], left[-1] = left[-1], left[at]
            found.append(left.pop())
        return found

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order."""
        return self.some(items, len(items))


class Deck:
    """A deck that deals items in random order and starts again when all are dealt. It delays repeats of texts."""

    def __init__(self, stream: Stream) -> None:
        """Make a deck that shuffles with `stream`."""
        self._stream = stream
        self._left: dict[int, list[object]] = {}

    def deal(self, items: Sequence[T]) -> T:
        """Return the next of `items`. The sequence must live as long as the deck."""
        left = self._left.get(id(items))
        if not left:
            left = self._left[id(items)] = list(self._stream.shuffled(items))
        return left.pop()  # type: ignore[return-value]
