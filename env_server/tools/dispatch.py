"""Dispatch of a call: find the tool, check the arguments, call it, and turn the result or error into an observation."""

import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from env_server.domains.kit import Dialect, Tool, ToolError
from env_server.providers.spec import CallScope, Effect, FailureKind, NotStored, ServerTool, StateLost, ToolSpec
from env_server.state import Db, FrozenDict
from env_server.tools.arguments import ArgumentError, bind
from env_server.tools.deadline import GUARD, CutOff


class Fault(StrEnum):
    """The reason why a call failed."""

    UNKNOWN_TOOL = "unknown_tool"
    BAD_ARGUMENTS = "bad_arguments"
    TOOL_ERROR = "tool_error"
    OUTAGE = "outage"
    """A server failed. It is not the model's mistake."""


class CallOutcome(NamedTuple):
    """The result of one call. A failed call leaves the state unchanged."""

    name: str
    """The tool's own name if the tool is known, else the name in the call."""

    arguments: dict[str, Any]
    """The arguments after aliases and type conversion; the original ones if they were refused."""

    text: str
    fault: Fault | None = None
    tool: ToolSpec | None = None
    structured: Any = None
    """The structured result of a server's tool."""

    failure: FailureKind | None = None
    """Why the server failed, if it did."""

    metrics: Mapping[str, float] = MappingProxyType({})
    """Figures of a call to a server."""


class ToolCrashed(Exception):
    """An unexpected error in a tool: a defect of the server, neither the tool's own check nor the model's mistake.

    The message is for the operator. `blame` names the tool and the kind of error, and may be shown to callers.
    """

    def __init__(self, blame: str, cause: object = None) -> None:
        """Store `blame` and add the text of `cause` to the message, if there is one."""
        self.blame = blame
        super().__init__(blame if cause is None else f"{blame}: {cause}")


class ToolHung(ToolCrashed):
    """A tool that took too long and was cut off."""


class Toolset:
    """The tools of one side (agent or user) under one dialect, found by name or alias."""

    def __init__(
        self, tools: Mapping[str, ToolSpec], dialect: Dialect, after: Callable[[Db[Any]], None] | None = None
    ) -> None:
        """Index `tools` by name and, if the dialect allows, by alias. `after` runs after each successful call."""
        self.dialect = dialect
        self.after = after
        self.tools = dict(tools)
        from_servers = [tool for tool in tools.values() if isinstance(tool, ServerTool)]
        self.waits = bool(from_servers)
        """Whether a call may take time."""
        self.outside = any(tool.effect is not Effect.ROWS for tool in from_servers)
        """Whether a call may reach the outside."""
        self.names = dict(tools)
        if dialect.aliases:
            for tool in tools.values():
                for alias in tool.aliases:
                    self.names.setdefault(alias, tool)  # an alias of two tools belongs to the first one
        for tool in tools.values():
            if isinstance(tool, ServerTool):
                for joined in ("__", "."):
                    self.names.setdefault(f"{tool.server}{joined}{tool.listing.name}", tool)

    @property
    def of_servers(self) -> frozenset[str]:
        """The names under which tools of MCP servers are called. Others may have written their results."""
        return frozenset(name for name, tool in self.names.items() if isinstance(tool, ServerTool))

    def leaves(self, name: str) -> bool:
        """Return whether a call of `name` may reach the outside."""
        tool = self.names.get(name)
        return isinstance(tool, ServerTool) and tool.effect is not Effect.ROWS

    def call(self, db: Db[Any], name: str, arguments: Mapping[str, Any]) -> CallOutcome:
        """Call `name` with `arguments` on `db`.

        Raises:
            ToolCrashed: if the tool has a defect (`ToolHung`: if it was cut off); the state is as before the call.
        """
        dialect = self.dialect
        tool = self.names.get(name)
        given = dict(arguments)
        if not isinstance(tool, Tool):
            return self._unknown(name, given)
        try:
            bound = bind(tool, given, aliases=dialect.aliases, types=dialect.checks_types)
        except ArgumentError as e:
            return CallOutcome(tool.name, given, dialect.error.format(message=e), Fault.BAD_ARGUMENTS, tool)
        rollback = db.state.savepoint() if tool.kind == "write" or self.after else None
        try:
            with GUARD:
                text = render(tool(db, **bound))
                if self.after is not None:
                    self.after(db)
        except CutOff as e:
            if rollback is not None:
                rollback()
            raise ToolHung(f"{tool.name}: took too long (more than {GUARD.limit_s:g} s) and was cut off") from e
        except Exception as e:
            if rollback is not None:
                rollback()
            if not isinstance(e, ToolError) and not dialect.crash_is_observation:
                raise ToolCrashed(f"{tool.name}: {type(e).__name__}", e) from e
            return CallOutcome(tool.name, bound, dialect.error.format(message=e), Fault.TOOL_ERROR, tool)
        return CallOutcome(tool.name, bound, text, None, tool)

    async def call_any(self, scope: CallScope, name: str, arguments: Mapping[str, Any]) -> CallOutcome:
        """Call `name` with `arguments` in `scope`. It may be a tool of a server, which takes time.

        Raises:
            ToolCrashed: as `call`.
            StateLost: if the memory of a server is gone.
            NotStored: if the database fails, or another process has taken the turn over.
        """
        tool = self.names.get(name)
        if not isinstance(tool, ServerTool):
            return self.call(Db(scope.state, self.dialect), name, arguments)
        given = dict(arguments)
        rollback = scope.state.savepoint()
        try:
            result = await tool.provider.call(tool, given, scope)
        except StateLost:
            raise
        except BaseException as e:
            rollback()
            if isinstance(e, Exception) and not isinstance(e, NotStored):
                raise ToolCrashed(f"{tool.name}: {type(e).__name__}", e) from e
            raise
        fault = None
        if result.is_error:
            fault = Fault.TOOL_ERROR if result.failure is None else Fault.OUTAGE
        return CallOutcome(
            tool.name, given, result.text, fault, tool, result.structured, result.failure, result.metrics
        )

    def _unknown(self, name: str, given: dict[str, Any]) -> CallOutcome:
        text = self.dialect.unknown_tool.format(name=name, known=", ".join(self.tools))
        return CallOutcome(name, given, text, Fault.UNKNOWN_TOOL)


def render(result: Any) -> str:
    """Return a tool's result for the agent: text unchanged, other values as ASCII JSON in their own key order."""
    if isinstance(result, str):
        return result
    return result.text if isinstance(result, FrozenDict) else json.dumps(result)
