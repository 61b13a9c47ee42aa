"""What differs between the ways in by which an agent's messages come."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Channel:
    """How messages that come this way are played and answered; by default as `/step` does it."""

    looks: bool = True
    """Whether a message without a number is played only after a look into SQL for what another process has played.

    Without it that is found out by the commit, which costs less where one process plays an episode.
    """

    waits: bool = True
    """Whether the answer to the last message waits for the judge; else the score is made after it."""

    misused: Mapping[str, str] = field(default_factory=dict)
    """What a call is answered that goes by a name of the channel's own, which is no tool: name -> text."""


STEP = Channel()
