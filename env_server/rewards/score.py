"""The reward: the product of the components that a task names, with rules for each stop reason.

The stop reasons `completed`, `user_stop` and `transfer` are scored. A limit, a failure of the agent, or a close by the
agent gives 0, and `would_be` holds the product. A transfer that gold does not have also gives 0. A failing user, an
expiry or a close for infrastructure reasons is not scored, and neither is an episode without any judged component.

Some components need a judge. This module does not ask the judge: `Score.open` names the components left for it, and its
verdicts are in `ScoreInputs`. If the product of the others is already 0, no component is left for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from agent_env_schemas.reasons import CLOSE_INFRASTRUCTURE, StopReason
from env_server.domains.kit import Task
from env_server.rewards.components import in_basis, of_conduct
from env_server.rewards.score_inputs import ScoreInputs
from env_server.state import RowDiff

SCORED = frozenset({StopReason.COMPLETED, StopReason.USER_STOP, StopReason.TRANSFER})
"""The ends that are scored."""

_UNSCORED = {StopReason.USER_ERROR, StopReason.EXPIRED, StopReason.EXTERNAL_STATE_LOST}


@dataclass(frozen=True, slots=True)
class Score:
    """An episode's score."""

    reward: float | None
    scored: bool
    breakdown: dict[str, dict[str, Any]]
    would_be: float | None = None
    partial: bool = False
    row_diff: list[dict[str, Any]] = field(default_factory=list)
    open: tuple[str, ...] = ()
    """Components that the reward depends on and that the judge has not decided."""


def never_scored(stop: StopReason, close_reason: str | None) -> bool:
    """Return whether the end says nothing about the agent, so that there is no reward, whatever the inputs are."""
    return stop in _UNSCORED or (stop is StopReason.CLOSED and close_reason == CLOSE_INFRASTRUCTURE)


def score(task: Task, inputs: ScoreInputs, stop: StopReason, close_reason: str | None = None) -> Score:
    """Return the score of an episode of `task` that ended by `stop`."""
    counts = stop in SCORED and (stop is not StopReason.TRANSFER or inputs.transfer_is_gold)
    unasked = not counts and inputs.has_judge
    breakdown = {one.name: one.part(task, inputs) for one in in_basis(task.basis)}
    values = [part["value"] for part in breakdown.values() if part["value"] is not None]
    unjudged = tuple(name for name, part in breakdown.items() if part["value"] is None)
    manners = {} if inputs.ledger is None else {one.name: one.part(task, inputs) for one in of_conduct()}
    if inputs.conduct_counts:
        values += [part["value"] for part in manners.values()]
    worth = float(prod(values)) if len(task.basis) > len(unjudged) or not task.basis else None
    breakdown |= {name: {**part, "counts": inputs.conduct_counts} for name, part in manners.items()}
    nothing_judged = worth is None and not unasked
    left = unjudged if counts and inputs.has_judge and worth != 0.0 else ()
    if not left:
        for name in unjudged:
            breakdown[name]["not_judged"] = _why_not(stop, inputs, counts)
    partial, rows = bool(unjudged), _rows(inputs.difference)
    if nothing_judged or never_scored(stop, close_reason):
        return Score(None, False, breakdown, worth, partial, rows, left)
    if counts:
        return Score(worth, True, breakdown, None, partial, rows, left)
    return Score(0.0, True, breakdown, worth, partial, rows)


def _rows(difference: Sequence[RowDiff]) -> list[dict[str, Any]]:
    return [{"table": d.table, "key": d.key, "expected": d.before, "actual": d.after} for d in difference]


def _why_not(stop: StopReason, inputs: ScoreInputs, counts: bool) -> str:
    if not inputs.has_judge:
        return "this server has no judge"
    return "the reward is 0 without it" if counts else f"not asked for an end by {stop.value}"
