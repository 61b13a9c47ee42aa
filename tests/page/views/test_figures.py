"""The figures of a run, computed from sums of SQL."""

import json
from dataclasses import astuple
from typing import Any

import pytest

from env_server.episodes.read.runs import EpisodeDigest, ModelSpending, RunRead
from env_server.estimates.intervals import estimate
from env_server.page.views.figures import Lengths, ModelTokens, RunFigures, StopFigures, figures_of
from env_server.records import Result, RunCount
from env_server.records.read.runs import AlikeTasks, Period, Stop


def figures(**parts: Any) -> RunFigures:
    """The figures of a run with only these `parts` and no sampled episodes."""
    count = RunCount("train", 1, 1, 1, 1, 0.0, 1.0)
    given: dict[str, Any] = {"alike": [], "periods": [], "stops": [], "user_tokens": 0, "results": [], **parts}
    return figures_of(RunRead(count, **given), [], [])


def test_means_are_over_tasks() -> None:
    """A task with many trials weighs as much as one with few; pass^k counts tasks with k scored trials."""
    found = figures(alike=[AlikeTasks(4, 2, 1, 0.5, 0.25), AlikeTasks(1, 0, 3, 0.6, 0.14)])
    assert found.success is not None
    assert found.success.mean == pytest.approx(0.125)
    assert found.success.tasks == 4
    assert found.reward is not None
    assert astuple(found.reward) == pytest.approx(astuple(estimate([0.5, 0.1, 0.2, 0.3], most=7)))
    assert [(k, each.mean, each.tasks) for k, each in found.pass_hat] == [(2, 1 / 6, 1), (3, 0.0, 1), (4, 0.0, 1)]


def test_an_empty_run_has_no_figures() -> None:
    """If no episode has ended, there are no estimates."""
    found = figures()
    assert (found.success, found.reward, found.curve, found.lengths, found.tokens) == (None,) * 5
    assert (found.pass_hat, found.stops, found.groups, found.pairs) == ([], [], [], [])


def test_lengths_and_stops_are_counted_once() -> None:
    """Episodes of one length with two stop reasons are added up. Half of the episodes are no longer than the median."""
    stops = [Stop("user_stop", 2, 3, 3), Stop("max_turns", 9, 2, 0), Stop("user_stop", 9, 1, 1)]
    found = figures(stops=stops)
    assert found.lengths == Lengths(5.5, 2, 9)
    assert found.stops == [StopFigures("user_stop", 4, 4), StopFigures("max_turns", 2, 0)]


def test_the_curve_spans_the_picture() -> None:
    """Reward 1 is the upper edge and 0 the lower; a negative reward moves the lower edge down."""
    curve = figures(periods=[Period(1, 0.0, 0.0), Period(1, 0.5, 0.0), Period(1, 1.0, 1.0)]).curve
    assert curve is not None
    assert (curve.points, curve.first, curve.last) == ("0.0,120.0 300.0,60.0 600.0,0.0", 0.0, 1.0)
    assert (curve.dots, curve.each, curve.total) == ("M0.0 120.0h0M300.0 60.0h0M600.0 0.0h0", "1", 3)
    lower = figures(periods=[Period(1, -1.0, 0.0), Period(1, 0.0, 0.0)]).curve
    assert lower is not None
    assert (lower.points, lower.zero, lower.low) == ("0.0,120.0 600.0,60.0", 60.0, -1.0)


def test_tokens_are_those_of_a_model_that_played() -> None:
    """Means are over results with calls of a model; the cost is unknown if one of them is."""
    asked: dict[str, Any] = {"calls": 2, "prompt_tokens": 100, "completion_tokens": 10, "cost": 0.5}
    results: list[dict[str, Any]] = [
        {"policy": asked},
        {"policy": asked | {"prompt_tokens": 300}},
        {"policy": {"calls": 0}},
        {},
    ]

    def tokens(results: list[dict[str, Any]]) -> ModelTokens | None:
        return figures(results=[Result("task", i, json.dumps(each)) for i, each in enumerate(results)]).tokens

    assert tokens(results) == ModelTokens(2, 200.0, 10.0, 0.5)
    assert tokens([*results, {"policy": asked | {"cost": None}}]) == ModelTokens(3, 500 / 3, 10.0, None)
    assert tokens(results[2:]) is None


def test_spending_of_users_and_judges() -> None:
    """Sums come from the replies, means are over episodes that asked a model; an unknown price hides the cost."""
    usage: dict[str, Any] = {"calls": 2, "prompt_tokens": 100, "completion_tokens": 10, "cost": 0.5}
    assert ModelSpending.of([usage, None, usage]) == ModelSpending(4, 200, 20, 1.0)
    assert ModelSpending.of([None]) == ModelSpending()
    unpriced = ModelSpending.of([usage, usage | {"cost": None}])
    assert unpriced == ModelSpending(4, 200, 20, None)
    cached = usage | {"calls": 0, "prompt_tokens": 0, "completion_tokens": 0, "cost": None}
    assert ModelSpending.of([usage, cached]).cost == 0.5

    def digest(user: ModelSpending, judge: ModelSpending) -> EpisodeDigest:
        about = {"episode_id": "ep", "task_id": "t", "group_id": None, "domain": "d", "pack": "p", "reward": 1.0}
        return EpisodeDigest(about, None, {}, 0, user, judge, {"reward_breakdown": None, "would_be": None})

    paid = ModelSpending.of([usage])
    read = RunRead(RunCount("train", 1, 1, 1, 1, 0.0, 1.0), [], [], [], 0, [])
    found = figures_of(read, [digest(paid, ModelSpending()), digest(ModelSpending(), ModelSpending())], [])
    assert (found.user, found.judge) == (ModelTokens(1, 100.0, 10.0, 0.5), None)
    assert figures_of(read, [digest(paid, unpriced)], []).judge == ModelTokens(1, 200.0, 20.0, None)
