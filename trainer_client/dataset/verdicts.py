"""What an audit says of a task."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from trainer_client.dataset.source import SourceTask


class Reason(StrEnum):
    """Why a task is dropped."""

    UNREADABLE = "unreadable"
    """It is not of the form of a task."""

    UNKNOWN_DOMAIN = "unknown_domain"
    """The server has no such domain, or the domain no such pack."""

    REFUSED = "refused"
    """The server refuses it: gold names a tool that is not there, say."""

    GOLD_FAILS = "gold_fails"
    """A call of gold's cannot be read, or is answered with an error."""

    GOLD_CHANGES_NOTHING = "gold_changes_nothing"
    """After gold the state is what it was before."""

    GOLD_SCORES_0 = "gold_scores_0"
    """Playing gold and telling its outputs is not worth 1."""

    DUPLICATE = "duplicate"
    """A task that was kept has the same instruction."""


@dataclass(frozen=True, slots=True)
class Drop:
    """A task that is left out, and why."""

    position: int
    domain: str | None
    reason: Reason
    detail: str


@dataclass(frozen=True, slots=True)
class Sound:
    """A task that measures something."""

    task: SourceTask
    body: dict[str, Any]
    """The task as `/reset` takes it."""

    pack_version: str
    """Of the pack that its gold was played on."""


Verdict = Sound | Drop


def drop(task: SourceTask, reason: Reason, detail: str) -> Drop:
    """`task` left out."""
    return Drop(task.position, task.domain, reason, detail)
