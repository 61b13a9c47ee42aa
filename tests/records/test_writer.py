import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import event

from env_server.records import Claim, Conflict, StorageUnavailable, Store, Unit
from env_server.records.engine import SameFile, make_engine
from env_server.records.migrations import upgrade
from env_server.records.write.writer import Writer
from tests.records.samples import ending, episode, played, turn


class Commits:
    """Counts the COMMITs of an engine."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, _connection: object) -> None:
        """Count one COMMIT."""
        self.count += 1


@pytest.fixture(params=[False, True], ids=["inline", "threaded"])
async def writer(request: pytest.FixtureRequest, url: str) -> AsyncIterator[tuple[Writer, Commits]]:
    """A writer of either kind, and the count of its transactions."""
    engine, commits = make_engine(url), Commits()
    upgrade(engine)
    event.listen(engine, "commit", commits)
    writer = Writer(engine, SameFile(engine), threaded=request.param)
    yield writer, commits
    await writer.close()


async def test_concurrent_units_share_a_transaction(writer: tuple[Writer, Commits], url: str) -> None:
    """A hundred units of one tick are stored and acknowledged by one commit."""
    work, commits = writer
    await asyncio.gather(*(work.commit(played(n, 1)) for n in range(100)))
    assert commits.count == 1
    store = Store.open(url)
    assert all(store.reads.last_turn(n) for n in range(100))
    await store.close()


async def test_what_queues_during_a_commit_goes_into_the_next(url: str) -> None:
    """Units that arrive during a commit are gathered: many ticks need far fewer transactions than units."""
    engine, commits = make_engine(url), Commits()
    upgrade(engine)
    event.listen(engine, "commit", commits)
    writer = Writer(engine, SameFile(engine), threaded=True)
    waiting = []
    for number in range(200):
        waiting.append(asyncio.ensure_future(writer.commit(played(number, 1))))
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    await writer.close()
    assert commits.count < 100


async def test_a_conflict_hits_the_loser_alone(writer: tuple[Writer, Commits]) -> None:
    """In a group with a turn that is taken, only that unit raises Conflict and stores nothing.

    The others are stored.
    """
    work, _ = writer
    await work.commit(played(1, 1))
    loser = Unit(episodes=[episode(77)], turns=[turn(1, 1)])
    results = await asyncio.gather(
        work.commit(played(2, 1)), work.commit(loser), work.commit(played(3, 1)), return_exceptions=True
    )
    assert [type(result) for result in results] == [type(None), Conflict, type(None)]
    counts = await work.run(
        lambda c: c.exec_driver_sql("SELECT (SELECT count(*) FROM turns), (SELECT count(*) FROM episodes)").one()
    )
    assert tuple(counts) == (3, 0)


async def test_of_two_equal_units_in_one_group_the_first_wins(writer: tuple[Writer, Commits]) -> None:
    """Of two units for the same turn in one tick, exactly one is acknowledged."""
    work, _ = writer
    results = await asyncio.gather(work.commit(played(1, 1)), work.commit(played(1, 1)), return_exceptions=True)
    assert [type(result) for result in results] == [type(None), Conflict]


async def test_a_value_the_driver_refuses_harms_nobody_else(writer: tuple[Writer, Commits]) -> None:
    """A unit with a lone surrogate cannot be stored and fails; the other units of its group are committed."""
    work, _ = writer
    results = await asyncio.gather(
        work.commit(played(1, 1, action="\ud800")), work.commit(played(2, 1)), return_exceptions=True
    )
    assert [type(result) for result in results] == [UnicodeEncodeError, type(None)]


async def test_a_cancelled_caller_harms_nobody_else(writer: tuple[Writer, Commits]) -> None:
    """A unit is committed although its caller was cancelled, and the other callers are acknowledged."""
    work, _ = writer
    tasks = [asyncio.ensure_future(work.commit(played(n, 1))) for n in range(3)]
    await asyncio.sleep(0)
    tasks[1].cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(result) for result in results] == [type(None), asyncio.CancelledError, type(None)]


async def test_close_commits_what_has_queued_and_refuses_more(writer: tuple[Writer, Commits]) -> None:
    """Close waits for queued units; a later one is refused as retryable."""
    work, _ = writer
    queued = asyncio.ensure_future(work.commit(played(1, 1)))
    await asyncio.sleep(0)
    await work.close()
    assert queued.done()
    assert queued.exception() is None
    with pytest.raises(StorageUnavailable):
        await work.commit(played(2, 1))


async def test_a_locked_database_is_an_outage_for_the_group_and_then_works_again(
    writer: tuple[Writer, Commits], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If another process locks the database too long, all units of the group may be retried, and then succeed."""
    monkeypatch.setattr("env_server.records.engine.BUSY_TIMEOUT_MS", 10)
    work, _ = writer
    blocker = sqlite3.connect(tmp_path / "records.db", isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    units = [played(n, 1) for n in range(3)]
    failed = await asyncio.gather(*map(work.commit, units), return_exceptions=True)
    assert all(isinstance(result, StorageUnavailable) for result in failed)
    blocker.execute("ROLLBACK")
    blocker.close()
    await asyncio.gather(*map(work.commit, units))


async def test_an_episode_ends_once(store: Store) -> None:
    """A second ending is a Conflict, and the turn that came with it is not stored."""
    await store.commit(Unit(turns=[turn(1, 1)], endings=[ending(1, 1)]))
    with pytest.raises(Conflict):
        await store.commit(Unit(turns=[turn(1, 2)], endings=[ending(1, 2)]))
    assert store.reads.turns(1) == [turn(1, 1)]


async def test_a_lost_claim_undoes_its_unit_alone(store: Store) -> None:
    """A unit whose claim is not held stores nothing. Its neighbour in the group is stored."""
    stale = Claim(1, 1, 0, "nobody", 1)
    results = await asyncio.gather(
        store.commit(played(1, 1, claim=stale)), store.commit(played(2, 1)), return_exceptions=True
    )
    assert [type(result) for result in results] == [Conflict, type(None)]
    assert store.reads.row_versions(1) == []
