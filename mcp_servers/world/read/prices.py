"""Reads prices, splits and dividends until now."""

from datetime import datetime

from mcp_servers.world import calendar
from mcp_servers.world.read.common import current_day, is_pair, months, months_back
from mcp_servers.world.rows import BARS, COMPANIES, DIVIDENDS, PAIRS, SPLITS, Bar, Dividend, Split
from mcp_servers.world.store import Store


def last_day(ticker: str, now: datetime) -> str | None:
    """Return the last day whose bar of `ticker` is complete at `now`, or None before the first."""
    day = calendar.last_day(now) if is_pair(ticker) else calendar.last_session(now)
    if day is None or day < calendar.START:
        return None
    return min(day, calendar.END)


def splits(store: Store, ticker: str, now: datetime) -> list[Split]:
    """Return the company's announced splits, oldest first. The last split may not be in effect yet."""
    day = current_day(now)
    return [row for row in store.rows(SPLITS).find("ticker", ticker) if row["announced"] <= day]


def dividends(store: Store, ticker: str, now: datetime) -> list[Dividend]:
    """Return the company's declared dividends, oldest first."""
    day = current_day(now)
    return [row for row in store.rows(DIVIDENDS).find("ticker", ticker) if row["declared"] <= day]


def factor(store: Store, ticker: str, day: str, now: datetime) -> float:
    """Return how many shares of `now` one share of `day` has become."""
    today, found = current_day(now), 1.0
    for split in store.rows(SPLITS).find("ticker", ticker):
        if day < split["date"] <= today:
            found *= split["after"] / split["before"]
    return found


def bars(store: Store, ticker: str, start: str, end: str, now: datetime, *, adjusted: bool = True) -> list[Bar]:
    """Return the daily bars from `start` to `end` (ISO dates, both included), oldest first.

    Args:
        store: The world.
        ticker: The ticker of a company or a pair.
        start: The first day.
        end: The last day.
        now: The current time. Days that have not ended have no bar.
        adjusted: Whether to convert older bars to the shares of `now`. Otherwise they stay as traded.
    """
    last = last_day(ticker, now)
    if last is None or start > end:
        return []
    start, end = max(start, calendar.START), min(end, last)
    rows = store.rows(BARS)
    found = []
    for month in months(start, end):
        row = rows.get(f"{ticker}:{month}")
        if row is not None:
            found += [bar for bar in row["bars"] if start <= bar["date"] <= end]
    return _adjusted(store, ticker, found, now) if adjusted and not is_pair(ticker) else found


def last_bars(store: Store, ticker: str, count: int, now: datetime, *, adjusted: bool = True) -> list[Bar]:
    """Return the last `count` daily bars that are complete at `now`, oldest first."""
    last = last_day(ticker, now)
    if last is None or count < 1:
        return []
    rows, found = store.rows(BARS), list[Bar]()
    for month in months_back(last, calendar.START):
        row = rows.get(f"{ticker}:{month}")
        if row is None:
            break
        found = [bar for bar in row["bars"] if bar["date"] <= last] + found
        if len(found) >= count:
            break
    found = found[-count:]
    return _adjusted(store, ticker, found, now) if adjusted and not is_pair(ticker) else found


def previous_close(store: Store, ticker: str, now: datetime, *, adjusted: bool = True) -> Bar | None:
    """Return the last complete daily bar at `now`, or None."""
    found = last_bars(store, ticker, 1, now, adjusted=adjusted)
    return found[0] if found else None


def grouped(store: Store, day: str, now: datetime, *, crypto: bool = False, adjusted: bool = True) -> dict[str, Bar]:
    """Return the bars of all companies, or of all pairs, on one day, by ticker."""
    table = store.rows(PAIRS) if crypto else store.rows(COMPANIES)
    found = {}
    for row in table:
        for bar in bars(store, row["ticker"], day, day, now, adjusted=adjusted):
            found[row["ticker"]] = bar
    return found


def _adjusted(store: Store, ticker: str, found: list[Bar], now: datetime) -> list[Bar]:
    today = current_day(now)
    for split in store.rows(SPLITS).find("ticker", ticker):
        if split["date"] <= today and found and found[0]["date"] < split["date"]:
            found = [
                _scaled(bar, split["after"] / split["before"]) if bar["date"] < split["date"] else bar for bar in found
            ]
    return found


def _scaled(bar: Bar, shares: float) -> Bar:
    return {
        **bar,
        "open": round(bar["open"] / shares, 4),
        "high": round(bar["high"] / shares, 4),
        "low": round(bar["low"] / shares, 4),
        "close": round(bar["close"] / shares, 4),
        "vwap": round(bar["vwap"] / shares, 4),
        "volume": round(bar["volume"] * shares),
    }
