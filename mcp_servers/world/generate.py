"""The world from its seed: each part in the order in which it follows from the others."""

from typing import Any

from mcp_servers.world import actions, market
from mcp_servers.world.companies import firms
from mcp_servers.world.names import Names
from mcp_servers.world.roster import COINS
from mcp_servers.world.rows import BARS, COMPANIES, DIVIDENDS, PAIRS, PEOPLE, SPLITS, TABLES, BarMonth, Pair
from mcp_servers.world.store import Table


def generate(seed: int) -> dict[Table[Any], list[Any]]:
    """The rows of all tables."""
    rows: dict[Table[Any], list[Any]] = {table: [] for table in TABLES}
    companies = firms(seed, Names(seed))
    rows[COMPANIES] = [firm.row for firm in companies]
    rows[PAIRS] = [_pair(coin.base, coin.name) for coin in COINS]
    bars: list[BarMonth] = []
    for firm in companies:
        dividends = actions.dividend_rows(seed, firm)
        rows[DIVIDENDS] += dividends
        rows[SPLITS] += actions.split_rows(firm)
        rows[PEOPLE] += [*firm.chiefs, firm.founder, firm.finance]
        bars += market.months(firm.ticker, market.stock_bars(seed, firm, {}, dividends))
    for coin in COINS:
        bars += market.months(f"X:{coin.base}USD", market.crypto_bars(seed, coin, {}))
    rows[BARS] = bars
    return rows


def _pair(base: str, name: str) -> Pair:
    return {"ticker": f"X:{base}USD", "base": base, "quote": "USD", "name": f"{name} - United States Dollar"}
