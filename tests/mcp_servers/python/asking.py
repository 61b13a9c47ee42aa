"""A short way for tests to call tools."""

from dataclasses import dataclass
from typing import Any

from mcp.server import MCPServer
from mcp.types import CallToolResult, TextContent

from mcp_servers.python.api import PythonTool


@dataclass
class Asking:
    """A server, what is behind it, and the backend's name."""

    server: MCPServer[Any]
    api: PythonTool
    backend: str

    async def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return the fields of its result that hold something."""
        return filled(await self.raw(tool, **arguments))

    async def raw(self, tool: str, **arguments: Any) -> CallToolResult:
        """Call a tool and return its result."""
        result = await self.server.call_tool(tool, arguments)
        assert isinstance(result, CallToolResult)
        return result


def filled(result: CallToolResult) -> dict[str, Any]:
    """The fields of a result that hold something."""
    return {name: value for name, value in (result.structured_content or {}).items() if value not in (None, "", [])}


def text_of(result: CallToolResult) -> str:
    """The text of a result."""
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))
