"""Orders and splits that depend on the seed and the items' names only, not on the Python version or other items."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Division(Generic[T]):
    """Items divided into two parts."""

    first: list[T]
    second: list[T]

    missed: int
    """The number of items that the first part has too many or too few."""


def shuffled(items: Iterable[T], seed: int, name: Callable[[T], str]) -> list[T]:
    """`items` ordered by a hash of the seed and the item's name; equal names keep their order."""
    return sorted(items, key=lambda item: hashlib.sha256(f"{seed}/{name(item)}".encode()).digest())


def divided(items: Sequence[T], ratio: float, seed: int, name: Callable[[T], str]) -> Division[T]:
    """Divide `items`, about `ratio` of them into the first part; items of one name stay together.

    If there are two names or more, each part gets at least one, unless the ratio is 0 or 1. The names with the most
    items are placed first, each into the part that lacks most, so that small names even out the rest.
    """
    groups: dict[str, list[T]] = {}
    for item in items:
        groups.setdefault(name(item), []).append(item)
    ordered = sorted((groups[found] for found in shuffled(groups, seed, str)), key=len, reverse=True)
    share = _share(len(items), ratio, divisible=len(ordered) > 1)
    sides: tuple[list[T], list[T]] = ([], [])
    lacks = [share, len(items) - share]
    for left, group in zip(reversed(range(len(ordered))), ordered, strict=True):
        side = int(lacks[1] > lacks[0])
        if not left and sides[side] and not sides[1 - side] and lacks[1 - side]:
            side = 1 - side  # the last group goes into a part that is still empty
        sides[side].extend(group)
        lacks[side] -= len(group)
    return Division(*sides, missed=abs(lacks[0]))


def _share(number: int, ratio: float, *, divisible: bool) -> int:
    """The size of the first part. If the items are divisible, neither part is empty, unless the ratio is 0 or 1."""
    share = int(number * ratio + 0.5)
    return min(max(share, 1), number - 1) if divisible and 0 < ratio < 1 else share
