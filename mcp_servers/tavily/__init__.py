"""Tavily as an MCP server: search the web, read pages, answer questions, crawl and map sites."""

from typing import Any

from mcp.server import MCPServer

from mcp_servers.kit.http import Service, Upstream, in_process
from mcp_servers.kit.server import serve
from mcp_servers.tavily import tools
from mcp_servers.tavily.api import Tavily, explain
from mcp_servers.tavily.settings import TAVILY, TavilySettings
from mcp_servers.tavily.stand_in import stand_in

INSTRUCTIONS = (
    "Searches the web and reads pages. Search first, then extract the pages that matter; compare sources that disagree."
)


def build(settings: TavilySettings | None = None) -> MCPServer[Any]:
    """The server."""
    return serve("tavily", tools, make_api, settings or TavilySettings(), INSTRUCTIONS)


def make_api(settings: TavilySettings) -> Tavily:
    """The API behind the tools: Tavily's, or the offline world's where there is no key."""
    key = {"Authorization": f"Bearer {settings.key()}"}
    base_url = TAVILY if settings.offline else settings.base_url
    service = Service("Tavily", base_url, key, explain=explain, **settings.limits())
    return Tavily(Upstream(service, in_process(stand_in(settings.home())) if settings.offline else None))
