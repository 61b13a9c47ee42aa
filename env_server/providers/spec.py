"""The description of a tool: its name, its schema, the effect of a call, and the result of a call to a server."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from agent_env_schemas import ToolOptions
from env_server.state import State


class ToolKind(StrEnum):
    """Whether a tool may change state."""

    READ = "read"
    WRITE = "write"


READ, WRITE = ToolKind.READ, ToolKind.WRITE


class Effect(StrEnum):
    """The effect that a call of a tool may have."""

    ROWS = "rows"
    """Only the rows of its episode."""

    READ = "read"
    """The call reads from a server outside and changes nothing there."""

    WRITE = "write"
    """The call may change something at a server outside."""


class FailureKind(StrEnum):
    """Why a call to a server failed although the model made no mistake."""

    RATE_LIMITED = "rate_limited"
    UNAVAILABLE = "unavailable"
    TIMED_OUT = "timed_out"
    REFUSED = "refused"
    OVERLOADED = "overloaded"
    """As many episodes as the operator allows have a child process of the server. The call did not take place."""

    OUTCOME_UNKNOWN = "outcome_unknown"
    """A write may or may not have taken place."""

    NOT_RECORDED = "not_recorded"
    """The episode replays recordings, and there is none of this call."""


@dataclass(frozen=True, slots=True)
class ServerListing:
    """A tool as its server lists it."""

    server: str
    name: str
    description: str
    arguments: dict[str, Any]
    """JSON Schema of the arguments."""

    result: dict[str, Any] | None = None
    """JSON Schema of the structured result, if the server states one."""

    read_only: bool = False
    """Whether the server says that the tool changes nothing (`readOnlyHint`)."""

    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ServerResult:
    """The result of one call to a server."""

    text: str
    structured: Any = None
    """The structured content, a JSON value; None if the server gave none."""

    is_error: bool = False
    """Whether the tool failed; `text` says why."""

    failure: FailureKind | None = None
    """The reason of a failure that is not the model's mistake; None for a result, or for a mistake of the model."""

    metrics: Mapping[str, float] = field(default_factory=dict)
    """Figures of the call: `latency_s`, `retries`, `cost_units`."""

    @property
    def outcome(self) -> str:
        """How the call ended: `ok`, `tool_error` for a mistake of the model, or the kind of failure."""
        if self.failure is not None:
            return self.failure
        return "tool_error" if self.is_error else "ok"


@dataclass(frozen=True, eq=False, kw_only=True)
class ToolSpec(ABC):
    """The fields of every tool, of a domain or of a server."""

    kind: ToolKind
    aliases: tuple[str, ...] = ()
    argument_aliases: Mapping[str, str] = field(default_factory=dict)
    transfers: bool = False
    """Whether a successful call transfers the user to people (which ends the episode if the dialect says so)."""

    finishes: bool = False
    """Whether a successful call declares the work done (episodes without a user)."""

    identifies: bool = False
    """Whether it finds or checks the user's identity. Its arguments then have to be values that the user has given."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name by which the agent calls it."""

    @property
    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """The OpenAI function schema."""

    @abstractmethod
    def schema_with(self, types: Mapping[str, Any]) -> dict[str, Any]:
        """Return the OpenAI function schema with other types for some arguments, argument -> type."""

    @property
    @abstractmethod
    def argument_names(self) -> tuple[str, ...]:
        """The arguments that callers give, in order."""


class Effects(Protocol):
    """The calls to the outside of one turn: announced, made once, and stored."""

    deadline: float
    """When the calls of the turn have to end, on the clock of `time.monotonic`."""

    options: ToolOptions
    """How servers are called, as the reset said."""

    cut: bool
    """Whether the turn was interrupted earlier, so that no further call of it is made."""

    async def make(
        self, tool: "ServerTool", arguments: Mapping[str, Any], call: Callable[[], Awaitable[ServerResult]]
    ) -> ServerResult:
        """Return the result of a call. `call` makes it, unless its outcome is stored already.

        Raises:
            NotStored: if the call cannot be announced, and was not made; or if its outcome cannot be stored.
        """

    def changed(self, server: str) -> bool:
        """Return whether an earlier call of the episode may have changed what `server` holds for it."""


class CallScope(NamedTuple):
    """The surroundings of a call to a server: the episode, its rows, its options."""

    state: State
    """The rows of the episode."""

    episode: str
    """The id of the episode. A gold run has an id of its own."""

    now: datetime | None = None
    """The time of the task; None if it names none."""

    effects: Effects | None = None
    """The calls to the outside of the turn; None where nothing outside may be called."""


class Provider(Protocol):
    """Servers with their tools, and the calls of these tools."""

    def tools(self) -> tuple["ServerTool", ...]:
        """Return all tools, in a fixed order."""

    async def forget(self, episode: str) -> None:
        """Free what the servers remember of an episode that has ended."""

    async def rest(self, episode: str) -> None:
        """Free what the servers remember of an episode that nobody plays now, if its next call does not need it."""

    async def aclose(self) -> None:
        """Close all servers."""

    async def call(self, tool: "ServerTool", arguments: Mapping[str, Any], scope: CallScope) -> ServerResult:
        """Call `tool`. A tool that fails is a result with `is_error`; any exception but `NotStored` is a defect."""


class OutsideProvider(Provider, Protocol):
    """Servers outside. Some may not answer at the start, and what they list may change."""

    def tools(self) -> tuple["ServerTool", ...]:
        """Return all tools, in a fixed order: the same tuple again, until a server lists something else."""

    async def ready(self, servers: Collection[str] | None = None) -> None:
        """Wait until each of these servers has listed its tools once, has failed to, or has used up its time.

        None waits for all.
        """

    def tool(self, listing: ServerListing, shown_name: str = "") -> "ServerTool":
        """Return the tool that a server lists, or once listed. `shown_name` is its name for agents."""

    def is_shared(self, server: str) -> bool:
        """Return whether all episodes use one process of `server`, so that they see what others change in it."""

    def missing(self) -> Mapping[str, str]:
        """Return the servers that have not listed their tools yet, each with the reason."""

    def lists_otherwise(self, tool: "ServerTool") -> bool:
        """Return whether the tool's server has listed its tools, and not this one as it is."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ServerTool(ToolSpec):
    """A tool of an MCP server. Its provider calls it, which takes time: the call is awaited."""

    listing: ServerListing
    provider: Provider
    effect: Effect
    shown_name: str = ""
    """The name for the agent, if another server has a tool of the same name."""

    shows: bool = True
    """Whether its results show facts of the world, so that they count as evidence."""

    @property
    def name(self) -> str:
        """The name by which the agent calls it."""
        return self.shown_name or self.listing.name

    @property
    def server(self) -> str:
        """The name of its server."""
        return self.listing.server

    @property
    def schema(self) -> dict[str, Any]:
        """The OpenAI function schema."""
        parameters = {"type": "object", "properties": {}, **untitled(self.listing.arguments)}
        parameters.setdefault("required", [])
        function = {"name": self.name, "description": self.listing.description, "parameters": parameters}
        return {"type": "function", "function": function}

    def schema_with(self, types: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG002 -- the server's schema is final
        """Return the OpenAI function schema. The types of a server's tool cannot be replaced."""
        return self.schema

    @property
    def argument_names(self) -> tuple[str, ...]:
        """The arguments that callers give, in order."""
        return tuple(self.listing.arguments.get("properties", ()))


def untitled(schema: Any) -> Any:
    """Return a JSON Schema without titles, which only cost tokens."""
    if isinstance(schema, dict):
        titled = isinstance(schema.get("title"), str)
        return {k: untitled(v) for k, v in schema.items() if not (k == "title" and titled)}
    if isinstance(schema, list):
        return [untitled(v) for v in schema]
    return schema


class StateLost(Exception):
    """The memory of a server, which the episode needs, is gone and cannot be made again."""


class NotStored(Exception):
    """A call cannot be announced, or its outcome cannot be stored. It is neither a result nor a defect of the tool.

    Attributes:
        reason: the error of the store.
    """

    def __init__(self, reason: Exception) -> None:
        """Store the reason."""
        super().__init__(str(reason))
        self.reason = reason
