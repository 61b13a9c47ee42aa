"""Pydantic AI (`pydantic-ai-slim[mcp]`)."""

from functools import partial
from typing import Any

from fastmcp.client import Client
from fastmcp.client.transports import StreamableHttpTransport
from mcp import MCPError
from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.mcp import CallToolFunc, MCPToolset, ToolResult

from trainer_client.integrations.access import access
from trainer_client.integrations.transport import http_client, session_s
from trainer_client.progress import Progress


def toolset(episode: Progress) -> MCPToolset[Any]:
    """The episode's tools for `Agent(toolsets=[...])`. A tool's error is told to the model and does not end the run.

    A call whose connection breaks is sent again under its key, for as long as the trainer's client is patient. Then
    `MCPError` leaves the run.
    """
    url, headers = access(episode)
    factory: Any = partial(http_client, episode)
    transport = StreamableHttpTransport(url, headers, httpx_client_factory=factory)
    client = Client(transport, timeout=session_s(episode))
    return MCPToolset(client, id=episode.id, tool_error_behavior="failed", process_tool_call=_called)


async def _called(_context: RunContext[Any], call: CallToolFunc, name: str, arguments: dict[str, Any]) -> ToolResult:
    """Call a tool; what could not be played is not the model's to try again."""
    try:
        return await call(name, arguments)
    except ModelRetry as error:
        if isinstance(error.__cause__, MCPError):
            raise error.__cause__ from None
        raise
