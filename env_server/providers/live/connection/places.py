"""How many episodes may have a process of a server at a time."""

import asyncio
from collections.abc import Callable


class Places:
    """A number of places. Who finds none waits, and asks for room."""

    def __init__(self, number: int, make_room: Callable[[], None]) -> None:
        """Store how many places there are, and who may be asked to give one back."""
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
        """Let the next one in."""
        self._free.release()
