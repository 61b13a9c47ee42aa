"""Reading the world as it is at a moment. Nothing that is dated after `now` exists; each function costs its answer.

The store comes first, an aware `now` last among the positional arguments. Rows that are read must not be changed.
"""

from mcp_servers.world.read.common import is_pair
from mcp_servers.world.read.filings import earnings, market_cap, shares, statements
from mcp_servers.world.read.intraday import hours, minutes, so_far
from mcp_servers.world.read.prices import (
    bars,
    dividends,
    factor,
    grouped,
    last_bars,
    last_day,
    previous_close,
    splits,
)
from mcp_servers.world.read.slack import channel, channels, history, moment, replies, users
from mcp_servers.world.read.subjects import companies, company, events, near, pair, pairs
from mcp_servers.world.read.texts import article, as_page, news, page, pages

__all__ = [
    "article", "as_page", "bars", "channel", "channels", "companies", "company", "dividends", "earnings", "events",
    "factor", "grouped", "history", "hours", "is_pair", "last_bars", "last_day", "market_cap", "minutes", "moment",
    "near", "news", "page", "pages", "pair", "pairs", "previous_close", "replies", "shares", "so_far",
    "splits", "statements", "users",
]  # fmt: skip
