"""The interface of a policy: messages in, messages out, as plain data."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from agent_env_schemas import Action, GoldCallSpec, GoldSpec, Message, ToolCall

Instruct = Callable[[GoldCallSpec], str]
"""The function that returns the words which ask a user to make a call of their own."""


@dataclass(frozen=True, slots=True)
class Brief:
    """The inputs of a policy before its episode begins. Each policy reads only the fields that its rule needs."""

    tools: Sequence[Mapping[str, Any]]
    """The OpenAI function schemas of the agent's tools."""

    gold: GoldSpec = field(default_factory=GoldSpec)
    """The reference solution."""

    script: Mapping[str, Any] | None = None
    """The user's script, as JSON; None if the task has no script."""

    dues: Sequence[Mapping[str, Any]] = ()
    """The facts that the agent has to tell the user, as JSON."""

    instruct: Instruct | None = None
    """The function that asks the user for gold's calls; None if the user is external and makes the calls unasked."""

    transfers: tuple[str, ...] = ()
    """The names of the tools that transfer the user."""

    writes: tuple[str, ...] | None = None
    """The names of the tools that change something; None if unknown."""

    world: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Values of the world by argument names."""

    near: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Values that belong to the user of this task, by argument names."""

    solo: bool = False
    """Whether there is no user: the agent has the user's tools too, and itself declares the work done."""

    seed: str = ""
    """The seed of every random choice."""


@dataclass(frozen=True, slots=True)
class AgentMove:
    """One message of the agent, and the reaction of an external user to it."""

    action: Action
    calls: tuple[ToolCall, ...] = ()
    """The calls that the external user makes with their own tools."""

    last: bool = False
    """Whether the external user ends the episode: the agent has only repetitions left."""


class Policy(Protocol):
    """A player of the agent's side of one episode."""

    async def move(self, heard: Sequence[Message]) -> AgentMove | None:
        """Return the next message; `heard` holds the messages since the last one. None leaves the episode."""


@dataclass(frozen=True)
class FixedMoves:
    """A policy that plays fixed moves in order, whatever messages arrive."""

    moves: Iterator[AgentMove]

    async def move(self, heard: Sequence[Message]) -> AgentMove | None:  # noqa: ARG002 -- it listens to nobody
        """Return the next of the moves; None after the last."""
        return next(self.moves, None)


def says(words: str, *, last: bool = False) -> AgentMove:
    """Return the move that says `words` to the user."""
    return AgentMove(Action(content=words), last=last)


def calls(name: str, arguments: Mapping[str, Any]) -> AgentMove:
    """Return the move that calls a tool."""
    return AgentMove(Action(tool_calls=[ToolCall(name=name, arguments=dict(arguments))]))
