"""The report of a run as one HTML file: figures, failure groups and transcripts, without links to other places."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent_env_schemas import ErrorCode
from env_server.backends.base import RecordSource
from env_server.errors import ProblemError
from env_server.evals.outcome import EpisodeOutcome

MOST_EPISODES = 100
"""The maximum number of transcripts in a report. Episodes without the whole reward come first."""

Records = Mapping[str, Mapping[str, Any]]
"""Trajectories by episode id."""


async def records_of(source: RecordSource, outcomes: Sequence[EpisodeOutcome]) -> Records:
    """Return the trajectories of the episodes that a report shows. Episodes that are no longer stored are left out."""
    found: dict[str, Mapping[str, Any]] = {}
    for outcome in _chosen(outcomes):
        try:
            found[outcome.episode_id] = await source.trajectory(outcome.episode_id)
        except ProblemError as e:
            if e.code != ErrorCode.NOT_FOUND:
                raise
    return found


def mailed(
    run: str,
    spec: Mapping[str, Any],
    summary: Mapping[str, Any],
    outcomes: Sequence[EpisodeOutcome],
    records: Records,
) -> str:
    """Return the text of the file."""
    from env_server.page.report import report_html  # noqa: PLC0415 -- slow to import, and few runs ask for it
    from env_server.page.views.run import failure_groups, run_episode  # noqa: PLC0415 -- as above

    shown = [
        run_episode(outcome.task_id, outcome.trial, outcome.template, records[outcome.episode_id], len(records))
        for outcome in _chosen(outcomes)
        if outcome.episode_id in records
    ]
    return report_html(run, spec, summary, failure_groups(shown), shown)


def _chosen(outcomes: Sequence[EpisodeOutcome]) -> Sequence[EpisodeOutcome]:
    worst = sorted(outcomes, key=lambda o: (o.success, o.reward is None, o.task_id, o.trial))
    return worst[:MOST_EPISODES]
