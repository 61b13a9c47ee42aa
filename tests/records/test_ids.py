"""Ids of episodes: unique among processes, and in the order of time within a second."""

import pytest

from env_server.records import Store, ids


async def test_ids_of_two_processes_are_distinct(url: str) -> None:
    """Two stores on one database never take the same id, whatever the counts."""
    one, two = Store.open(url), Store.open(url)
    taken = [id for store in (one, two, one, two) for count in (1, 1_500, 7) for id in await store.episode_ids(count)]
    assert len(taken) == len(set(taken))
    await one.close()
    await two.close()


@pytest.mark.parametrize("fresh_s", [60.0, 0.0])
async def test_only_a_fresh_block_is_used(url: str, monkeypatch: pytest.MonkeyPatch, fresh_s: float) -> None:
    """A process with an old block of ids takes ids above those that another process has taken since."""
    monkeypatch.setattr(ids, "FRESH_S", fresh_s)
    one, two = Store.open(url), Store.open(url)
    first, other, second = [(await store.episode_ids())[0] for store in (one, two, one)]
    assert first < other
    assert (second > other) == (fresh_s == 0)
    await one.close()
    await two.close()
