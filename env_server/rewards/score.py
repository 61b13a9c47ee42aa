"""The reward: the product of the components that a task names, with rules for each stop reason.

The stop reasons `completed`, `user_stop` and `transfer` are scored. A limit, a failure of the agent, or a close by the
agent gives 0, and `would_be` holds the product. So does a transfer that gold does not have. A failing user, an expiry
or a close for infrastructure reasons is not scored. An episode without any judged component is not scored either.

Some components need a judge. This module does not ask the judge: `Score.open` names the components left for it, and its
verdicts arrive with the evidence. If the product of the others is already 0, no component is left for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from agent_env_schemas.reasons import CLOSE_INFRASTRUCTURE, StopReason
from env_server.domains.kit import Component, Task
from env_server.rewards.judge import Verdict, needs_judge
from env_server.state import RowDiff

_SCORED = {StopReason.COMPLETED, StopReason.USER_STOP, StopReason.TRANSFER}
_UNSCORED = {StopReason.USER_ERROR, StopReason.EXPIRED}


@dataclass(frozen=True, slots=True)
class GoldOutcome:
    """The outcome of a task's gold calls, run once on the task's initial state."""

    hash: str
    changes: Sequence[tuple[str, str, Any | None]]
    """Gold's row changes in order, (table, key, row or None)."""

    errors: Sequence[str] = ()
    """Observations of gold calls that failed; some fail on purpose."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The inputs of scoring: the final state of the episode compared with gold's."""

    state_hash: str
    gold: GoldOutcome
    said: frozenset[int]
    """Indices of the task's outputs that were told to the user."""

    matched: frozenset[int]
    """Indices of the task's gold calls that were made."""

    holds: Sequence[bool] = ()
    """Whether each of the task's assertions on the environment holds."""

    transfer_is_gold: bool = True
    """Whether a transfer of the user is part of gold, or at least does not count against the agent."""

    difference: Sequence[RowDiff] = ()
    """The row differences from gold's state to the episode's."""

    has_judge: bool = False
    """Whether the server has a judge."""

    verdicts: Mapping[Component, Verdict] = field(default_factory=dict)
    """The judge's verdicts."""

    manners: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    """`heard` and `conduct` with their values; empty if conduct is not evaluated."""

    manners_count: bool = False
    """Whether they are multiplied into the reward."""


@dataclass(frozen=True, slots=True)
class Score:
    """An episode's score."""

    reward: float | None
    scored: bool
    breakdown: dict[str, dict[str, Any]]
    would_be: float | None = None
    partial: bool = False
    row_diff: list[dict[str, Any]] = field(default_factory=list)
    open: tuple[Component, ...] = ()
    """Components without a verdict of the judge on which the reward depends."""


def never_scored(stop: StopReason, close_reason: str | None) -> bool:
    """Return whether the end says nothing about the agent, so that there is no reward whatever the evidence."""
    return stop in _UNSCORED or (stop is StopReason.CLOSED and close_reason == CLOSE_INFRASTRUCTURE)


def score(task: Task, evidence: Evidence, stop: StopReason, close_reason: str | None = None) -> Score:
    """Return the score of an episode of `task` that ended by `stop`."""
    counts = stop in _SCORED and (stop is not StopReason.TRANSFER or evidence.transfer_is_gold)
    unasked = not counts and evidence.has_judge
    breakdown = {c.value: _component(c, task, evidence) for c in task.basis}
    values = [b["value"] for b in breakdown.values() if b["value"] is not None]
    left_out = [name for name, b in breakdown.items() if b["value"] is None]
    partial = bool(left_out)
    if evidence.manners_count:
        values += [m["value"] for m in evidence.manners.values()]
    worth = float(prod(values)) if len(task.basis) > len(left_out) or not task.basis else None
    breakdown |= {name: {**m, "counts": evidence.manners_count} for name, m in evidence.manners.items()}
    rows = [{"table": d.table, "key": d.key, "expected": d.before, "actual": d.after} for d in evidence.difference]
    nothing_judged = worth is None and not unasked
    unjudged = tuple(c for c in task.basis if breakdown[c.value]["value"] is None)
    left = unjudged if counts and evidence.has_judge and worth != 0.0 else ()
    if not left:
        for c in unjudged:
            breakdown[c.value]["not_judged"] = _why_not(stop, evidence, counts)
    if nothing_judged or never_scored(stop, close_reason):
        return Score(None, False, breakdown, worth, partial, rows, left)
    if counts:
        return Score(worth, True, breakdown, None, partial, rows, left)
    return Score(0.0, True, breakdown, worth, partial, rows)


def _why_not(stop: StopReason, evidence: Evidence, counts: bool) -> str:
    if not evidence.has_judge:
        return "this server has no judge"
    return "the reward is 0 without it" if counts else f"not asked for an end by {stop.value}"


def _component(component: Component, task: Task, evidence: Evidence) -> dict[str, Any]:
    if component is Component.STATE:
        same = evidence.state_hash == evidence.gold.hash
        return {"value": float(same), "expected": evidence.gold.hash, "actual": evidence.state_hash}
    if component is Component.COMMUNICATE:
        missing = [o for i, o in enumerate(task.gold.outputs) if i not in evidence.said]
        return {"value": float(not missing), "missing": missing}
    if component is Component.ACTIONS:
        calls = task.gold.actions
        absent = [c.model_dump(mode="json") for i, c in enumerate(calls) if i not in evidence.matched]
        return {"value": float(not absent), "missing": absent}
    if component is Component.ENV_ASSERTIONS:
        pairs = zip(task.env_assertions, evidence.holds, strict=True)
        failed = [a.model_dump(mode="json") for a, holds in pairs if not holds]
        return {"value": float(not failed), "failed": failed}
    if not needs_judge(component, task):
        return {"value": 1.0, "missing": []}
    if component in evidence.verdicts:
        verdict = evidence.verdicts[component]
        return {"value": verdict.value, **verdict.details}
    return {"value": None}
