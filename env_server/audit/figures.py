"""The size of a pack: its tools, rows and templates, and the mean length of its tasks."""

from dataclasses import dataclass

SAMPLE = 100
"""Number of tasks for means: the first tasks of the last split, which is `test` if tasks are generated."""


@dataclass(frozen=True, slots=True)
class PackFigures:
    """One line of the table of domains."""

    domain: str
    pack: str
    tools: int
    """Number of the agent's tools."""

    user_tools: int
    rows: int
    templates: int
    """Number of templates in the sample; 0 if tasks do not come from templates."""

    gold_calls: float
    """Mean number of calls in a reference solution."""
