"""Compares two runs of evaluations. It imports numpy, so commands import it late."""

from collections.abc import Iterable
from typing import Any

from env_server.estimates.compare import compare_trials
from env_server.evals.outcome import EpisodeOutcome
from env_server.evals.report.by_task import by_task


def compare(a: Iterable[EpisodeOutcome], b: Iterable[EpisodeOutcome]) -> dict[str, Any]:
    """Return how run `b` differs from run `a` on the tasks that have scored trials in both, as a JSON object.

    Raises:
        LookupError: if there is no such task.
    """
    return compare_trials(by_task(a), by_task(b))
