"""Chance that is the same everywhere: streams of numbers, each for one subject of one world.

Only `Random.random` is used, whose sequence Python promises to keep, and arithmetic that IEEE 754 fixes. A subject's
stream does not depend on what other streams were asked for.
"""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Stream:
    """Numbers and choices of one subject, such as the bars of a ticker."""

    __slots__ = ("random",)

    def __init__(self, *subject: str | int | float) -> None:
        """Begin the stream of `subject`; the seed of the world is its first word."""
        self.random = Random("/".join(map(str, subject))).random

    def normal(self) -> float:
        """A number with mean 0 and deviation 1, between -3.4 and 3.4: the sum of four uniform ones."""
        random = self.random
        return (random() + random() + random() + random() - 2.0) * 1.7320508075688772

    def between(self, low: float, high: float) -> float:
        """A number from `low` to `high`."""
        return low + (high - low) * self.random()

    def whole(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + int((high - low + 1) * self.random())

    def chance(self, share: float) -> bool:
        """True in `share` of the cases."""
        return self.random() < share

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[int(len(items) * self.random())]

    def some(self, items: Sequence[T], count: int) -> list[T]:
        """`count` of the items, none of them twice, in random order; all of them where there are fewer."""
        left = list(items)
        found = []
        for _ in range(min(count, len(left))):
            at = int(len(left) * self.random())
            left[at], left[-1] = left[-1], left[at]
            found.append(left.pop())
        return found

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in random order."""
        return self.some(items, len(items))


class Deck:
    """Deals items in random order and begins again when all were dealt: texts repeat as late as possible."""

    def __init__(self, stream: Stream) -> None:
        """Shuffle with `stream`."""
        self._stream = stream
        self._left: dict[int, list[object]] = {}

    def deal(self, items: Sequence[T]) -> T:
        """The next of `items`, a sequence that lives as long as the deck."""
        left = self._left.get(id(items))
        if not left:
            left = self._left[id(items)] = list(self._stream.shuffled(items))
        return left.pop()  # type: ignore[return-value]
