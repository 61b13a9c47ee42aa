"""The interface of a simulated user: a function of the task, the seed, its private notes and the agent's message."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from env_server.domains.kit import Hands, Task, Tool, Use
from env_server.understanding import ChangePlace, Heard


class UserRefused(ValueError):
    """The server cannot provide the requested user."""


@dataclass(frozen=True, slots=True)
class UserReply:
    """One message of the user."""

    content: str
    stop: bool = False
    """Whether the message ends the episode; `content` is then `USER_STOP`."""

    notes: dict[str, Any] = field(default_factory=dict)
    """The user's memory as plain JSON. It is committed with the turn, so that any process can continue the episode."""

    usage: dict[str, Any] | None = None
    """The token usage and cost of the message, if a language model wrote it: `info.user_usage` of the turn."""

    answers: Mapping[str, str] = field(default_factory=dict)
    """The model's answers by the digests of their questions. The response cache stores them if the turn
    is committed.
    """

    heard: "Hearing | None" = None
    """The user's interpretation of the agent's message, if the user reads it by rules."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """The user's interpretation of one message. The rewards use it; the agent never sees it."""

    heard: Heard
    agreed: tuple[ChangePlace, ...] = ()
    """The changes that the user agreed to."""

    confirmed: tuple[ChangePlace, ...] = ()
    """The changes that the agent reported as done after the user asked whether they were done."""

    contradicted: bool = False
    """Whether a third proposal contradicted the same wish."""

    gave_up: bool = False
    """Whether the user gave up because too many messages moved no wish."""

    understood: bool = True
    """Whether the user could read the message."""


@dataclass(frozen=True, slots=True)
class OwnTools:
    """The tools of the user, in domains where the user has tools."""

    tools: Mapping[str, Tool]
    use: Use
    """Call one of the tools on the episode's state and return its output."""

    hands: Hands | None
    """The rules that turn instructions in words into calls, if the domain has such rules."""

    schemas: Sequence[Mapping[str, Any]] = ()
    """The tools as OpenAI function schemas."""

    calls: int = 0
    """The number of calls that the agent has made so far. A user does not hang up while the agent is working."""


class User(Protocol):
    """A strategy that plays the user. It keeps no state between calls: notes are passed in and returned."""

    @property
    def name(self) -> str:
        """The name of the strategy in `user.strategy`."""

    @property
    def remote(self) -> bool:
        """Whether it sends requests to another machine, so that a turn has to be claimed first."""

    @property
    def awaits(self) -> bool:
        """Whether its messages come from outside. If so, the two methods below are not called."""

    async def first(self, task: Task, seed: int) -> UserReply:
        """Return the message that opens the conversation.

        Raises:
            ModelUnavailable: if the model cannot answer now.
            SpendCapReached: if the run has reached its token limit.
        """

    async def reply(self, task: Task, seed: int, notes: dict[str, Any], message: str, own: OwnTools) -> UserReply:
        """Return the answer to the agent's `message`; `notes` are those of the user's last message.

        The effects of calls of the user's `own` tools are kept if the turn is committed.

        Raises:
            ModelUnavailable: if the model cannot answer now.
            SpendCapReached: if the run has reached its token limit.
        """
