"""Copies of whole databases. tests/e2e/test_upkeep.py copies between kinds of databases and goes on playing."""

from pathlib import Path

import pytest
from sqlalchemy import Connection, event, text

from env_server.records import Store
from env_server.records.engine import make_engine
from env_server.records.migrations import upgrade
from env_server.records.upkeep import transfer
from env_server.records.upkeep.transfer import NotEmpty, NotEqual, copy_all
from tests.records.samples import played
from tests.records.upkeep.history import fill, rows_of


@pytest.fixture
def other(tmp_path: Path) -> str:
    """The address of an empty database with the newest schema."""
    url = f"sqlite:///{tmp_path / 'other.db'}"
    upgrade(make_engine(url))
    return url


async def test_every_row_is_copied(store: Store, url: str, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All rows of all tables are equal, over many pages; the printed numbers are right; the copy can be written to."""
    monkeypatch.setattr(transfer, "BATCH", 7)
    await fill(store, 1)
    await store.secret("token", lambda: "s")
    await store.beat("p", 1.0, 2.5)
    rows = rows_of(url)
    assert copy_all(make_engine(url), make_engine(other)) == {name: len(found) for name, found in rows.items()}
    assert rows_of(other) == rows == rows_of(url)
    copied = Store.open(other)
    await copied.commit(played(100_000, 1))
    assert (await copied.episode_ids())[0] == (await store.episode_ids())[0]
    await copied.close()


async def test_a_target_with_rows_is_refused(store: Store, url: str, other: str) -> None:
    """A database that was ever used, and the source itself, are refused as a target and stay unchanged."""
    await fill(store, 2, episodes=5)
    used = Store.open(other)
    await used.secret("token", lambda: "s")
    await used.close()
    before = rows_of(other)
    with pytest.raises(NotEmpty, match=r"it has rows in secrets$"):
        copy_all(make_engine(url), make_engine(other))
    assert rows_of(other) == before
    with pytest.raises(NotEmpty, match="episodes"):
        copy_all(make_engine(url), make_engine(url))


async def test_the_copy_is_of_one_moment(store: Store, url: str, other: str) -> None:
    """The copy does not have turns that are committed meanwhile, and the server does not wait."""
    await fill(store, 3, episodes=20)
    before, target, turns = rows_of(url), make_engine(other), []
    beside = make_engine(url)

    def commit_beside(*_: object) -> None:
        with beside.begin() as connection:
            turns.append(connection.execute(text("INSERT INTO secrets VALUES ('n' || random(), 'v')")))

    event.listen(target, "after_cursor_execute", commit_beside)
    copy_all(make_engine(url), target)
    assert len(turns) > 10
    assert rows_of(other) == before
    assert len(rows_of(url)["secrets"]) == len(turns)


async def test_a_row_that_changes_on_its_way_is_found(store: Store, url: str, other: str) -> None:
    """If the target stores another value than it was given, the copy fails and the target stays empty."""
    await fill(store, 4, episodes=20)
    target = make_engine(other)

    def spoil(connection: Connection, *_: object) -> None:
        connection.exec_driver_sql("UPDATE endings SET reward = 2 WHERE episode = (SELECT min(episode) FROM endings)")

    event.listen(target, "before_execute", spoil)
    with pytest.raises(NotEqual, match="the copied rows of endings differ"):
        copy_all(make_engine(url), target)
    assert not any(rows_of(other).values())
