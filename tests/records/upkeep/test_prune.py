"""Pruning: the rows that are deleted, those that stay, and concurrent writers."""

import asyncio
from itertools import count

import pytest

from env_server.records import AGENT, Conflict, HistoryCopy, Store, Unit
from env_server.records.engine import make_engine
from env_server.records.upkeep.prune import BATCH, Pruned, Pruning
from tests.records.samples import episode, played
from tests.records.upkeep.history import NAMES, closed_before, fill, of_episodes, rows_of, stored, unit

NUMBERS = {"episodes": "episodes", "turns": "turns", "rows": "row_versions", "effects": "effects", "keys": "keys"}


@pytest.mark.parametrize("seed", range(3))
async def test_exactly_the_closed_old_episodes_go(store: Store, url: str, seed: int) -> None:
    """All other rows stay; a dry run changes nothing and prints the same numbers; a second run finds none.

    A key that began several episodes stays as long as one of them does.
    """
    await fill(store, seed)
    before, rows = 106.0, rows_of(url)
    gone = closed_before(rows, before)
    assert BATCH / 2 < len(gone) < len(closed_before(rows, 1e9)) < len(stored(rows))
    pruning = Pruning(make_engine(url), before, NAMES)
    would = pruning.run(dry=True)
    assert rows_of(url) == rows
    assert pruning.run() == would
    left = rows_of(url)
    assert left == dict(of_episodes(rows, stored(rows) - gone))
    assert would._asdict() == {kind: len(rows[name]) - len(left[name]) for kind, name in NUMBERS.items()}
    assert pruning.run() == Pruned()


async def test_an_interrupted_run_leaves_whole_episodes(
    store: Store, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an interruption each episode is there as a whole or not at all; the next run deletes the rest."""
    await fill(store, 7, episodes=4 * BATCH)
    rows = rows_of(url)
    wanted = dict(of_episodes(rows, stored(rows) - closed_before(rows, 1e9)))
    pauses = count()

    def interrupted(_: float) -> None:
        if next(pauses) == 1:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("env_server.records.upkeep.prune.time.sleep", interrupted)
        with pytest.raises(KeyboardInterrupt):
            Pruning(make_engine(url), 1e9, NAMES).run()
    left = rows_of(url)
    assert len(stored(rows)) - len(stored(left)) == 2 * BATCH
    expected = dict(of_episodes(rows, stored(left)))
    assert {name: found for name, found in left.items() if name != "keys"} == {
        name: found for name, found in expected.items() if name != "keys"
    }
    Pruning(make_engine(url), 1e9, NAMES).run()
    assert rows_of(url) == wanted


async def test_a_server_commits_meanwhile(store: Store, url: str) -> None:
    """Turns of a live episode are committed while old episodes are deleted, and none of them is lost."""
    await fill(store, 1, episodes=12 * BATCH)
    live = 100_000
    pruning = asyncio.create_task(asyncio.to_thread(Pruning(make_engine(url), 1e9, NAMES).run))
    turns = 0
    while not pruning.done():
        turns += 1
        await store.commit(played(live, turns))
        await asyncio.sleep(0)
    assert (await pruning).episodes > 6 * BATCH
    assert turns > 6
    assert [row.turn for row in store.reads.turns(live)] == [*range(1, turns + 1)]


async def test_a_copy_of_a_pruned_episode_is_not_committed(store: Store, url: str) -> None:
    """If a fork's parent is pruned while the fork is made, the fork is a conflict, and not an episode without turns."""
    await store.commit(unit(1, turns=3, closed=True))
    await store.commit(Unit(episodes=[episode(2)], copies=[HistoryCopy(1, 2, 2, AGENT, 0)]))
    Pruning(make_engine(url), 1e9, NAMES).run()
    with pytest.raises(Conflict):
        await store.commit(Unit(episodes=[episode(3)], copies=[HistoryCopy(1, 3, 2, AGENT, 0)]))
    assert (store.reads.episode(3), [row.turn for row in store.reads.turns(2)]) == (None, [1, 2])
    assert len(store.reads.row_versions(2)) == 4
