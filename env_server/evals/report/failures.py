"""Groups failed episodes by the rows that differ from gold's."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from env_server.evals.outcome import EpisodeOutcome

EXAMPLES = 3
"""Number of example tasks per group."""


def failures(scored: Sequence[EpisodeOutcome]) -> dict[str, Any]:
    """Return the scored episodes without the whole reward: their number, counts of differing rows, and groups.

    A group has the episodes whose differing rows are the same.
    """
    failed = [o for o in scored if not o.success]
    groups: dict[tuple[str, ...], list[EpisodeOutcome]] = {}
    for outcome in failed:
        groups.setdefault(tuple(sorted(outcome.row_diff)), []).append(outcome)
    largest = sorted(groups, key=lambda rows: (-len(groups[rows]), rows))
    return {
        "episodes": len(failed),
        "rows": counts(row for o in failed for row in set(o.row_diff)),
        "groups": [{"rows": list(rows), **_group(groups[rows])} for rows in largest],
    }


def _group(outcomes: Sequence[EpisodeOutcome]) -> dict[str, Any]:
    tasks = sorted({o.task_id for o in outcomes})
    missed = (name for o in outcomes for name, value in o.breakdown.items() if value is not None and value < 1)
    return {
        "episodes": len(outcomes),
        "tasks": len(tasks),
        "components": counts(missed),
        "stop_reasons": counts(o.stop_reason for o in outcomes),
        "examples": tasks[:EXAMPLES],
    }


def counts(names: Iterable[str]) -> dict[str, int]:
    """Return the number of occurrences of each name, most frequent first."""
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))
