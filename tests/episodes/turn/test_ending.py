"""Ends that are never scored."""

import pytest

from agent_env_schemas import StopReason
from env_server.domains.kit import Component, Gold, Task
from env_server.rewards import GoldOutcome, ScoreInputs, never_scored, score

TASK = Task(task_id="t", domain="d", instruction="i", gold=Gold(), basis=(Component.STATE,))
INPUTS = ScoreInputs("a", GoldOutcome("a", ()))


@pytest.mark.parametrize("reason", [None, "infrastructure", "tired"])
@pytest.mark.parametrize("stop", list(StopReason))
def test_gold_is_spared_exactly_where_there_is_no_reward(stop: StopReason, reason: str | None) -> None:
    """`never_scored` is true exactly for the ends that `score` leaves unscored or gives no reward."""
    assert never_scored(stop, reason) is not score(TASK, INPUTS, stop, reason).scored
