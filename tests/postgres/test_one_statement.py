"""Groups of ordinary units on PostgreSQL, each of which is one statement that the database commits by itself."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from sqlalchemy import Connection

from env_server.records import AGENT, Conflict, EffectRow, Ending, KeyRow, MemoRow, Store, Unit
from env_server.records.driver import insert_many
from env_server.records.engine import make_engine
from env_server.records.statements import prepare_inserts
from env_server.records.write.one_statement import OneStatement
from tests.e2e.databases import address_of
from tests.records.samples import ending, episode, played, row, turn

pytestmark = pytest.mark.postgres

ODD = ['"', "\\", '\\"', "{}", "{a,b}", "é\u2028😀", "\n\t\x7f", "", "null", "\\u0000", "'; --", "%s"]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An open store on the server of this tier."""
    store = Store.open(address_of(tmp_path / "statement.db"))
    yield store
    await store.close()


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of units in each group that was one statement."""
    sizes: list[int] = []
    commit = OneStatement.commit

    def counted(self: OneStatement, connection: Connection, units: Sequence[Unit]) -> None:
        sizes.append(len(units))
        commit(self, connection, units)

    monkeypatch.setattr(OneStatement, "commit", counted)
    return sizes


async def test_every_kind_of_row_comes_back_unchanged(store: Store, sent: list[int]) -> None:
    """Odd texts, missing values, large numbers and exact times are stored as they were given, in their order."""
    begun = episode(1)._replace(seed=2**62, created_at=1732658888.1234567)
    turns = [turn(1, n, action=text)._replace(reply=text, carry=text, metadata=text) for n, text in enumerate(ODD)]
    rows = [row(1, n, text, text) for n, text in enumerate(ODD)] + [row(1, 0, "#gone", None)]
    end = Ending(1, 11, "closed", None, False, 0.1 + 0.2)
    key = KeyRow("scope", '"', "digest", "\\", 2.5)
    effect = EffectRow(1, 3, 0, 0, "mail", "send", "digest", "write", '{"a":"\\""}', 7.25)
    await store.commit(
        Unit(episodes=[begun], turns=turns, rows=rows, endings=[end], keys=[key], effects=[effect]),
    )
    assert sent == [1]
    assert store.reads.episode(1) == begun
    assert store.reads.turns(1) == turns
    assert [(one.key, one.row) for one in store.reads.row_versions(1)] == [(one.key, one.row) for one in rows]
    assert store.reads.ending(1) == end
    assert store.reads.key("scope", '"') == key
    assert store.reads.effects(1, 3) == [effect]


async def test_a_group_is_one_statement(store: Store, sent: list[int]) -> None:
    """Units that wait for the same commit share a statement. Units with memos keep their transaction."""
    await asyncio.gather(*(store.commit(played(n, 1)) for n in range(50)))
    assert sum(sent) == 50
    assert len(sent) <= 2
    sent.clear()
    await store.commit(Unit(turns=[turn(1, 2)], memos=[MemoRow("answer", "digest", "text", 1.0)]))
    assert sent == []
    assert all(store.reads.turn(1, n, AGENT) for n in (1, 2))


async def test_a_conflict_hits_the_loser_alone(store: Store) -> None:
    """In a group with a turn that is taken, that unit raises Conflict and stores nothing. The others are stored."""
    await store.commit(played(1, 1))
    loser = Unit(episodes=[episode(77)], turns=[turn(1, 1)], endings=[ending(77, 1)])
    results = await asyncio.gather(
        store.commit(played(2, 1)), store.commit(loser), store.commit(played(3, 1)), return_exceptions=True
    )
    assert [type(result) for result in results] == [type(None), Conflict, type(None)]
    assert store.reads.episode(77) is None
    assert store.reads.ending(77) is None
    assert all(store.reads.last_turn(n) for n in (2, 3))


async def test_of_two_stores_that_commit_the_same_turns_one_wins_each(store: Store, tmp_path: Path) -> None:
    """Two writers race for the same turns in groups: each turn is stored once, with all of its rows or none."""
    other = Store(make_engine(address_of(tmp_path / "statement.db")), threaded=True)
    try:
        for turn_number in range(1, 20):
            results = await asyncio.gather(
                *(one.commit(played(n, turn_number)) for n in range(6) for one in (store, other)),
                return_exceptions=True,
            )
            assert sum(result is None for result in results) == 6
            assert sum(isinstance(result, Conflict) for result in results) == 6
        assert all(len(store.reads.row_versions(n)) == 2 * 19 for n in range(6))
    finally:
        await other.close()


async def test_a_transaction_of_another_server_is_no_deadlock(store: Store, tmp_path: Path) -> None:
    """If another server commits the same turn and ending in a transaction, this one waits for it and gets Conflict."""
    await store.commit(Unit(episodes=[episode(1)], turns=[turn(1, 0)]))
    engine = make_engine(address_of(tmp_path / "statement.db"))
    sql = prepare_inserts(engine.dialect)
    with engine.connect() as other, other.begin():
        insert_many(other, sql.turns, [turn(1, 1)])
        waiting = asyncio.create_task(store.commit(Unit(turns=[turn(1, 1)], endings=[ending(1, 1)])))
        await asyncio.to_thread(_wait_for_a_lock, other)
        await asyncio.to_thread(insert_many, other, sql.endings, [ending(1, 1)])
    with pytest.raises(Conflict):
        await waiting


def _wait_for_a_lock(connection: Connection) -> None:
    """Wait until some statement of the database waits for a lock."""
    sql = "SELECT 1 FROM pg_locks WHERE NOT granted"
    while connection.exec_driver_sql(sql).first() is None:
        time.sleep(0.01)
