"""The OpenAI Agents SDK (`openai-agents`)."""

from agents.mcp import MCPServerStreamableHttp
from agents.mcp.util import MCPToolMetaContext

from trainer_client.integrations.access import CALL_S, access, call_meta
from trainer_client.progress import Progress

RETRIES = 3
"""How often a call whose connection broke is sent again; each call has a key, so it is played once."""


def mcp_server(episode: Progress) -> MCPServerStreamableHttp:
    """The episode as an MCP server for `Agent(mcp_servers=[...])`; enter it as an async context first."""
    url, headers = access(episode)
    return MCPServerStreamableHttp(
        params={"url": url, "headers": headers, "timeout": CALL_S},
        name=episode.id,
        cache_tools_list=True,  # an episode's tools never change
        client_session_timeout_seconds=CALL_S,
        max_retry_attempts=RETRIES,
        tool_meta_resolver=_meta,
    )


def _meta(_call: MCPToolMetaContext) -> dict[str, str]:
    return call_meta()
