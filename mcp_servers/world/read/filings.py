"""Reads statements and results that were published until now, and computes the current shares."""

from datetime import datetime

from mcp_servers.world import calendar
from mcp_servers.world.read.prices import factor, previous_close
from mcp_servers.world.rows import COMPANIES, EARNINGS, STATEMENTS, Earnings, Statement
from mcp_servers.world.store import Store

PER_SHARE = ("eps", "eps_diluted", "dividends_per_share")
COUNTS = ("shares", "shares_diluted", "shares_outstanding")


def statements(store: Store, ticker: str, now: datetime, *, adjusted: bool = True) -> list[Statement]:
    """Return the company's filed quarters, newest first.

    Args:
        store: The world.
        ticker: The ticker of the company.
        now: The current time. Later filings are invisible.
        adjusted: Whether to convert shares and amounts per share to the shares of `now`. Otherwise they stay as filed.
    """
    at = calendar.stamp(now)
    found = [row for row in store.rows(STATEMENTS).find("ticker", ticker) if row["accepted"] <= at]
    found.reverse()
    return [_in_shares_of(row, factor(store, ticker, row["ends"], now)) for row in found] if adjusted else found


def earnings(store: Store, ticker: str, now: datetime, *, adjusted: bool = True) -> list[Earnings]:
    """Return the company's announced results with the expectations, newest first."""
    at = calendar.stamp(now)
    found = [row for row in store.rows(EARNINGS).find("ticker", ticker) if row["at"] <= at]
    found.reverse()
    return [_earned(row, factor(store, ticker, row["date"], now)) for row in found] if adjusted else found


def shares(store: Store, ticker: str, now: datetime) -> int:
    """Return the shares outstanding at `now`: those of the last filed quarter, adjusted for splits since then."""
    filed = statements(store, ticker, now, adjusted=False)
    if filed:
        return round(filed[0]["balance"]["shares_outstanding"] * factor(store, ticker, filed[0]["ends"], now))
    row = store.rows(COMPANIES).get(ticker)
    return round(row["shares"] * factor(store, ticker, calendar.START, now)) if row is not None else 0


def market_cap(store: Store, ticker: str, now: datetime) -> float | None:
    """Return the last close times the shares outstanding. Return None if there is no bar yet."""
    bar = previous_close(store, ticker, now)
    return None if bar is None else round(bar["close"] * shares(store, ticker, now), 2)


def _in_shares_of(row: Statement, shares: float) -> Statement:
    if shares == 1.0:
        return row
    parts = {}
    for name, part in (("income", row["income"]), ("balance", row["balance"]), ("cash", row["cash"])):
        parts[name] = {
            field: round(value / shares, 4)
            if field in PER_SHARE
            else round(value * shares)
            if field in COUNTS
            else value
            for field, value in part.items()
        }
    return {**row, "income": parts["income"], "balance": parts["balance"], "cash": parts["cash"]}


def _earned(row: Earnings, shares: float) -> Earnings:
    if shares == 1.0:
        return row
    return {
        **row,
        "eps": round(row["eps"] / shares, 4),
        "eps_expected": round(row["eps_expected"] / shares, 4),
    }
