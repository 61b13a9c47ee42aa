"""Outcomes as JSON, and differing rows in short form."""

import json
from typing import Any

import pytest
from hypothesis import given

from env_server.evals.outcome import EpisodeOutcome, differing
from tests.evals.outcomes import any_outcome, outcome


@given(any_outcome("task", 0))
def test_an_outcome_survives_json(made: EpisodeOutcome) -> None:
    """An outcome is read back equal, from text and from plain data."""
    text = json.dumps(made.plain())
    assert EpisodeOutcome.read_json(text) == made
    assert EpisodeOutcome.read(json.loads(text)) == made


@pytest.mark.parametrize("reward", [1.0, 0.5, 0.0, None])
def test_success_is_the_whole_reward(reward: float | None) -> None:
    """Only a reward of 1 is a success; the plain form says so, or that the episode was not scored."""
    made = outcome(reward=reward)
    assert made.success is (reward == 1)
    assert made.plain()["success"] is (None if reward is None else made.success)


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"task_id": "a"}', '{"task_id": '])
def test_what_is_no_outcome_is_refused(text: str) -> None:
    """Text without a field of an outcome is a ValueError."""
    with pytest.raises(ValueError, match="EpisodeOutcome"):
        EpisodeOutcome.read_json(text)


@pytest.mark.parametrize(
    "change",
    [
        '"reward": NaN',
        '"reward": Infinity',
        '"reward": 2.0',
        '"reward": null',
        '"trial": -1',
        '"seconds": NaN',
        '"breakdown": {"state": NaN}',
        '"tools": {"a": [1, -1]}',
        '"policy": {"cost": NaN}',
    ],
)
def test_what_no_episode_comes_to_is_refused(change: str) -> None:
    """Impossible figures, and a scored episode without a reward, are refused."""
    text = json.dumps(outcome(reward=1.0).plain())
    assert EpisodeOutcome.read_json(text).scored
    with pytest.raises(ValueError, match="EpisodeOutcome"):
        EpisodeOutcome.read_json(f"{text[:-1]}, {change}}}")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], ()),
        ([{"table": "orders", "key": "1", "expected": None, "actual": {"a": 1}}], ("orders +",)),
        ([{"table": "orders", "key": "1", "expected": {"a": 1}, "actual": None}], ("orders -",)),
        (
            [
                {"table": "users", "key": "1", "expected": {"a": 1, "b": [1], "c": 0}, "actual": {"a": 2, "b": [1]}},
                {"table": "users", "key": "2", "expected": {"a": 1}, "actual": {"a": 3}},
                {"table": "cards", "key": "3", "expected": {"x": 1}, "actual": {"x": 2}},
            ],
            ("cards.x", "users.a", "users.c"),
        ),
        (
            [
                {
                    "table": "t",
                    "key": "1",
                    "expected": {"a": 1, "b": True, "c": [1], "d": None, "e": {"x": 1, "y": 2}},
                    "actual": {"a": 1.0, "b": 1, "c": [1.0], "e": {"y": 2, "x": 1}},
                }
            ],
            ("t.a", "t.b", "t.c", "t.d"),
        ),
    ],
)
def test_rows_that_differ_are_named_without_their_keys(rows: list[dict[str, Any]], said: tuple[str, ...]) -> None:
    """Differing fields are named once, in order; missing and additional rows are marked."""
    assert differing(rows) == said
