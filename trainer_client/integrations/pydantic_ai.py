"""Episodes for Pydantic AI (`pydantic-ai-slim[mcp]`)."""

from functools import partial
from typing import Any

from trainer_client.client import AsyncEpisode
from trainer_client.client.progress import Progress
from trainer_client.integrations.access import access, is_over
from trainer_client.integrations.needed import needed
from trainer_client.integrations.transport import http_client, session_s

with needed("pydantic-ai-slim[mcp]>=2.68", "fastmcp", "mcp", "pydantic_ai"):
    from fastmcp.client import Client
    from fastmcp.client.transports import StreamableHttpTransport
    from mcp import MCPError
    from pydantic_ai import ModelRetry, RunContext
    from pydantic_ai.capabilities import Hooks
    from pydantic_ai.exceptions import SkipModelRequest
    from pydantic_ai.mcp import CallToolFunc, MCPToolset, ToolResult
    from pydantic_ai.messages import ModelResponse, TextPart
    from pydantic_ai.models import ModelRequestContext

OVER = "The episode is over."
"""The output of a run whose episode is over."""


def toolset(episode: Progress) -> MCPToolset[Any]:
    """The episode's tools for `Agent(toolsets=[...])`. The model is told of a tool's error, which does not end the run.

    A call whose connection breaks is sent again under its key, for the `patience_s` of the trainer's client. After that
    the run raises `MCPError`.
    """
    url, headers = access(episode)
    factory: Any = partial(http_client, episode)
    transport = StreamableHttpTransport(url, headers, httpx_client_factory=factory)
    client = Client(transport, timeout=session_s(episode))
    return MCPToolset(client, id=episode.id, tool_error_behavior="failed", process_tool_call=_called)


def until_done(episode: AsyncEpisode) -> Hooks[Any]:
    """A value for `Agent(capabilities=[...])`: once the episode is over, the run ends with the output `OVER`."""

    async def unless_over(_context: RunContext[Any], request: ModelRequestContext) -> ModelRequestContext:
        if await is_over(episode):
            raise SkipModelRequest(ModelResponse([TextPart(OVER)]))
        return request

    return Hooks(before_model_request=unless_over)


async def _called(_context: RunContext[Any], call: CallToolFunc, name: str, arguments: dict[str, Any]) -> ToolResult:
    """Call a tool; if the server could not play the call, raise the error, so that the model does not retry."""
    try:
        return await call(name, arguments)
    except ModelRetry as error:
        if isinstance(error.__cause__, MCPError):
            raise error.__cause__ from None
        raise
