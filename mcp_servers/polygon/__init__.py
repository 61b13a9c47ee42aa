"""Market data of Polygon, now called Massive: bars, details, news, snapshots, splits, dividends, indicators."""

from mcp_servers.kit.serving.server import Server, serve
from mcp_servers.polygon import indicator_tools, more_tools, tools
from mcp_servers.polygon.api import NAME, Polygon, Settings

__all__ = ["Settings", "build"]

INSTRUCTIONS = (
    "Prices, news and reference data of US stocks and crypto pairs (X:BTCUSD) from Polygon. Dates are YYYY-MM-DD in "
    "New York, in UTC for crypto; times are UTC. list_tickers finds the ticker of a company. Prices are adjusted for "
    "splits unless adjusted=false."
)


MODULES = [tools, more_tools, indicator_tools]


def build(settings: Settings | None = None) -> Server:
    """Build the server. None takes the settings from the environment."""
    return serve(NAME, MODULES, Polygon, settings or Settings(), INSTRUCTIONS)
