"""Orders that depend on a seed and on nothing else: not on the Python version, nor on what else is in the list."""

import hashlib
from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def shuffled(items: Iterable[T], seed: int, name: Callable[[T], str]) -> list[T]:
    """`items` ordered by a hash of the seed and the item's name; equal names keep their order."""
    return sorted(items, key=lambda item: hashlib.sha256(f"{seed}/{name(item)}".encode()).digest())
