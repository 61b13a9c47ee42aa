"""Finds ids by names in a list that is read page by page, and remembers for a while what it read."""

import time
from collections.abc import Awaitable, Callable, Iterable

MOST_PAGES = 10
"""Pages of a list that are read for a name."""

Read = Callable[[str | None], Awaitable[tuple[Iterable[tuple[str, str]], str | None]]]
"""Reads a page from a cursor: pairs of a name and an id, and the cursor of the next page."""


class Directory:
    """The ids of channels or of members by their names."""

    def __init__(self, read: Read, kept_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Remember names for `kept_s` seconds after the first was read; with 0 each search reads the list again."""
        self._read = read
        self._kept_s = kept_s
        self._clock = clock
        self._ids: dict[str, str] = {}
        self._until = clock()

    async def find(self, name: str) -> str | None:
        """The first id under a name; None where no page has it. A name that is not known is always looked for."""
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
