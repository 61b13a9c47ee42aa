"""An MCP server for Financial Modeling Prep: quotes, statements, ratios, prices, earnings, dividends, news."""

from mcp_servers.fmp import reports, tools
from mcp_servers.fmp.api import Fmp, Settings
from mcp_servers.kit.serving.server import Server, serve

__all__ = ["Settings", "build"]

INSTRUCTIONS = (
    "Financial data of companies from FMP: quotes, profiles, statements, ratios, key metrics, daily prices, earnings, "
    "dividends, movers and news. Symbols are those of the exchanges; fmp_search_ticker finds them."
)


def build(settings: Settings | None = None) -> Server:
    """Build the server. None takes the settings from the environment."""
    return serve("fmp", [tools, reports], Fmp, settings or Settings(), INSTRUCTIONS)
