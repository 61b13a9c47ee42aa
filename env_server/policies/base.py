"""What a policy is: messages in, messages out, as plain data."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from agent_env_schemas import Action, GoldCallSpec, GoldSpec, Message, ToolCall

Instruct = Callable[[GoldCallSpec], str]
"""The words that ask a user to make a call of their own."""


@dataclass(frozen=True, slots=True)
class Brief:
    """What a policy is told before its episode begins; each looks only at what its rule needs."""

    tools: Sequence[Mapping[str, Any]]
    """The OpenAI function schemas that the agent is shown."""

    gold: GoldSpec = field(default_factory=GoldSpec)
    """The reference solution."""

    script: Mapping[str, Any] | None = None
    """The user's script, as JSON; None where there is none."""

    dues: Sequence[Mapping[str, Any]] = ()
    """What the user has to be told, as JSON."""

    instruct: Instruct | None = None
    """How to ask for gold's calls of the user; None where the user is played from outside and makes them unasked."""

    transfers: tuple[str, ...] = ()
    """The names of the tools that hand the user over."""

    writes: tuple[str, ...] | None = None
    """The names of the tools that change something; None where nobody says."""

    world: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Values of the world by the names that arguments have."""

    near: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Those of them that have to do with the user of this task."""

    solo: bool = False
    """Whether nobody plays the user: the agent has their tools too, and says itself when the work is done."""

    seed: str = ""
    """Fixes everything random."""


@dataclass(frozen=True, slots=True)
class AgentMove:
    """One message of the agent, and what a user who is played from outside does on hearing it."""

    action: Action
    calls: tuple[ToolCall, ...] = ()
    """The calls of their own tools that they make."""

    last: bool = False
    """Whether they end the episode: the agent has nothing to add but repetitions."""


class Policy(Protocol):
    """Plays the agent's side of one episode."""

    async def move(self, heard: Sequence[Message]) -> AgentMove | None:
        """The next message, `heard` being what came since the last; None to leave the episode."""


@dataclass(frozen=True)
class FixedMoves:
    """Makes its moves in order, whatever it hears."""

    moves: Iterator[AgentMove]

    async def move(self, heard: Sequence[Message]) -> AgentMove | None:  # noqa: ARG002 -- it listens to nobody
        """The next of the moves; None after the last."""
        return next(self.moves, None)


def says(words: str, *, last: bool = False) -> AgentMove:
    """The move that says `words` to the user."""
    return AgentMove(Action(content=words), last=last)


def calls(name: str, arguments: Mapping[str, Any]) -> AgentMove:
    """The move that calls a tool."""
    return AgentMove(Action(tool_calls=[ToolCall(name=name, arguments=dict(arguments))]))
