"""An MCP server for Tavily: search the web, read pages, answer questions, crawl and map sites."""

from mcp_servers.kit.serving.server import Server, serve
from mcp_servers.tavily import tools
from mcp_servers.tavily.api import Settings, Tavily

__all__ = ["Settings", "build"]

INSTRUCTIONS = (
    "Searches the web and reads pages. Search first, then extract the pages that matter; compare sources that disagree."
)


def build(settings: Settings | None = None) -> Server:
    """Build the server. None takes the settings from the environment."""
    return serve("tavily", tools, Tavily, settings or Settings(), INSTRUCTIONS)
