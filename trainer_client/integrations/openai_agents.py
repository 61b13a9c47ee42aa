"""Episodes for the OpenAI Agents SDK (`openai-agents`)."""

from functools import partial
from typing import Any

from trainer_client.client import AsyncEpisode
from trainer_client.client.progress import Progress
from trainer_client.integrations.access import CALL_S, access, is_over
from trainer_client.integrations.needed import needed
from trainer_client.integrations.transport import http_client, session_s

with needed("openai-agents", "agents", "mcp"):
    from agents import FunctionToolResult, RunContextWrapper, ToolsToFinalOutputFunction, ToolsToFinalOutputResult
    from agents.mcp import MCPServerStreamableHttp
    from agents.tool import default_tool_error_function
    from mcp import MCPError


def mcp_server(episode: Progress) -> MCPServerStreamableHttp:
    """The episode as an MCP server for `Agent(mcp_servers=[...])`; enter it as an async context first.

    A call whose connection breaks is sent again under its key, for the `patience_s` of the trainer's client. After that
    `Runner.run` raises `UserError`, caused by `MCPError`, and the model never hears of it.
    """
    url, headers = access(episode)
    return MCPServerStreamableHttp(
        params={
            "url": url,
            "headers": headers,
            "timeout": CALL_S,
            "httpx_client_factory": partial(http_client, episode),
        },
        name=episode.id,
        cache_tools_list=True,  # an episode's tools never change
        client_session_timeout_seconds=session_s(episode),
        failure_error_function=_told,
    )


def until_done(episode: AsyncEpisode) -> ToolsToFinalOutputFunction:
    """A value for `Agent(tool_use_behavior=...)`: the run goes on after each call until the episode is over."""

    async def behaviour(
        _context: RunContextWrapper[Any], results: list[FunctionToolResult]
    ) -> ToolsToFinalOutputResult:
        over = await is_over(episode)
        return ToolsToFinalOutputResult(over, results[-1].output if over else None)

    return behaviour


def _told(context: RunContextWrapper[Any], error: Exception) -> str:
    """Tell the model of its own mistakes in a call; raise every other error."""
    if isinstance(error, MCPError):
        raise error
    return default_tool_error_function(context, error)
