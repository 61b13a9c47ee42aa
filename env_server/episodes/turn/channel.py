"""Differences between the interfaces that deliver an agent's messages."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Move(NamedTuple):
    """An agent's message that did not come as a request. Its fields are those of `StepRequest`."""

    episode_id: str
    turn: int | None
    action: dict[str, Any]
    """The message as plain data: `{content}` or `{tool_calls}`."""

    metadata: None = None
    forced_action: bool = False


@dataclass(frozen=True, slots=True)
class Channel:
    """Options of the interface that delivers a message. The defaults are those of `/step`."""

    looks: bool = True
    """Whether a message without a turn number is played only after a check of SQL for other processes' commits.

    Without the check, the commit detects the conflict. That costs less if one process plays the episode.
    """

    waits: bool = True
    """Whether the reply to the last message waits for the judge. Otherwise the score is made after the reply."""

    misused: Mapping[str, str] = field(default_factory=dict)
    """Replies to calls of names that belong to the interface and are no tools: name -> text."""


STEP = Channel()
