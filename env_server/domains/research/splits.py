"""The companies and crypto pairs of each split.

Companies of different circles never occur in the same row of the world, so a split that has its own circles has its
own pages, articles and threads, too.
"""

from collections.abc import Mapping

SPLITS: Mapping[str, int] = {"train": 2000, "val": 200, "test": 500}
"""Split -> number of listed tasks."""

CIRCLES: Mapping[str, tuple[int, ...]] = {"train": (1, 4, 5, 7, 10), "val": (2, 8), "test": (3, 6, 9)}
"""Split -> the circles of its companies."""

COINS: Mapping[str, tuple[str, ...]] = {"train": ("BTC", "SOL", "ADA"), "val": ("LTC",), "test": ("ETH", "XRP")}
"""Split -> its crypto pairs, by the coin."""
