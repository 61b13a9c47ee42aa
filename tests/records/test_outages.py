"""A database that another process locks, removes or replaces."""

import asyncio
import sqlite3
import time
from pathlib import Path

import pytest

from agent_env_schemas import ErrorCode
from env_server.episodes.outages import outage
from env_server.records import StorageDamaged, StorageUnavailable, Store
from env_server.records.write import writer
from tests.records.samples import played


async def test_a_short_lock_is_waited_for_without_stopping_the_loop(url: str) -> None:
    """While another process writes, a commit waits, and the event loop goes on."""
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
    """A removed or replaced file is an outage for writes and reads, so that no turn is lost in it."""
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


async def test_a_check_knows_whether_commits_succeed(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails after a failed commit, although reads work, and passes again once a commit is possible."""
    monkeypatch.setattr(writer, "BUSY_TIMEOUT_MS", 50)
    store = Store.open(url)
    await store.commit(played(1, 1))
    await store.check()
    other = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    await store.check()
    with pytest.raises(StorageUnavailable):
        await store.commit(played(1, 2))
    with pytest.raises(StorageUnavailable):
        await store.check()
    other.execute("ROLLBACK")
    await store.check()
    assert (await store.episode_ids()).start > 0
    await store.close()


def test_damage_and_outages_are_told_apart(tmp_path: Path) -> None:
    """A file that is no database is damage, which no retry repairs; a missing folder is an outage."""
    (tmp_path / "diary.db").write_text("my diary\n" * 200, encoding="utf-8")
    with pytest.raises(StorageDamaged):
        Store.open(f"sqlite:///{tmp_path / 'diary.db'}")
    for error, code, retryable in (
        (StorageDamaged("x"), ErrorCode.STORAGE_DAMAGED, False),
        (StorageUnavailable("x"), ErrorCode.STORAGE_UNAVAILABLE, True),
    ):
        problem = outage(error, "ep-1")
        assert (problem.code, problem.retryable, problem.episode_id) == (code, retryable, "ep-1")
