"""How many episodes may have a process of a server at a time."""

import asyncio
from collections.abc import Callable


class Places:
    """A limited number of places. A caller that finds none free asks for room, and waits."""

    def __init__(self, number: int, make_room: Callable[[], None]) -> None:
        """Store the number of places, and the function that makes another caller give one back if possible."""
        self._free = asyncio.Semaphore(number)
        self._make_room = make_room
        self.waiting = 0
        """How many wait for a place."""

    async def take(self) -> None:
        """Wait for a place."""
        self.waiting += 1
        try:
            if self._free.locked():
                self._make_room()
            await self._free.acquire()
        finally:
            self.waiting -= 1

    def give_back(self) -> None:
        """Free a place for the next caller."""
        self._free.release()
