"""Sums over the episodes of a run, computed in SQL."""

from env_server.records import Ending, EpisodeRow, Result, Store, Unit
from env_server.records.read.runs import AlikeTasks, Period, Stop
from tests.records.samples import episode, put_pack, turn


def ended(id: int, reward: float | None, turns: int = 3, stop: str = "user_stop") -> Ending:
    """The ending of an episode; without a reward it is not scored."""
    return Ending(id, turns, stop, reward, reward is not None, 100.0 + id)


async def fill(store: Store) -> None:
    """Run `a` has five episodes of two tasks, one of them not scored, one open, and a fork; run `b` has one."""
    pack = await put_pack(store)
    rows = [episode(id, run="a", pack=pack) for id in range(1, 6)]
    rows += [episode(6, run="b", pack=pack), episode(7, pack=pack)]
    rows[2] = rows[2]._replace(task=2)
    fork = EpisodeRow(8, "ep-8", pack, 1, "a", None, None, 1, 1, "trainer", 0, "{}", 10.0)
    endings = [ended(1, 1.0), ended(2, 0.5), ended(3, 0.0, 5, "max_turns"), ended(4, None), ended(8, 1.0)]
    await store.commit(Unit(episodes=[*rows, fork], endings=endings))


async def test_the_names_of_runs_newest_first(store: Store) -> None:
    """Each run once, by its newest episode; without runs, none."""
    assert store.runs.names(9) == []
    await fill(store)
    assert store.runs.names(9) == ["a", "b"]
    await store.commit(Unit(episodes=[episode(9, run="b")]))
    assert store.runs.names(9) == ["b", "a"]
    assert store.runs.names(1) == ["b"]


async def test_episodes_are_counted_without_forks(store: Store) -> None:
    """A run has counts of its ended, scored and solved episodes; an unknown run has none."""
    await fill(store)
    found = store.runs.count("a")
    assert found is not None
    assert tuple(found) == ("train", 5, 4, 3, 1, 10.0, 104.0)
    assert store.runs.count("nowhere") is None


async def test_tasks_are_counted_by_their_trials(store: Store) -> None:
    """Task 1 has two scored trials of which one is solved, task 2 one that is not."""
    await fill(store)
    assert store.runs.alike("a") == [AlikeTasks(1, 0, 1, 0.0, 0.0), AlikeTasks(2, 1, 1, 0.75, 0.5625)]


async def test_periods_follow_the_ends_of_episodes(store: Store) -> None:
    """Periods have as many episodes each, and the mean of their rewards."""
    await fill(store)
    assert store.runs.periods("a", 2) == [Period(2, 0.75, 0.5), Period(1, 0.0, 0.0)]
    assert len(store.runs.periods("a", 24)) == 3
    assert store.runs.periods("b", 24) == []


async def test_stops(store: Store) -> None:
    """Each pair of stop reason and length has its number of episodes."""
    await fill(store)
    assert store.runs.stops("a") == [Stop("max_turns", 5, 1, 0), Stop("user_stop", 3, 3, 1)]


async def test_trials_by_task(store: Store) -> None:
    """Each task has its names and trials; there are at most as many tasks as asked for."""
    await fill(store)
    assert [tuple(found) for found in store.runs.trials("a", 9)] == [("retail", "builtin", "task-1", 2, 1, 1.5)]
    assert store.runs.trials("a", 0) == []


async def test_episodes_by_outcome(store: Store) -> None:
    """Each outcome selects its episodes, newest first."""
    await fill(store)

    def ids(outcome: str | None, **more: int) -> list[int]:
        return [row.id for row in store.runs.newest("a", 9, outcome=outcome, **more)]

    assert ids(None) == [5, 4, 3, 2, 1]
    assert [ids(name) for name in ("failed", "solved", "not scored", "open")] == [[3, 2], [1], [4], [5]]
    assert ids("failed", before=3) == [2]


async def test_search_goes_from_window_to_window(store: Store) -> None:
    """The text is found literally, wildcards too, and only within a window; the next window begins at its edge."""
    pack = await put_pack(store)
    rows = [episode(id, run="a" if id < 5 else "b", pack=pack) for id in range(1, 6)]
    texts = {1: "100% Sure", 2: "1000 sure", 3: "a_b", 4: "nothing", 5: "100% sure"}
    await store.commit(Unit(episodes=rows, turns=[turn(id, 1, action=text) for id, text in texts.items()]))

    def found(run: str | None, text: str, before: int | None = None) -> list[int]:
        return [match.episode for match in store.runs.search(run, text, window=2, limit=9, before=before)]

    assert found(None, "100% SURE") == [5]
    assert found("a", "a_b") == [3]
    edge = store.runs.edge("a", window=2, before=None)
    assert edge == 3
    assert found("a", "100% sure", edge) == [1]
    assert store.runs.edge("a", window=2, before=edge) is None
    assert found("a", "a%b") == []


async def test_the_newest_results(store: Store) -> None:
    """The results of the run, the newest first, and no more than asked for."""
    for task in ("b", "a", "c"):
        await store.memos.put_result("run", Result(task, 0, "{}"))
    await store.memos.put_result("other", Result("d", 0, "{}"))
    assert [found.task_id for found in store.memos.newest_results("run", 2)] == ["c", "a"]


async def test_places_are_the_packs_of_episodes(store: Store) -> None:
    """Each run has its domains and packs, once; an unknown run has none."""
    await fill(store)
    found = store.runs.places(["a", "b", "nowhere"])
    assert found["a"] == found["b"] == [("retail", "builtin")]
    assert found["nowhere"] == []
