"""Looks on PostgreSQL, where one statement answers all callers that wait for the same commit."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from env_server.records import AGENT, Conflict, Store, Unit
from tests.e2e.databases import address_of
from tests.records.samples import ending, episode, played, turn

pytestmark = pytest.mark.postgres


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An open store on the server of this tier."""
    store = Store.open(address_of(tmp_path / "looks.db"))
    yield store
    await store.close()


async def test_many_callers_are_answered_by_one_statement(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each gets the answer to its own key, beside commits that succeed and one that fails."""
    numbers = range(1, 21)
    await store.commit(Unit(episodes=[episode(n) for n in numbers], turns=[turn(n, 0) for n in numbers]))
    await asyncio.gather(*(store.commit(played(n, 1)) for n in numbers))
    await store.commit(Unit(turns=[turn(7, 2)], endings=[ending(7, 2)]))
    statements: list[str] = []
    plain = store._lookers.plain

    def counted(text: str, values: tuple[object, ...]) -> Sequence[tuple[Any, ...]]:
        statements.append(text)
        return plain(text, values)

    monkeypatch.setattr(store._lookers, "plain", counted)
    news, standings, outcomes = await asyncio.gather(
        asyncio.gather(*(store.news(n, 0, AGENT, 0) for n in [*numbers, 99, 7])),
        asyncio.gather(*(store.standing(f"ep-{n}") for n in [*numbers, 99])),
        asyncio.gather(*(store.commit(played(n, 1)) for n in (3, 50)), return_exceptions=True),
    )
    assert len(statements) <= 3 * 2, "one for news and two for standings, in at most two groups"
    assert news[-2] is None
    assert standings[-1] is None
    assert news[-1] == news[6]
    for n, one, whole in zip(numbers, news, standings, strict=False):
        assert one is not None
        assert whole is not None
        assert (one.last, whole.last) == (store.reads.last_turn(n),) * 2
        assert (one.rows, whole.rows) == (store.reads.row_versions(n),) * 2
        assert (one.ending, whole.ending) == (store.reads.ending(n),) * 2
        assert whole.episode == store.reads.episode(n)
    assert isinstance(outcomes[0], Conflict)
    assert outcomes[1] is None


async def test_a_look_reads_no_whole_table(store: Store) -> None:
    """Without statistics, and in tables so small that PostgreSQL would read them whole, looks go by the indexes."""
    await store.commit(Unit(episodes=[episode(n) for n in range(40)], turns=[turn(n, 0) for n in range(40)]))
    await asyncio.gather(*(store.commit(played(n, 1)) for n in range(40)))
    assert await store.news(7, 0, AGENT, 0) is not None
    assert await store.standing("ep-7") is not None
    assert await store.turn("ep-7", 1, AGENT) is not None
    connection = store._lookers._idle[0].connection.driver_connection
    assert connection is not None
    for texts in store._looks._texts.values():
        for text in texts:
            cursor = connection.cursor()
            cursor.execute(f"EXPLAIN (GENERIC_PLAN) {_numbered(text.sql)}")
            plan = "\n".join(line for (line,) in cursor.fetchall())
            assert "Seq Scan" not in plan, plan
            assert "Index" in plan


def _numbered(sql: str) -> str:
    """Return a statement with PostgreSQL's own placeholders."""
    parts = sql.split("%s")
    return "".join(f"{part}${number}" for number, part in enumerate(parts[:-1], 1)) + parts[-1]
