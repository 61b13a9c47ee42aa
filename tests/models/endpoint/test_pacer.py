"""Tasks that pass one at a time, and work in another thread."""

import asyncio
import time
from itertools import pairwise

import pytest

from env_server.models.endpoint.pacer import Turnstile
from env_server.models.endpoint.thread import Elsewhere
from tests.e2e.server import PATIENCE_S


async def test_others_come_in_between() -> None:
    """While many pass, other tasks run between them."""
    turnstile, passed, seen = Turnstile(), [0], list[int]()

    async def one() -> None:
        await turnstile.pass_through()
        passed[0] += 1

    crowd = asyncio.gather(*(one() for _ in range(50)))
    while not crowd.done():
        await asyncio.sleep(0)
        seen.append(passed[0])
    assert passed[0] == 50
    assert max(after - before for before, after in pairwise(seen)) <= 2


async def test_the_pace() -> None:
    """Many passes are spread over time; the first one does not wait."""
    turnstile, began = Turnstile(0.02), time.monotonic()
    await turnstile.pass_through()
    first = time.monotonic() - began
    await asyncio.gather(*(turnstile.pass_through() for _ in range(10)))
    assert first < time.monotonic() - began
    assert time.monotonic() - began > 0.1


async def test_who_gives_up_does_not_block_the_way() -> None:
    """A caller that is cancelled while it waits leaves its place to the next."""
    turnstile = Turnstile(0.01)
    waiting = [asyncio.create_task(turnstile.pass_through()) for _ in range(5)]
    await asyncio.sleep(0)
    for task in waiting[:4]:
        task.cancel()
    async with asyncio.timeout(PATIENCE_S):
        await waiting[4]


async def test_work_elsewhere_returns_raises_and_is_cancelled() -> None:
    """Work in the other thread returns, raises and is cancelled as work in this one."""
    elsewhere, ended = Elsewhere("test"), asyncio.Event()
    here = asyncio.get_running_loop()

    async def fail() -> None:
        raise LookupError

    async def wait() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            here.call_soon_threadsafe(ended.set)

    assert await elsewhere.run(asyncio.sleep(0, "done")) == "done"
    with pytest.raises(LookupError):
        await elsewhere.run(fail())
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(elsewhere.run(wait()), 0.05)
    async with asyncio.timeout(PATIENCE_S):
        await ended.wait()
    await elsewhere.close()
