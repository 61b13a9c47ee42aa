"""Functions that read the world at a moment. Rows with a date after `now` are invisible.

The cost of a function depends on the size of its answer.

The store is the first positional argument, an aware `now` the last. Callers must not change rows that they read.
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
