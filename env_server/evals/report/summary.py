"""The summary of a run's episodes as a JSON object."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import fsum
from statistics import fmean, median
from typing import Any

from agent_env_schemas.reasons import StopReason
from env_server.estimates.intervals import pass_hat
from env_server.evals.outcome import EpisodeOutcome, Spent
from env_server.evals.report.by_task import by_task, key
from env_server.evals.report.failures import failures

Json = dict[str, Any]

COUNTED = ("calls", "prompt_tokens", "completion_tokens", "cached", "unusable", "rejected", "fallbacks")
"""Fields of `Spent` that are summed. Seconds are excluded, since they differ when a run is repeated."""


def summary(outcomes: Iterable[EpisodeOutcome]) -> Json:
    """Return the summary of a run. The same outcomes in any order give the same bytes.

    `success` is the mean over tasks of the share of their scored trials that earned the whole reward. Episodes without
    a score do not count as trials. If no episode is scored, `success` is None. `docs/evaluating.md` explains each
    field.
    """
    every = sorted(outcomes, key=key)
    scored = [o for o in every if o.reward is not None]
    trials = Counter(o.task_id for o in every)
    return {
        "episodes": len(every),
        "tasks": len(trials),
        "trials": max(trials.values(), default=0),
        "scored": len(scored),
        **_success(every),
        "reward": _mean([t.reward for t in by_task(every).values()]),
        **_pass_hat(every, max(trials.values(), default=0)),
        "by_split": _groups(every, lambda o: o.split),
        "by_template": _groups(every, lambda o: o.template),
        "by_tool": _by_tool(every),
        "turns": _turns(every),
        "calls": sum(o.calls for o in every),
        "tool_errors": sum(o.tool_errors for o in every),
        "parse_failures": sum(o.parse_failures for o in every),
        "stop_reasons": _stop_reasons(every),
        "policy": _spent([o.policy for o in every]),
        "user": _spent([o.user for o in every]),
        "judge": _spent([o.judge for o in every]),
        "user_errors": _user_errors(every),
        "without_judge": _mean([not o.judged for o in scored]),
        "partial": _mean([o.partial for o in scored]),
        "failures": failures(scored),
    }


def _success(outcomes: Sequence[EpisodeOutcome]) -> Json:
    found = pass_hat(by_task(outcomes).values(), 1)
    if found is None:
        return {"success": None, "standard_error": None, "interval": None}
    return {"success": found.mean, "standard_error": found.error, "interval": found.interval()}


def _pass_hat(outcomes: Sequence[EpisodeOutcome], trials: int) -> Json:
    """Return pass^k for each k for which a task has enough scored trials."""
    tasks = by_task(outcomes).values()
    found = {str(k): pass_hat(tasks, k) for k in range(1, trials + 1)}
    known = {k: value for k, value in found.items() if value is not None}
    return {
        "pass_hat": {k: value.mean for k, value in known.items()},
        "pass_hat_interval": {k: value.interval() for k, value in known.items()},
        "pass_hat_tasks": {k: value.tasks for k, value in known.items()},
    }


def _groups(outcomes: Sequence[EpisodeOutcome], name: Callable[[EpisodeOutcome], str | None]) -> dict[str, Json]:
    """Return the success by group, sorted by group name. `name` returns an episode's group, or None to omit it."""
    found: dict[str, list[EpisodeOutcome]] = {}
    for outcome in outcomes:
        group = name(outcome)
        if group is not None:
            found.setdefault(group, []).append(outcome)
    return {group: _group(found[group]) for group in sorted(found)}


def _group(outcomes: Sequence[EpisodeOutcome]) -> Json:
    tasks, scored = len({o.task_id for o in outcomes}), sum(o.reward is not None for o in outcomes)
    return {"tasks": tasks, "episodes": len(outcomes), "scored": scored, **_success(outcomes)}


def _by_tool(outcomes: Sequence[EpisodeOutcome]) -> dict[str, Json]:
    """Return each tool's calls and errors, and the success of the episodes that called it.

    The tools that gold uses are not considered.
    """
    names = sorted({name for o in outcomes for name in o.tools})
    found = {}
    for name in names:
        callers = [o for o in outcomes if name in o.tools]
        calls, errors = (sum(o.tools[name][i] for o in callers) for i in (0, 1))
        found[name] = {"calls": calls, "errors": errors, **_group(callers)}
    return found


def _turns(outcomes: Sequence[EpisodeOutcome]) -> Json:
    counts = Counter(o.turns for o in outcomes)
    turns = list(counts.elements())
    return {
        "mean": _mean(turns),
        "median": median(turns) if turns else None,
        "max": max(turns, default=None),
        "counts": {str(number): counts[number] for number in sorted(counts)},
    }


def _stop_reasons(outcomes: Sequence[EpisodeOutcome]) -> dict[str, Json]:
    ended = Counter(o.stop_reason for o in outcomes)
    solved = Counter(o.stop_reason for o in outcomes if o.success)
    return {reason: {"episodes": ended[reason], "solved": solved[reason]} for reason in sorted(ended)}


def _spent(sides: Sequence[Spent]) -> Json:
    """Return the sums. The cost is None if the cost of any model call is unknown."""
    known = [side.cost for side in sides if side.cost is not None]
    complete = bool(known) and all(side.cost is not None or not side.calls for side in sides)
    sums = {name: sum(getattr(side, name) for side in sides) for name in COUNTED}
    return {**sums, "cost": fsum(known) if complete else None}


def _user_errors(outcomes: Sequence[EpisodeOutcome]) -> Json:
    """Return the episodes that ended by an error of the simulated user, or that have a message no judge approved."""
    stops = [o.stop_reason == StopReason.USER_ERROR for o in outcomes]
    either = [stop or o.user.fallbacks > 0 for stop, o in zip(stops, outcomes, strict=True)]
    return {"stops": sum(stops), "episodes": sum(either), "rate": _mean(either)}


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None
