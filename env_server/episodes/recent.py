"""A bounded memory of what was used lately."""

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A mapping that forgets what was used least recently once its entries together count more than `size`."""

    def __init__(self, size: int) -> None:
        """Keep entries that count `size` together."""
        self._size = size
        self._held = 0
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def get(self, key: K) -> V | None:
        """The value, which counts as used now, or None."""
        found = self._entries.get(key)
        if found is None:
            return None
        self._entries.move_to_end(key)
        return found[0]

    def put(self, key: K, value: V, weight: int = 1) -> None:
        """Keep `value`, which counts as `weight`."""
        _, before = self._entries.pop(key, (None, 0))
        self._entries[key] = (value, weight)
        self._held += weight - before
        while self._held > self._size and len(self._entries) > 1:
            _, (_, gone) = self._entries.popitem(last=False)
            self._held -= gone
