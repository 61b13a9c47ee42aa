"""The summary of a run."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from env_server.evals.outcome import EpisodeOutcome, Spent
from env_server.evals.report.summary import summary
from tests.evals.outcomes import any_run, outcome, run

few = settings(max_examples=40)  # a run is slow to draw


@few
@given(any_run(), st.randoms())
def test_order_does_not_matter(outcomes: list[EpisodeOutcome], chance: Any) -> None:
    """The same outcomes in any order give the same bytes of standard JSON."""
    first = json.dumps(summary(outcomes), allow_nan=False)
    chance.shuffle(outcomes)
    assert json.dumps(summary(outcomes), allow_nan=False) == first


@few
@given(any_run())
def test_time_and_identifiers_do_not_matter(outcomes: list[EpisodeOutcome]) -> None:
    """A run with other times and episode ids has the same summary."""
    slower = [
        replace(o, episode_id="other", seconds=99.0, user=replace(o.user, seconds=9), judge=replace(o.judge, seconds=9))
        for o in outcomes
    ]
    assert summary(slower) == summary(outcomes)


@few
@given(any_run())
def test_parts_add_up(outcomes: list[EpisodeOutcome]) -> None:
    """Stop reasons, turns and failures each count every episode once; success is pass^1."""
    found = summary(outcomes)
    assert sum(end["episodes"] for end in found["stop_reasons"].values()) == len(outcomes)
    assert sum(found["turns"]["counts"].values()) == len(outcomes)
    assert sum(group["episodes"] for group in found["failures"]["groups"]) == found["failures"]["episodes"]
    assert found["failures"]["episodes"] == sum(o.reward is not None and not o.success for o in outcomes)
    assert found["pass_hat"].get("1") == found["success"]
    assert found["success"] is None or 0 <= found["success"] <= 1


def test_success_counts_tasks_alike() -> None:
    """A task with fewer scored trials weighs as much as the others, and unscored episodes are no failures."""
    found = summary(run({"a": [1.0, 1.0], "b": [0.0, None]}))
    assert found["success"] == 0.5
    assert (found["tasks"], found["episodes"], found["scored"], found["trials"]) == (2, 4, 3, 2)
    assert found["pass_hat"] == {"1": 0.5, "2": 1.0}
    assert found["pass_hat_tasks"] == {"1": 2, "2": 1}
    assert found["failures"]["episodes"] == 1


@pytest.mark.parametrize("outcomes", [[], run({"a": [None]})])
def test_nothing_scored_is_no_error(outcomes: list[EpisodeOutcome]) -> None:
    """A run without scored episodes has no success value, not 0."""
    found = summary(outcomes)
    assert (found["success"], found["interval"], found["pass_hat"], found["scored"]) == (None, None, {}, 0)


def test_a_group_of_which_nothing_is_scored_has_no_success() -> None:
    """A template or a tool without scored episodes has no success value."""
    found = summary([outcome("a", 0, None, template="refund", tools={"look": (1, 0)}), outcome("b", 0, 1.0)])
    assert (found["by_template"]["refund"]["success"], found["by_tool"]["look"]["success"]) == (None, None)


def test_groups() -> None:
    """There is success by template, and by tool over the episodes that called it."""
    outcomes = [
        outcome("a", 0, 1.0, template="refund", tools={"look": (2, 1), "pay": (1, 0)}),
        outcome("b", 0, 0.0, template="refund", tools={"look": (3, 0)}),
        outcome("c", 0, None, template="refund", tools={"look": (1, 0)}),
        outcome("d", 0, 1.0),
    ]
    found = summary(outcomes)
    refund = found["by_template"]["refund"]
    assert list(found["by_template"]) == ["refund"]
    assert (refund["success"], refund["tasks"], refund["episodes"], refund["scored"]) == (0.5, 3, 3, 2)
    look, pay = found["by_tool"]["look"], found["by_tool"]["pay"]
    assert (look["calls"], look["errors"], look["success"], look["episodes"]) == (6, 1, 0.5, 3)
    assert (pay["calls"], pay["errors"], pay["success"]) == (1, 0, 1.0)


@pytest.mark.parametrize(
    ("sides", "cost"),
    [
        ([Spent(calls=1, cost=0.5), Spent(calls=2, cost=0.25)], 0.75),
        ([Spent(calls=1, cost=0.5), Spent(cached=3)], 0.5),
        ([Spent(calls=1, cost=0.5), Spent(calls=1)], None),
        ([Spent(calls=1), Spent(calls=1)], None),
        ([Spent(), Spent()], None),
    ],
)
def test_cost_is_all_of_it_or_unknown(sides: list[Spent], cost: float | None) -> None:
    """The cost is unknown if a model without a price was called; recalled answers cost nothing."""
    found = summary([outcome("a", trial, policy=side) for trial, side in enumerate(sides)])
    assert found["policy"]["cost"] == cost
    assert found["user"]["cost"] is None


def test_what_judges_take_is_counted() -> None:
    """Judges are a side of their own."""
    found = summary([outcome("a", trial, judge=Spent(calls=2, prompt_tokens=7, cost=0.5)) for trial in range(2)])
    assert (found["judge"]["calls"], found["judge"]["prompt_tokens"], found["judge"]["cost"]) == (4, 14, 1.0)
    assert found["policy"]["calls"] == found["user"]["calls"] == 0


def test_user_errors_and_judging() -> None:
    """An episode with a failing user counts once, and judging is counted over scored episodes."""
    outcomes = [
        outcome("a", 0, None, stop_reason="user_error", user=Spent(fallbacks=2)),
        outcome("b", 0, 1.0, user=Spent(fallbacks=1), judged=True),
        outcome("c", 0, 1.0, partial=True),
        outcome("d", 0, 0.0),
    ]
    found = summary(outcomes)
    assert found["user_errors"] == {"stops": 1, "episodes": 2, "rate": 0.5}
    assert found["user"]["fallbacks"] == 3
    assert (found["without_judge"], found["partial"]) == (pytest.approx(2 / 3), pytest.approx(1 / 3))


def test_failures_are_grouped_by_the_rows_that_differ() -> None:
    """The largest group is first, with its missed components; solved and unscored episodes are in none."""
    outcomes = [
        outcome("a", 0, 0.0, row_diff=("x.f", "y +"), breakdown={"state": 0.0, "communicate": 1.0}),
        outcome("a", 1, 0.0, row_diff=("y +", "x.f"), breakdown={"state": 0.0, "nl_assertions": None}),
        outcome("b", 0, 0.0, breakdown={"communicate": 0.0}),
        outcome("c", 0, 1.0, row_diff=("x.f",)),
        outcome("d", 0, None, row_diff=("x.f",)),
    ]
    found = summary(outcomes)["failures"]
    assert [(g["rows"], g["episodes"], g["tasks"], g["components"], g["examples"]) for g in found["groups"]] == [
        (["x.f", "y +"], 2, 1, {"state": 2}, ["a"]),
        ([], 1, 1, {"communicate": 1}, ["b"]),
    ]
    assert found["rows"] == {"x.f": 2, "y +": 2}
