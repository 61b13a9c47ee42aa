"""Figures of domains: the table of `env-server domains` and of the documentation."""

from collections.abc import Sequence

from env_server.audit.figures import SAMPLE, PackFigures
from env_server.domains.kit import Task
from env_server.domains.pack import Pack


def figures(pack: Pack) -> PackFigures:
    """Return the figures of `pack`.

    Raises:
        PackError: if a task of the sample cannot be made.
    """
    tasks = [task for _, task in sample(pack)]
    return PackFigures(
        domain=pack.domain.name,
        pack=pack.name,
        tools=len(pack.agent_tools),
        user_tools=len(pack.user_tools),
        rows=sum(len(table.rows) for table in pack.snapshot.tables.values()),
        templates=len({task.template for task in tasks if task.template is not None}),
        gold_calls=mean([len(task.gold.actions) for task in tasks]),
    )


def sample(pack: Pack) -> list[tuple[str, Task]]:
    """Return the tasks over which means are computed, as (split, task).

    Raises:
        PackError: if one of them cannot be made.
    """
    if not pack.splits:
        return []
    split, size = list(pack.splits.items())[-1]
    return [(split, pack.task_at(split, index)) for index in range(min(size, SAMPLE))]


def mean(numbers: Sequence[int]) -> float:
    """Return the arithmetic mean, or 0 if there are no numbers."""
    return sum(numbers) / len(numbers) if numbers else 0.0


def markdown(found: Sequence[tuple[PackFigures, float]]) -> str:
    """Return the table of the documentation, from figures and the oracle's mean number of turns."""
    lines = ["| domain | tools | rows | templates | gold calls | turns |", "|---|---|---|---|---|---|"]
    lines += [
        f"| {f.domain} | {_tools(f)} | {f.rows:,} | {f.templates} | {f.gold_calls:.1f} | {turns:.1f} |"
        for f, turns in found
    ]
    return "\n".join(lines)


def _tools(f: PackFigures) -> str:
    return f"{f.tools} and {f.user_tools} of the user" if f.user_tools else str(f.tools)
