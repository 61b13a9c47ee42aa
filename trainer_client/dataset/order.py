"""Orders that depend on a seed and on nothing else: not on the Python version, nor on what else is in the list."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Division(Generic[T]):
    """Items in two."""

    first: list[T]
    second: list[T]

    missed: int
    """How many more or fewer items are in the first than should be."""


def shuffled(items: Iterable[T], seed: int, name: Callable[[T], str]) -> list[T]:
    """`items` ordered by a hash of the seed and the item's name; equal names keep their order."""
    return sorted(items, key=lambda item: hashlib.sha256(f"{seed}/{name(item)}".encode()).digest())


def divided(items: Sequence[T], ratio: float, seed: int, name: Callable[[T], str]) -> Division[T]:
    """`items` in two, about `ratio` of them in the first; items of one name stay together.

    Of two names or more either side gets one, unless the ratio is 0 or 1. The names with the most items are placed
    first, each on the side that lacks most, so that small ones are left to even it out.
    """
    groups: dict[str, list[T]] = {}
    for item in items:
        groups.setdefault(name(item), []).append(item)
    ordered = sorted((groups[found] for found in shuffled(groups, seed, str)), key=len, reverse=True)
    share = _share(len(items), ratio, apart=len(ordered) > 1)
    sides: tuple[list[T], list[T]] = ([], [])
    lacks = [share, len(items) - share]
    for left, group in zip(reversed(range(len(ordered))), ordered, strict=True):
        side = int(lacks[1] > lacks[0])
        if not left and sides[side] and not sides[1 - side] and lacks[1 - side]:
            side = 1 - side  # the last one goes where there is none yet
        sides[side].extend(group)
        lacks[side] -= len(group)
    return Division(*sides, missed=abs(lacks[0]))


def _share(number: int, ratio: float, *, apart: bool) -> int:
    """So many of a number are `ratio` of it; if it can be taken apart, not all and not none, but for 0 and 1."""
    share = int(number * ratio + 0.5)
    return min(max(share, 1), number - 1) if apart and 0 < ratio < 1 else share
