"""Comparing two runs."""

from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from env_server.evals.report.compare import compare
from tests.evals.outcomes import run

Rewards = dict[str, list[float | None]]

RUNS = st.dictionaries(
    st.sampled_from("abcdefgh"), st.lists(st.none() | st.sampled_from([0.0, 1.0]), min_size=1, max_size=3), min_size=2
)


def drawn(chances: Mapping[str, float], trials: int, seed: int) -> dict[str, list[float]]:
    """A run in which each task is solved with its own probability."""
    draw = Random(seed)
    return {task: [float(draw.random() < chance) for _ in range(trials)] for task, chance in chances.items()}


ALIKE = {f"t{i:03}": 0.5 for i in range(100)}
EASY_AND_HARD = {f"t{i:03}": (0.05 if i % 2 else 0.85) for i in range(100)}


@given(RUNS)
@settings(max_examples=30)
def test_a_run_does_not_differ_from_itself(rewards: Rewards) -> None:
    """The difference and its interval are 0, and no task flipped."""
    if not any(reward is not None for of in rewards.values() for reward in of):
        with pytest.raises(LookupError):
            compare(run(rewards), run(rewards))
        return
    found = compare(run(rewards), run(rewards))
    assert (found["success"]["difference"], found["better"], found["worse"]) == (0.0, [], [])
    assert found["success"]["interval"] in ([0.0, 0.0], None)


@given(RUNS, RUNS)
@settings(max_examples=30)
def test_the_other_way_round_is_the_opposite(a: Rewards, b: Rewards) -> None:
    """Comparing b with a negates every difference and interval, and swaps better and worse tasks."""
    try:
        one = compare(run(a), run(b))
    except LookupError:
        return
    other = compare(run(b), run(a))
    assert (one["only_a"], one["only_b"], one["tasks"]) == (other["only_b"], other["only_a"], other["tasks"])
    assert [change["task_id"] for change in one["better"]] == [change["task_id"] for change in other["worse"]]
    for k, of in one["pass_hat"].items():
        assert of["difference"] == pytest.approx(-other["pass_hat"][k]["difference"])
        assert of["difference"] == pytest.approx(of["b"] - of["a"])
        if of["interval"] is not None:
            assert of["interval"] == pytest.approx([-bound for bound in other["pass_hat"][k]["interval"][::-1]])


def test_order_does_not_matter_and_chance_is_seeded() -> None:
    """The same episodes in another order give the very same result."""
    a, b = run(drawn(ALIKE, 2, 1)), run(drawn(ALIKE, 2, 2))
    first = compare(a, b)
    Random(0).shuffle(a)
    Random(1).shuffle(b)
    assert compare(a, b) == first


def test_two_runs_of_one_policy_are_not_told_apart() -> None:
    """In 40 pairs of runs with equal probabilities, few intervals exclude 0."""
    told = 0
    for seed in range(40):
        low, high = compare(run(drawn(ALIKE, 1, seed)), run(drawn(ALIKE, 1, 1000 + seed)))["success"]["interval"]
        told += not low <= 0 <= high
    assert told <= 6


def test_a_clearly_better_run_is_told_apart() -> None:
    """For a large difference the interval excludes 0, for success and for pass^k."""
    found = compare(run(drawn(ALIKE, 3, 1)), run(drawn(dict.fromkeys(ALIKE, 0.9), 3, 2)))
    assert found["success"]["interval"][0] > 0.2
    assert found["pass_hat"]["3"]["interval"][0] > 0.2
    assert len(found["better"]) > len(found["worse"])


def test_pairing_matters() -> None:
    """If tasks differ much and the runs little, only the comparison by task shows the difference."""
    harder = drawn(EASY_AND_HARD, 8, 1)
    easier = drawn({task: chance + 0.1 for task, chance in EASY_AND_HARD.items()}, 8, 2)
    names = list(easier)
    Random(3).shuffle(names)
    mixed = dict(zip(names, easier.values(), strict=True))
    paired, unpaired = (compare(run(harder), run(other))["success"] for other in (easier, mixed))
    assert paired["difference"] == pytest.approx(unpaired["difference"])
    assert paired["interval"][0] > 0 > unpaired["interval"][0]


def test_the_mean_reward_is_compared_too() -> None:
    """Partial rewards differ where success does not; each task weighs the same."""
    a, b = run({"t1": [0.2, 0.4], "t2": [0.5]}), run({"t1": [0.5], "t2": [0.5, 0.9]})
    found = compare(a, b)
    assert found["success"]["difference"] == 0.0
    assert (found["reward"]["a"], found["reward"]["b"]) == (pytest.approx(0.4), pytest.approx(0.6))
    assert found["reward"]["difference"] == pytest.approx(0.2)
    assert found["reward"]["interval"] == pytest.approx([0.2, 0.2])
    assert found["reward"]["tasks"] == 2


@pytest.mark.parametrize(("changed", "winner"), [(0, None), (5, None), (6, "b"), (30, "b")])
def test_a_handful_of_tasks_makes_no_winner(changed: int, winner: str | None) -> None:
    """With too few differing tasks no run is called better, in either order and however narrow the interval."""
    a = run({f"t{i:02}": [0.0] for i in range(40)})
    b = run({f"t{i:02}": [float(i < changed)] for i in range(40)})
    assert compare(a, b)["winner"] == winner
    assert compare(b, a)["winner"] == (winner and "a")


def test_only_common_tasks_count() -> None:
    """Tasks that are in one run only, or scored in one only, are left out and counted."""
    a: Rewards = {"both": [1.0], "mine": [1.0], "unscored": [1.0]}
    b: Rewards = {"both": [0.0], "yours": [1.0], "other": [1.0], "unscored": [None]}
    found = compare(run(a), run(b))
    assert (found["tasks"], found["only_a"], found["only_b"]) == (1, 2, 2)
    assert found["success"] == {"a": 1.0, "b": 0.0, "difference": -1.0, "interval": None, "tasks": 1, "changed": 1}
    assert found["worse"] == [{"task_id": "both", "a": 1.0, "b": 0.0}]


def test_nothing_in_common_is_an_error() -> None:
    """Two runs without a common task cannot be compared."""
    with pytest.raises(LookupError, match="no task"):
        compare(run({"a": [1.0]}), run({"b": [1.0]}))


def test_a_task_flips_at_half_of_its_trials() -> None:
    """Changes of half of the trials or more are listed, the greatest first; smaller ones are not."""
    a = {"all": [0.0] * 4, "half": [0.0, 0.0, 1.0, 1.0], "one": [1.0, 0.0, 0.0, 0.0], "down": [1.0] * 4}
    b = {"all": [1.0] * 4, "half": [1.0] * 4, "one": [0.0] * 4, "down": [0.0] * 4}
    found = compare(run(a), run(b))
    assert [change["task_id"] for change in found["better"]] == ["all", "half"]
    assert [change["task_id"] for change in found["worse"]] == ["down"]


def test_flipped_tasks_are_in_the_order_of_their_numbers() -> None:
    """With equal changes, task 2 comes before task 10."""
    names = ["test-10-a", "test-2-b", "test-1-c"]
    found = compare(run({name: [0.0] for name in names}), run({name: [1.0] for name in names}))
    assert [change["task_id"] for change in found["better"]] == ["test-1-c", "test-2-b", "test-10-a"]


def test_pass_hat_compares_tasks_with_enough_trials_in_both() -> None:
    """pass^k is over the tasks with k scored trials in both runs, as many k as there are any."""
    a: Rewards = {"x": [1.0, 1.0, 1.0], "y": [1.0, 0.0]}
    b: Rewards = {"x": [1.0, 1.0], "y": [1.0, None]}
    found = compare(run(a), run(b))["pass_hat"]
    assert {k: (of["a"], of["b"], of["tasks"]) for k, of in found.items()} == {"1": (0.75, 1.0, 2), "2": (1.0, 1.0, 1)}
