"""Finds ids by names in a paged list, and caches the list for a limited time."""

import time
from collections.abc import Awaitable, Callable, Iterable

MOST_PAGES = 10
"""Maximum pages of a list to read for a name."""

Read = Callable[[str | None], Awaitable[tuple[Iterable[tuple[str, str]], str | None]]]
"""A function that reads a page from a cursor. It returns pairs of a name and an id, and the cursor of the next page."""


class Directory:
    """A cache of the ids of channels or of members by their names."""

    def __init__(self, read: Read, kept_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Cache names for `kept_s` seconds after the first was read. With 0, each search reads the list again."""
        self._read = read
        self._kept_s = kept_s
        self._clock = clock
        self._ids: dict[str, str] = {}
        self._until = clock()

    async def find(self, name: str) -> str | None:
        """Return the first id under a name. Return None if no page has the name.

        A name that is not in the cache is always looked up.
        """
        ids, cursor = self._known(), None
        for _ in range(MOST_PAGES):
            if name in ids:
                break
            rows, cursor = await self._read(cursor)
            for known, key in rows:
                ids.setdefault(known, key)
            if cursor is None:
                break
        return ids.get(name)

    def _known(self) -> dict[str, str]:
        now = self._clock()
        if now >= self._until:
            self._ids, self._until = {}, now + self._kept_s
        return self._ids
