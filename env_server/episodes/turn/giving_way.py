"""Long messages give way to other requests between their calls."""

import asyncio
from weakref import WeakKeyDictionary

CALLS_AT_ONCE = 8
"""Number of calls of a message that are made without giving way."""

_TURNS: "WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock]" = WeakKeyDictionary()


async def give_way() -> None:
    """Let other requests go on first. Of all messages that give way, one goes on in each iteration of the loop."""
    async with _TURNS.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
        await asyncio.sleep(0)
