"""`state`: the final rows are those that the reference solution leaves."""

from collections.abc import Mapping
from typing import Any

from env_server.domains.kit import Component, Task
from env_server.rewards.component import ComponentScore, Line, RewardComponent, always
from env_server.rewards.score_inputs import ScoreInputs


def _part(_task: Task, inputs: ScoreInputs) -> ComponentScore:
    expected, actual = inputs.gold.hash, inputs.state_hash
    if inputs.projections is not None:
        expected, actual = inputs.projections
    return {"value": float(expected == actual), "expected": expected, "actual": actual}


def _explain(part: Mapping[str, Any]) -> list[Line]:
    same = part["value"] == 1
    return [("as in the reference solution" if same else "the final rows differ from the solution's", "")]


COMPONENT = RewardComponent(
    Component.STATE, order=10, part=_part, explain=_explain, title="the final rows", by_default=always
)
