"""A database that another process locks, removes or replaces."""

import asyncio
import sqlite3
import time
from pathlib import Path

import pytest

from env_server.records import StorageUnavailable, Store
from tests.records.samples import played


async def test_a_short_lock_is_waited_for_without_stopping_the_loop(url: str) -> None:
    """While another process writes, a commit waits its turn, and everything else goes on."""
    store = Store.open(url)
    await store.commit(played(1, 1))
    other = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waiting = asyncio.create_task(store.commit(played(1, 2)))
    ticks = 0
    until = time.monotonic() + 0.5
    while time.monotonic() < until:
        await asyncio.sleep(0.005)
        assert store.reads.last_turn(1) is not None
        ticks += 1
    assert not waiting.done()
    assert ticks > 5
    other.execute("ROLLBACK")
    await waiting
    newest = store.reads.last_turn(1)
    assert newest is not None
    assert newest.turn == 2
    await store.close()


@pytest.mark.parametrize("replaced", [False, True])
async def test_nothing_is_acknowledged_on_a_file_that_is_gone(url: str, replaced: bool) -> None:
    """A removed or replaced file is an outage for writes and reads, not a place where turns vanish."""
    store = Store.open(url)
    await store.commit(played(1, 1))
    path = Path(url.removeprefix("sqlite:///"))
    path.unlink()
    if replaced:
        sqlite3.connect(path).close()
        path.touch()
    with pytest.raises(StorageUnavailable, match="removed or replaced"):
        await store.commit(played(1, 2))
    with pytest.raises(StorageUnavailable, match="removed or replaced"):
        store.reads.last_turn(1)
    assert path.exists() is replaced
    await store.close()
