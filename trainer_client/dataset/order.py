"""Orders that depend on a seed and on nothing else: not on the Python version, nor on what else is in the list."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import TypeVar

T = TypeVar("T")


def shuffled(items: Iterable[T], seed: int, name: Callable[[T], str]) -> list[T]:
    """`items` ordered by a hash of the seed and the item's name; equal names keep their order."""
    return sorted(items, key=lambda item: hashlib.sha256(f"{seed}/{name(item)}".encode()).digest())


def divided(items: Sequence[T], ratio: float, seed: int, name: Callable[[T], str]) -> tuple[list[T], list[T]]:
    """`items` in two, about `ratio` of them in the first; items of one name stay together.

    Of two names or more either side gets one, unless the ratio is 0 or 1.
    """
    groups: dict[str, list[T]] = {}
    for item in items:
        groups.setdefault(name(item), []).append(item)
    ordered = [groups[found] for found in shuffled(groups, seed, str)]
    sizes = [0, *accumulate(map(len, ordered))]  # of the first side, by how many groups are there
    wanted = int(len(items) * ratio + 0.5)
    cuts = range(1, len(ordered)) if len(ordered) > 1 and 0 < ratio < 1 else range(len(sizes))
    cut = min(cuts, key=lambda at: abs(sizes[at] - wanted))
    return [item for group in ordered[:cut] for item in group], [item for group in ordered[cut:] for item in group]
