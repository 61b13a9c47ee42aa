"""All servers, found as packages, and the examples of their tools."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args, get_type_hints

import anyio
from mcp.server import MCPServer
from mcp.types import CallToolResult, TextContent, Tool

import mcp_servers
from mcp_servers.kit.settings import Settings
from mcp_servers.world import NOW, world
from mcp_servers.world.store import Scope, within

_EXAMPLE = re.compile(r"^Example: (?P<call>.+)$", re.M)


@cache
def names() -> list[str]:
    """The servers: packages that have a `build`."""
    packages = [each.name for each in pkgutil.iter_modules(mcp_servers.__path__) if each.ispkg]
    return [name for name in packages if hasattr(importlib.import_module(f"mcp_servers.{name}"), "build")]


def settings_of(name: str) -> type[Settings]:
    """The settings that a server is built from."""
    hint = get_type_hints(importlib.import_module(f"mcp_servers.{name}").build)["settings"]
    (found,) = [each for each in get_args(hint) or (hint,) if isinstance(each, type) and issubclass(each, Settings)]
    return found


def build(name: str, **given: Any) -> MCPServer[Any]:
    """A server, whose settings come from here and not from the environment."""
    module, settings = importlib.import_module(f"mcp_servers.{name}"), settings_of(name)
    known = {field: value for field, value in given.items() if field in settings.model_fields}
    server: MCPServer[Any] = module.build(settings(**known))
    return server


@cache
def offline(name: str, _number: int = 1) -> MCPServer[Any]:
    """A server without a key, one for all tests: what calls change lies in the world, of which each test has its own.

    Servers of other numbers share nothing with the first.
    """
    return build(name, api_key=None)


@dataclass(frozen=True)
class Case:
    """A tool and the call that its docstring shows."""

    server: str
    tool: Tool

    def __str__(self) -> str:
        return f"{self.server}-{self.tool.name}"

    @property
    def example(self) -> dict[str, Any]:
        """The arguments of the example."""
        found = _EXAMPLE.search(self.tool.description or "")
        assert found is not None, f"{self.tool.name} shows no example"
        call = ast.parse(found["call"].strip(), mode="eval").body
        assert isinstance(call, ast.Call)
        assert isinstance(call.func, ast.Name)
        meta = self.tool.meta or {}
        assert call.func.id in {self.tool.name, meta.get("alias_of")}, "the example calls another tool"
        return {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}


@cache
def cases() -> list[Case]:
    """Every tool of every server; other names of a tool are left out, as they are the same function."""

    async def listed() -> list[Case]:
        return [
            Case(name, tool)
            for name in names()
            for tool in await offline(name).list_tools()
            if "alias_of" not in (tool.meta or {})
        ]

    return anyio.run(listed)


@contextmanager
def fresh_world() -> Iterator[None]:
    """A world of its own for the calls of the body."""
    with within(Scope(world(), NOW)):
        yield


async def call(server: MCPServer[Any], tool: str, arguments: dict[str, Any]) -> CallToolResult:
    """Call a tool in this process."""
    result = await server.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult)
    return result


def text_of(result: CallToolResult) -> str:
    """The text of a result."""
    return "\n".join(each.text for each in result.content if isinstance(each, TextContent))
