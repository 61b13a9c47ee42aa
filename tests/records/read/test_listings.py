from env_server.records import EpisodeFilter, EpisodeRow, HistoryCopy, IdleEpisode, Store, Unit
from tests.records.samples import ending, episode, played, put_pack, row, turn


def _ids(store: Store, wanted: EpisodeFilter) -> list[int]:
    return [line.episode.id for line in store.listings.episodes(wanted).episodes]


async def test_filters_narrow_the_list(store: Store) -> None:
    """Each filter narrows the list, alone and with others; the newest comes first; the domain is that of the pack."""
    retail, airline = await put_pack(store, "retail"), await put_pack(store, "airline")
    rows = [episode(1, run="a", group="g", pack=retail), episode(2, run="a", pack=airline), episode(3, pack=airline)]
    await store.commit(Unit(episodes=rows, endings=[ending(2, 4)]))
    assert _ids(store, EpisodeFilter()) == [3, 2, 1]
    assert _ids(store, EpisodeFilter(run="a")) == [2, 1]
    assert _ids(store, EpisodeFilter(group_id="g")) == [1]
    assert _ids(store, EpisodeFilter(domain="airline")) == [3, 2]
    assert _ids(store, EpisodeFilter(done=True)) == [2]
    assert _ids(store, EpisodeFilter(domain="airline", done=False)) == [3]


async def test_a_line_says_how_far_and_how_it_ended(store: Store) -> None:
    """A line has the last turn, the ending, and the names behind the keys."""
    pack = await put_pack(store)
    await store.commit(Unit(episodes=[episode(1, pack=pack)], turns=[turn(1, 1), turn(1, 2)], endings=[ending(1, 2)]))
    await store.commit(Unit(episodes=[episode(2, pack=pack)]))
    new, old = store.listings.episodes().episodes
    assert old[1:] == ("retail", "builtin", "task-1", 2, "completed", 1.0, True)
    assert new[1:] == ("retail", "builtin", "task-1", 0, None, None, None)


async def test_pages_join_without_gap(store: Store) -> None:
    """Following `before` visits every episode once; the total does not depend on the page."""
    pack = await put_pack(store)
    await store.commit(Unit(episodes=[episode(id, pack=pack) for id in range(1, 8)]))
    seen: list[int] = []
    while (page := store.listings.episodes(limit=3, before=seen[-1] if seen else None)).episodes:
        assert page.total == 7
        seen += [line.episode.id for line in page.episodes]
    assert seen == [7, 6, 5, 4, 3, 2, 1]


async def test_idle_episodes_are_live_and_silent(store: Store) -> None:
    """An episode is idle since its last turn or, without one, since its start; an ended one is never idle."""
    rows = [episode(id) for id in (1, 2, 3)]
    await store.commit(Unit(episodes=rows, turns=[turn(2, 5), turn(3, 1)], endings=[ending(3, 1)]))
    assert store.listings.unfinished_idle(before=10.0) == []
    assert store.listings.unfinished_idle(before=50.0) == [IdleEpisode(1, "ep-1", 10.0)]
    assert store.listings.unfinished_idle(before=106.0) == [IdleEpisode(1, "ep-1", 10.0), IdleEpisode(2, "ep-2", 105.0)]
    assert len(store.listings.unfinished_idle(before=106.0, limit=1)) == 1


async def test_a_fork_copies_history_up_to_its_turn(store: Store) -> None:
    """The copy has the same turns and rows in the same order under its own key; the source is untouched."""
    for number in (1, 2, 3):
        await store.commit(played(1, number))
    fork = EpisodeRow(9, "fork", 1, 1, None, None, None, 1, 2, "trainer", 0, "{}", 500.0)
    await store.commit(Unit(episodes=[fork], copies=[HistoryCopy(src=1, dst=9, turn=2, part=1, seq=9)]))
    reads = store.reads
    assert reads.episode(9) == fork
    assert reads.turns(9) == [part._replace(episode=9) for part in reads.turns(1, upto=2)]
    assert reads.row_versions(9) == [version._replace(episode=9) for version in reads.row_versions(1, upto=2)]
    assert [version.turn for version in reads.row_versions(1)] == [1, 1, 2, 2, 3, 3]
    await store.commit(Unit(turns=[turn(9, 3)], rows=[row(9, 3, "#A", "{}")]))
    assert [part.turn for part in reads.turns(9)] == [1, 2, 3]


async def test_ids_are_consecutive_and_never_given_twice(store: Store, url: str) -> None:
    """Requests of two stores, small and large, never get the same id."""
    other = Store.open(url)
    taken = [await s.episode_ids(count) for s in (store, other) for count in (1, 999, 5, 2_500, 1)]
    await other.close()
    assert [len(ids) for ids in taken] == [1, 999, 5, 2_500, 1] * 2
    flat = [id for ids in taken for id in ids]
    assert len(set(flat)) == len(flat)
    assert min(flat) == 1
