"""A bounded cache of recently used entries."""

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A mapping that drops the least recently used entries when the total weight exceeds `size`."""

    def __init__(self, size: int) -> None:
        """Set the maximum total weight."""
        self._size = size
        self._held = 0
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def get(self, key: K) -> V | None:
        """Return the value or None. The entry becomes the most recently used."""
        found = self._entries.get(key)
        if found is None:
            return None
        self._entries.move_to_end(key)
        return found[0]

    def put(self, key: K, value: V, weight: int = 1) -> None:
        """Store `value` with the given weight."""
        _, before = self._entries.pop(key, (None, 0))
        self._entries[key] = (value, weight)
        self._held += weight - before
        while self._held > self._size and len(self._entries) > 1:
            _, (_, gone) = self._entries.popitem(last=False)
            self._held -= gone
