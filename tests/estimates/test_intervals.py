"""Estimates over tasks, compared with brute force and simulation."""

from itertools import combinations
from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.estimates.intervals import Trials, estimate, pass_hat, wilson
from env_server.evals.report.by_task import by_task
from tests.evals.outcomes import run

TRIALS = st.lists(st.booleans(), min_size=1, max_size=8)


def trials(solved: list[bool]) -> Trials:
    """One task's trials."""
    (found,) = by_task(run({"task": [float(one) for one in solved]})).values()
    return found


@given(TRIALS, st.data())
def test_pass_hat_is_the_share_of_subsets_that_are_all_solved(solved: list[bool], data: st.DataObject) -> None:
    """The estimator equals counting over every subset of k trials."""
    k = data.draw(st.integers(1, len(solved)))
    subsets = list(combinations(solved, k))
    assert trials(solved).pass_hat(k) == pytest.approx(sum(map(all, subsets)) / len(subsets))


@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=6))
def test_pass_hat_falls_with_k(tasks: list[list[bool]]) -> None:
    """Over tasks with the same number of trials, solving more of them in a row is never likelier."""
    curve = [pass_hat(map(trials, tasks), k) for k in range(1, 5)]
    means = [one.mean for one in curve if one is not None]
    assert len(means) == 4
    assert means == sorted(means, reverse=True)


def test_pass_hat_has_no_bias() -> None:
    """Over many runs of 4 trials, its mean is the chance of one trial to the k-th power."""
    draw = Random(0)
    tasks = [trials([draw.random() < 0.7 for _ in range(4)]) for _ in range(4000)]
    for k in (1, 2, 3, 4):
        assert fmean(task.pass_hat(k) for task in tasks) == pytest.approx(0.7**k, abs=0.02)


def test_unscored_trials_are_none() -> None:
    """An episode without a reward is no trial: a task with too few for k is left out of pass^k, not counted as 0."""
    tasks = by_task(run({"a": [1.0, None, 1.0], "b": [1.0, 0.0, 1.0], "c": [None, None, None]}))
    assert {name: (task.scored, task.solved) for name, task in tasks.items()} == {"a": (2, 2), "b": (3, 2)}
    found = [pass_hat(tasks.values(), k) for k in (1, 2, 3, 4)]
    assert [one and (round(one.mean, 6), one.tasks) for one in found] == [
        (round((1 + 2 / 3) / 2, 6), 2),
        (round((1 + 1 / 3) / 2, 6), 2),
        (0.0, 1),
        None,
    ]


def test_more_trials_of_a_task_are_not_more_tasks() -> None:
    """Trials that always agree leave standard error and interval as they were with one trial."""
    once = pass_hat(by_task(run({"a": [1.0], "b": [0.0], "c": [1.0]})).values(), 1)
    often = pass_hat(by_task(run({"a": [1.0] * 9, "b": [0.0] * 9, "c": [1.0] * 9})).values(), 1)
    assert once is not None
    assert once == often


@given(st.lists(st.integers(0, 4), min_size=1, max_size=30))
def test_interval_holds_the_mean_and_lies_between_both_extremes(solved: list[int]) -> None:
    """It is within 0 and 1, at most as wide as with one trial, and at least as wide as with independent trials."""
    found = estimate([count / 4 for count in solved], most=4 * len(solved))
    assert 0 <= found.low <= found.mean <= found.high <= 1 or found.low == pytest.approx(found.mean)
    widest, narrowest = wilson(found.mean, len(solved)), wilson(found.mean, 4 * len(solved))
    assert widest[0] - 1e-12 <= found.low <= narrowest[0] + 1e-12
    assert narrowest[1] - 1e-12 <= found.high <= widest[1] + 1e-12


@pytest.mark.parametrize("spread", [0.0, 0.2, 0.4])
def test_interval_covers_the_truth(spread: float) -> None:
    """Whether tasks are alike or very different, about 95 of 100 intervals of 40 tasks with 4 trials hold the mean."""
    draw, held, runs = Random(1), 0, 400
    for _ in range(runs):
        chances = [0.5 + draw.choice((-spread, spread)) for _ in range(40)]
        tasks = [trials([draw.random() < chance for _ in range(4)]) for chance in chances]
        found = pass_hat(tasks, 1)
        held += found is not None and found.low <= 0.5 <= found.high
    assert 0.92 <= held / runs <= 0.985
