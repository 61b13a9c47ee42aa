"""The verdict of a judge and its cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one component of a reward."""

    value: float
    details: Mapping[str, Any]
    """Details for the breakdown beside the value: each single finding with its reason, and the judge's model."""

    usage: Mapping[str, Any]
    """Its usage, in the format of `Usage.dump`."""


def total_usage(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return the total usage of several verdicts of one judge."""
    first, *others = (dict(verdict.usage) for verdict in verdicts)
    for other in others:
        for name, value in other.items():
            if isinstance(value, int | float):
                first[name] = round((first[name] or 0) + value, 9)
    return first
