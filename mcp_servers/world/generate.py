"""Generates a world from its seed: first the figures, then the texts about them."""

from typing import Any

from mcp_servers.world.accounts import actions
from mcp_servers.world.accounts.figures import figures
from mcp_servers.world.companies.roster import COINS
from mcp_servers.world.market import prices as market
from mcp_servers.world.news.desk import articles
from mcp_servers.world.pages.library import pages
from mcp_servers.world.rows import (
    ARTICLES,
    BARS,
    CHANNELS,
    COMPANIES,
    DIVIDENDS,
    EARNINGS,
    EVENTS,
    MESSAGES,
    PAGES,
    PAIRS,
    PEOPLE,
    SPLITS,
    STATEMENTS,
    TABLES,
    USERS,
    Pair,
)
from mcp_servers.world.store import Table
from mcp_servers.world.workspace.conversations import workspace


def generate(seed: int) -> dict[Table[Any], list[Any]]:
    """Return the rows of all tables."""
    found = figures(seed)
    rows: dict[Table[Any], list[Any]] = {table: [] for table in TABLES}
    rows[COMPANIES] = found.companies
    rows[PAIRS] = [_pair(coin.base, coin.name) for coin in COINS]
    rows[BARS] = [month for ticker, bars in found.bars.items() for month in market.months(ticker, bars)]
    rows[SPLITS] = [row for firm in found.firms for row in actions.split_rows(firm)]
    rows[DIVIDENDS] = [row for several in found.dividends.values() for row in several]
    rows[STATEMENTS] = [row for several in found.statements.values() for row in several]
    rows[EARNINGS] = [row for several in found.earnings.values() for row in several]
    rows[EVENTS] = found.events
    rows[ARTICLES] = articles(found)
    rows[PAGES] = pages(found, rows[ARTICLES])
    rows[USERS], rows[CHANNELS], rows[MESSAGES] = workspace(found, rows[ARTICLES], rows[PAGES])
    rows[PEOPLE] = found.people
    return rows


def _pair(base: str, name: str) -> Pair:
    return {"ticker": f"X:{base}USD", "base": base, "quote": "USD", "name": f"{name} - United States Dollar"}
