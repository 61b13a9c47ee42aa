import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from env_server.records import (
    AGENT,
    USER,
    KeyRow,
    RowVersion,
    StorageUnavailable,
    Store,
    TurnRow,
    Unit,
)
from tests.records.samples import ending, episode, played, row, turn


async def test_what_is_committed_is_read_back(store: Store) -> None:
    """Every kind of row in a unit is read back unchanged, by each of its keys."""
    first = episode(1, run="r", group="g")
    key = KeyRow("trainer", "k", "digest", '{"a": 1}', 5.0)
    await store.commit(
        Unit(episodes=[first], turns=[turn(1, 1)], rows=[row(1, 1, "#A", "{}")], endings=[ending(1, 1)], keys=[key])
    )
    reads = store.reads
    assert reads.episode(1) == first
    assert reads.episode_by_id("ep-1") == first
    assert reads.turn(1, 1, AGENT) == turn(1, 1)
    assert reads.row_versions(1) == [row(1, 1, "#A", "{}")]
    assert reads.ending(1) == ending(1, 1)
    assert reads.key("trainer", "k") == key


async def test_what_is_absent_is_none(store: Store) -> None:
    """A key that was never committed reads as None or empty."""
    reads = store.reads
    found = [reads.episode(1), reads.episode_by_id("x"), reads.last_turn(1), reads.turn(1, 1, 0), reads.ending(1)]
    assert found == [None] * 5
    assert reads.key("s", "k") is None
    assert reads.turns(1) == []
    assert reads.row_versions(1) == []


async def test_a_callers_newest_is_the_one_begun_last(store: Store) -> None:
    """The newest is the one with the latest begin; for equal times, the larger id.

    Ids alone do not follow the clock.
    """
    begun = [episode(1)._replace(created_at=30.0), episode(2)._replace(created_at=30.0), episode(1_001)]
    await store.commit(Unit(episodes=[*begun, episode(3)._replace(created_at=40.0, caller="other")]))
    assert store.reads.latest("trainer") == "ep-2"


async def test_turns_come_in_the_order_they_were_played(store: Store) -> None:
    """Turns are ordered by turn, part and seq; bounds are inclusive; the last one is the newest."""
    played_parts = [turn(1, 0, part=USER), turn(1, 1), turn(1, 1, part=USER), turn(1, 1, part=USER, seq=1), turn(1, 2)]
    for part in played_parts:
        await store.commit(Unit(turns=[part]))
    await store.commit(Unit(turns=[turn(2, 9)]))
    assert store.reads.turns(1) == played_parts
    assert store.reads.turns(1, first=1, upto=1) == played_parts[1:4]
    assert newest(store) == (2, AGENT, 0, "carry 2")


def newest(store: Store) -> tuple[object, ...]:
    """The newest part of episode 1, without its time."""
    found = store.reads.last_turn(1)
    assert found is not None
    assert found.at > 0
    return found[:4]


async def test_row_versions_come_in_commit_order(store: Store) -> None:
    """The newest version of a row comes last, and `upto` ends after a whole turn."""
    for number in (1, 2, 3):
        await store.commit(played(1, number))
    assert [version.turn for version in store.reads.row_versions(1)] == [1, 1, 2, 2, 3, 3]
    assert [version.row for version in store.reads.row_versions(1, upto=1)] == ['"1"', None]


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(text=TEXT, value=st.none() | TEXT, at=st.floats(allow_nan=False), part=st.integers(0, 2**62))
async def test_text_and_numbers_survive_unchanged(
    store: Store, text: str, value: str | None, at: float, part: int
) -> None:
    """Any text without surrogates and NUL, any large integer and any float are read back unchanged."""
    [id] = await store.episode_ids()
    stored, version = TurnRow(id, 1, part, 0, text, text, text, value, at), RowVersion(id, 1, 0, 0, text, text, value)
    await store.commit(Unit(turns=[stored], rows=[version]))
    assert store.reads.turn(id, 1, part) == stored
    assert store.reads.row_versions(id) == [version]


async def test_reads_see_the_commits_of_another_store(store: Store, url: str) -> None:
    """A connection that has read before sees the later commits of another process."""
    assert store.reads.last_turn(1) is None
    other = Store.open(url)
    await other.commit(played(1, 1))
    await other.close()
    assert newest(store) == (1, AGENT, 0, "carry 1")


async def test_an_unreadable_database_is_an_outage(store: Store, tmp_path: Path) -> None:
    """A failing read is StorageUnavailable, not a driver's error."""
    with sqlite3.connect(tmp_path / "records.db") as connection:
        connection.execute("DROP TABLE endings")
    connection.close()
    with pytest.raises(StorageUnavailable, match="endings"):
        store.reads.ending(1)


async def test_connections_that_gave_their_memory_back_go_on(store: Store) -> None:
    """Reads and commits after `shrink` see the earlier commits."""
    await store.commit(Unit(episodes=[episode(1)], turns=[turn(1, 1)]))
    assert store.reads.episode(1) == episode(1)
    await store.shrink()
    await store.commit(Unit(turns=[turn(1, 2)]))
    assert store.reads.turns(1) == [turn(1, 1), turn(1, 2)]
