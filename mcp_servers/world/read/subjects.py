"""Reads companies, pairs, and their events until now."""

from datetime import datetime
from difflib import get_close_matches

from mcp_servers.world import calendar
from mcp_servers.world.read.common import current_day
from mcp_servers.world.read.filings import shares
from mcp_servers.world.rows import COMPANIES, EVENTS, PAIRS, Company, Event, Pair
from mcp_servers.world.store import Store


def company(store: Store, ticker: str, now: datetime) -> Company | None:
    """Return a company with its chief executive and number of shares at `now`."""
    row = store.rows(COMPANIES).get(ticker.upper())
    if row is None:
        return None
    found: Company = {**row, "shares": shares(store, row["ticker"], now)}
    chiefs = [event for event in events(store, row["ticker"], now) if event["kind"] == "chief"]
    for event in chiefs:
        if str(event["facts"]["effective"]) <= current_day(now):
            found["ceo"] = str(event["facts"]["arriving"])
    return found


def companies(store: Store, now: datetime) -> list[Company]:
    """Return all companies, each as `company` returns it."""
    return [found for row in store.rows(COMPANIES) if (found := company(store, row["ticker"], now)) is not None]


def pair(store: Store, ticker: str) -> Pair | None:
    """Return a crypto pair, such as X:BTCUSD."""
    return store.rows(PAIRS).get(ticker.upper())


def pairs(store: Store) -> list[Pair]:
    """Return all crypto pairs."""
    return list(store.rows(PAIRS))


def near(store: Store, ticker: str) -> list[str]:
    """Return tickers that look like `ticker`, the nearest first."""
    known = [row["ticker"] for row in store.rows(COMPANIES)] + [row["ticker"] for row in store.rows(PAIRS)]
    return get_close_matches(ticker.upper(), known, n=3, cutoff=0.5)


def events(store: Store, ticker: str, now: datetime) -> list[Event]:
    """Return the events of a company or a pair, oldest first."""
    at = calendar.stamp(now)
    return [row for row in store.rows(EVENTS).find("ticker", ticker) if row["at"] <= at]
