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
    plain = store._readers.plain

    def counted(text: str, values: tuple[object, ...]) -> Sequence[tuple[Any, ...]]:
        statements.append(text)
        return plain(text, values)

    monkeypatch.setattr(store._readers, "plain", counted)
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
