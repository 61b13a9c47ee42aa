"""Dispatch: find the tool, check the arguments, call it, and turn whatever happens into an observation."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from env_server.domains.kit import Dialect, Tool, ToolError
from env_server.state import Db, FrozenDict
from env_server.tools.arguments import ArgumentError, bind
from env_server.tools.deadline import GUARD, CutOff


class Fault(StrEnum):
    """Why a call failed."""

    UNKNOWN_TOOL = "unknown_tool"
    BAD_ARGUMENTS = "bad_arguments"
    TOOL_ERROR = "tool_error"


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """What one call came to. A failed call leaves the state as it was."""

    name: str
    """The tool's own name where it is known, else the name as called."""

    arguments: dict[str, Any]
    """The arguments after aliases and coercion (as called, where they were refused)."""

    text: str
    fault: Fault | None = None
    tool: Tool | None = None


class ToolCrashed(Exception):
    """A tool raised something that is neither its own check nor the model's fault: a defect of the server.

    The text is for the operator; `blame` names the tool and the kind of error, and may be told to callers.
    """

    def __init__(self, blame: str, cause: object = None) -> None:
        """Take whom to blame for what, and what was raised, where its text says more."""
        self.blame = blame
        super().__init__(blame if cause is None else f"{blame}: {cause}")


class ToolHung(ToolCrashed):
    """A tool took too long and was cut off, wherever in it that was."""


class Toolset:
    """The tools of one side under one dialect, looked up by name or alias."""

    def __init__(
        self, tools: Mapping[str, Tool], dialect: Dialect, after: Callable[[Db[Any]], None] | None = None
    ) -> None:
        """Index `tools` by name and, where the dialect allows, by alias; `after` follows each successful call."""
        self.dialect = dialect
        self.after = after
        self.tools = dict(tools)
        self.names = dict(tools)
        if dialect.aliases:
            self.names |= {a: t for t in tools.values() for a in t.aliases if a not in tools}

    def call(self, db: Db[Any], name: str, arguments: Mapping[str, Any]) -> CallOutcome:
        """Call `name` with `arguments` on `db`.

        Raises:
            ToolCrashed: if the tool has a defect (`ToolHung`: if it was cut off); the state is as before the call.
        """
        dialect = self.dialect
        tool = self.names.get(name)
        given = dict(arguments)
        if tool is None:
            text = dialect.unknown_tool.format(name=name, known=", ".join(self.tools))
            return CallOutcome(name, given, text, Fault.UNKNOWN_TOOL)
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


def render(result: Any) -> str:
    """A tool's result as the agent reads it: text as it is, anything else as ASCII JSON in its own key order."""
    if isinstance(result, str):
        return result
    return result.text if isinstance(result, FrozenDict) else json.dumps(result)
