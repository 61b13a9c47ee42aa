"""Compares two runs task by task. It imports numpy, so callers import it late."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from env_server.estimates.intervals import Trials

Json = dict[str, Any]

RESAMPLES = 10_000
SEED = 0
"""A fixed seed, so that the resamples and the result are always the same."""

AT_ONCE = 2_000_000
"""Maximum number of drawn indices in memory at a time."""

FLIPPED = 0.5
"""Minimum change of the share of solved trials for a flipped task. With one trial, any change is enough."""


LEAST = 6
"""Minimum number of tasks that must differ before one run is called better.

With fewer tasks, all of them differ in the same direction by chance in over 5 of 100 cases.
"""


def compare_trials(ours: Mapping[str, Trials], theirs: Mapping[str, Trials], most_k: int | None = None) -> Json:
    """Return how run `b` (`theirs`) differs from run `a` (`ours`) on the tasks in both, as a JSON object.

    Each run is given as its scored trials by task. pass^k is compared for k up to `most_k`, or for every k.

    Raises:
        LookupError: if there is no such task.
    """
    common = [task_id for task_id in ours if task_id in theirs]
    if not common:
        raise LookupError("no task has scored episodes in both runs")
    pairs = {task_id: (ours[task_id], theirs[task_id]) for task_id in common}
    most = max(min(one.scored, other.scored) for one, other in pairs.values())
    last = most if most_k is None else min(most, most_k)
    by_k = {str(k): _difference(list(pairs.values()), k) for k in range(1, last + 1)}
    better, worse = _flipped(pairs)
    return {
        "tasks": len(common),
        "only_a": len(ours) - len(common),
        "only_b": len(theirs) - len(common),
        "success": by_k["1"],
        "reward": _of(np.array([[trials.reward for trials in pair] for pair in pairs.values()])),
        "winner": _winner(by_k["1"]),
        "pass_hat": by_k,
        "better": better,
        "worse": worse,
    }


def _difference(pairs: Sequence[tuple[Trials, Trials]], k: int) -> Json:
    """Return pass^k of both runs, and of b minus a, over the tasks with `k` scored trials in both."""
    enough = [pair for pair in pairs if all(trials.scored >= k for trials in pair)]
    values = np.array([[trials.pass_hat(k) for trials in pair] for pair in enough])
    return _of(values)


def _of(values: NDArray[np.float64]) -> Json:
    """Return the means of both runs, and the difference with its interval. `values` has shape (tasks, 2)."""
    differences = values[:, 1] - values[:, 0]
    a, b = values.mean(axis=0)
    return {
        "a": float(a),
        "b": float(b),
        "difference": float(differences.mean()),
        "interval": bootstrap(differences),
        "tasks": len(values),
        "changed": int(np.count_nonzero(differences)),
    }


def _winner(success: Json) -> str | None:
    """Return the run that is significantly better, `a` or `b`, or None."""
    low, high = success["interval"] or (0.0, 0.0)
    if low <= 0 <= high or success["changed"] < LEAST:
        return None
    return "b" if low > 0 else "a"


def bootstrap(differences: NDArray[np.float64]) -> list[float] | None:
    """Return the 95 % percentile interval of the mean of paired differences, resampled by task.

    None if there are fewer than two tasks. `differences` has shape (tasks,).
    """
    tasks = len(differences)
    if tasks < 2:
        return None
    draw = np.random.default_rng(SEED)
    rows = max(AT_ONCE // tasks, 1)
    means = [
        differences[draw.integers(tasks, size=(min(rows, RESAMPLES - done), tasks))].mean(axis=1)
        for done in range(0, RESAMPLES, rows)
    ]
    return [float(bound) for bound in np.percentile(np.concatenate(means), (2.5, 97.5))]


def _flipped(pairs: Mapping[str, tuple[Trials, Trials]]) -> tuple[list[Json], list[Json]]:
    """Return the tasks that are much better in b and those that are much worse.

    The largest change is first, and tasks with equal changes are in the order of the numbers in their ids.
    """
    shares = {task_id: (a.pass_hat(1), b.pass_hat(1)) for task_id, (a, b) in pairs.items()}
    changes: list[Json] = [
        {"task_id": task_id, "a": a, "b": b} for task_id, (a, b) in shares.items() if abs(b - a) >= FLIPPED
    ]
    changes.sort(key=lambda change: (-abs(change["b"] - change["a"]), natural(change["task_id"])))
    better = [change for change in changes if change["b"] > change["a"]]
    return better, [change for change in changes if change["b"] < change["a"]]


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """Return a key that sorts names by the numbers in them: `test-2` before `test-10`."""
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"([0-9]+)", name))
