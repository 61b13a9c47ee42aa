"""What a simulated user is: a function of task, seed, its private notes and the agent's message."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from env_server.domains.kit import Hands, Task, Tool, Use
from env_server.hearing import ChangePlace, Heard

STOP = "###STOP###"
"""A user message that is exactly this line ends the episode."""


class UserRefused(ValueError):
    """A user that was asked for cannot be had from this server."""


@dataclass(frozen=True, slots=True)
class UserReply:
    """One message of the user."""

    content: str
    stop: bool = False
    """Whether the user ends the episode with it; `content` is then `STOP`."""

    notes: dict[str, Any] = field(default_factory=dict)
    """What the user has to remember, as plain JSON; committed with the turn, so that any process can go on."""

    usage: dict[str, Any] | None = None
    """What the message cost, where a language model made it: `info.user_usage` of the turn."""

    answers: Mapping[str, str] = field(default_factory=dict)
    """What the model said, by the digests of the questions; kept for the response cache if the turn is committed."""

    heard: "Hearing | None" = None
    """What the user has heard in the agent's message, where they read it by rules."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """What a user made of one message; the rewards go by it, and the agent never sees it."""

    heard: Heard
    agreed: tuple[ChangePlace, ...] = ()
    """The changes to which the user said yes."""

    confirmed: tuple[ChangePlace, ...] = ()
    """The changes of which the agent said, asked back, that they are made."""

    contradicted: bool = False
    """Whether a third proposal contradicted one and the same wish."""

    gave_up: bool = False
    """Whether the user gave up over messages that moved no wish."""

    understood: bool = True
    """Whether the user could read the message."""


@dataclass(frozen=True, slots=True)
class OwnTools:
    """What a user can do themselves, in domains where they can."""

    tools: Mapping[str, Tool]
    use: Use
    """Calls one of the tools on the episode's state and gives what it shows."""

    hands: Hands | None
    """How instructions in words become calls, where the domain says so."""

    schemas: Sequence[Mapping[str, Any]] = ()
    """The tools as OpenAI function schemas."""

    calls: int = 0
    """How many calls the agent has made so far: a user does not hang up on an agent that is at work."""


class User(Protocol):
    """A strategy for playing the user. It keeps nothing between calls: notes go in and come out."""

    @property
    def name(self) -> str:
        """What `user.strategy` calls it."""

    @property
    def remote(self) -> bool:
        """Whether it asks another machine, so that a turn has to be claimed first."""

    @property
    def awaits(self) -> bool:
        """Whether its messages come from outside; then neither method below is called."""

    async def first(self, task: Task, seed: int) -> UserReply:
        """The message that opens the conversation.

        Raises:
            ModelUnavailable: if there is none now.
            SpendCapReached: if it would cost more than the run may.
        """

    async def reply(self, task: Task, seed: int, notes: dict[str, Any], message: str, own: OwnTools) -> UserReply:
        """The answer to the agent's `message`; `notes` are those of the user's last message.

        What the user does with their `own` tools on the way counts if the turn is committed.

        Raises:
            ModelUnavailable: if there is none now.
            SpendCapReached: if it would cost more than the run may.
        """
