"""Migrations, pruning, archives and copies on PostgreSQL. tests/e2e/test_upkeep.py has the commands beside servers."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from env_server.records import StorageUnavailable, Store
from env_server.records.archive.write import Archiving
from env_server.records.engine import make_engine
from env_server.records.migrations import config, everything, pending, upgrade
from env_server.records.tables import metadata
from env_server.records.upkeep.prune import Pruning
from env_server.records.upkeep.transfer import NotEmpty, copy_all
from tests.e2e.databases import address_of
from tests.records.samples import played
from tests.records.upkeep.history import NAMES, closed_before, fill, of_episodes, rows_of, stored

pytestmark = pytest.mark.postgres


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The address of an empty database on the server of this tier."""
    url = address_of(tmp_path / "upkeep.db")
    assert url.startswith("postgresql")
    return url


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """An open store."""
    store = Store.open(url)
    yield store
    await store.close()


@pytest.mark.parametrize("revision", [one.revision for one in everything()])
def test_a_database_of_each_older_schema_is_upgraded(url: str, revision: str) -> None:
    """It gets exactly the declared tables, and keeps its rows."""
    engine = make_engine(url)
    with engine.begin() as connection:
        command.upgrade(config(connection), revision)
        connection.execute(text("INSERT INTO secrets VALUES ('n', 'v')"))
    assert [one.revision for one in pending(engine)] == [m.revision for m in everything() if m.revision > revision]
    upgrade(engine)
    assert pending(engine) == []
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert connection.execute(text("SELECT value FROM secrets")).scalar() == "v"


async def test_turns_are_committed_while_episodes_are_archived_and_pruned(
    store: Store, url: str, tmp_path: Path
) -> None:
    """No turn is lost, exactly the closed episodes go, and all of them are in the archive."""
    await fill(store, 1, episodes=300)
    rows = rows_of(url)
    gone = closed_before(rows, 1e9)

    def look_after() -> None:
        done = Archiving(make_engine(url), tmp_path, 1e9).run()
        Pruning(make_engine(url), 1e9, NAMES, archived_in=done.files).run()

    work, turns, live = asyncio.create_task(asyncio.to_thread(look_after)), 0, 100_000
    while not work.done():
        turns += 1
        await store.commit(played(live, turns))
    await work
    assert turns > 6
    assert [row.turn for row in store.reads.turns(live)] == [*range(1, turns + 1)]
    left = dict(of_episodes(rows_of(url), stored(rows)))
    assert {row[0] for row in left.pop("archived")} == gone
    expected = dict(of_episodes(rows, stored(rows) - gone))
    assert left == {name: expected[name] for name in left}


async def test_a_copy_to_sqlite_and_back_is_equal(store: Store, url: str, tmp_path: Path) -> None:
    """Every row of every table is equal, new rows get new numbers, and a target with rows is refused."""
    await fill(store, 2)
    here, between, there = url, f"sqlite:///{tmp_path / 'between.db'}", address_of(tmp_path / "there.db")
    for target in (between, there):
        upgrade(make_engine(target))
    rows = rows_of(here)
    copy_all(make_engine(here), make_engine(between))
    copy_all(make_engine(between), make_engine(there))
    assert rows_of(between) == rows
    assert rows_of(there) == rows
    with pytest.raises(NotEmpty):
        copy_all(make_engine(between), make_engine(there))
    copied = Store.open(there)
    await copied.commit(played(100_000, 1))
    assert [row.turn for row in copied.reads.turns(100_000)] == [1]
    await copied.close()


async def test_a_store_that_only_reads(url: str, store: Store) -> None:
    """It reads what the other store has committed, and the database refuses its writes."""
    await store.memos.keep("kind", "name", "text")
    other = Store.open_read_only(url)
    assert other.memos.get("kind", "name") == "text"
    with pytest.raises(StorageUnavailable, match="read-only"):
        await other.memos.keep("kind", "another", "text")
    await other.close()
    assert store.memos.get("kind", "another") is None
