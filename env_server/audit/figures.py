"""What is counted of a pack."""

from dataclasses import dataclass

SAMPLE = 100
"""The tasks that means are taken over: the first of the last split, which is `test` where tasks are generated."""


@dataclass(frozen=True, slots=True)
class PackFigures:
    """One pack in figures."""

    domain: str
    pack: str
    tools: int
    """The agent's."""

    user_tools: int
    rows: int
    templates: int
    """In the sample; 0 where tasks come from none."""

    gold_calls: float
    """Calls of a reference solution, on average."""
