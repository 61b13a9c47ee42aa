"""Looks: reads for one caller, and combined reads for many."""

import pytest

from env_server.records import AGENT, USER, Ending, Store, Unit
from tests.records.samples import ending, episode, played, row, turn


async def test_news_are_what_was_committed_after_a_part(store: Store) -> None:
    """The newest part, the row versions after the known one in commit order, and the ending."""
    await store.commit(Unit(episodes=[episode(1)], turns=[turn(1, 0)], rows=[row(1, 0, "#0", "{}")]))
    for number in (1, 2, 3):
        await store.commit(played(1, number))
    found = await store.news(1, 1, AGENT, 0)
    assert found is not None
    assert found.last == store.reads.last_turn(1)
    assert found.rows == store.reads.row_versions(1)[3:]
    assert found.ending is None
    await store.commit(Unit(turns=[turn(1, 3, part=USER)], endings=[ending(1, 3)]))
    closed = await store.news(1, 3, AGENT, 0)
    assert closed is not None
    assert (closed.last[:3], closed.rows, closed.ending) == ((3, USER, 0), [], ending(1, 3))
    assert isinstance(closed.ending, Ending)
    assert closed.ending.scored is True


async def test_nothing_new_is_the_known_part(store: Store) -> None:
    """Row versions of the known part do not come again. A part that is not in the database has no news."""
    await store.commit(played(1, 1))
    found = await store.news(1, 1, AGENT, 0)
    assert found is not None
    assert (found.last[:3], found.rows) == ((1, AGENT, 0), [])
    assert await store.news(1, 2, AGENT, 0) is None
    assert await store.news(2, 0, AGENT, 0) is None


async def test_where_an_episode_stands(store: Store) -> None:
    """Episode, newest part, row versions and ending equal those of the single reads."""
    await store.commit(Unit(episodes=[episode(1), episode(2)], turns=[turn(1, 0), turn(2, 0)]))
    await store.commit(played(1, 1))
    await store.commit(played(2, 1))
    await store.commit(Unit(turns=[turn(1, 1, part=USER)], endings=[ending(1, 1)]))
    found = await store.standing("ep-1")
    assert found is not None
    assert found.episode == store.reads.episode(1)
    assert found.last == store.reads.last_turn(1)
    assert found.rows == store.reads.row_versions(1)
    assert found.ending == store.reads.ending(1)
    assert await store.standing("ep-3") is None


@pytest.mark.parametrize("part", [AGENT, USER])
async def test_a_turn_by_the_public_id(store: Store, part: int) -> None:
    """The first piece of the part, or None."""
    await store.commit(Unit(episodes=[episode(1)], turns=[turn(1, 1, part=part), turn(1, 1, part=part, seq=1)]))
    assert await store.turn("ep-1", 1, part) == turn(1, 1, part=part)
    assert await store.turn("ep-1", 2, part) is None
    assert await store.turn("ep-2", 1, part) is None
