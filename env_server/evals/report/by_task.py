"""The scored trials of each task of a run."""

from collections.abc import Iterable
from typing import Any

from env_server.estimates.intervals import Trials
from env_server.evals.outcome import EpisodeOutcome


def by_task(outcomes: Iterable[EpisodeOutcome]) -> dict[str, Trials]:
    """Return the trials by task id, in the order of the ids. Tasks without a scored trial are omitted."""
    found: dict[str, Trials] = {}
    for outcome in sorted(outcomes, key=key):
        if outcome.reward is not None:
            trials = found.setdefault(outcome.task_id, Trials())
            trials.scored += 1
            trials.solved += outcome.success
            trials.rewards += outcome.reward
    return found


def key(outcome: EpisodeOutcome) -> Any:
    """Return the sort key of outcomes, wherever their order affects the result."""
    return outcome.task_id, outcome.trial
