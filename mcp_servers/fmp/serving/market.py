"""Quotes, charts, price changes and the day's movers, in FMP's format."""

import calendar as months
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from mcp_servers.fmp.serving.symbols import EXCHANGES, by_symbol
from mcp_servers.world import calendar, read
from mcp_servers.world.rows import Bar
from mcp_servers.world.store import Store

Json = dict[str, Any]

YEAR = 365
MOVERS = 50
"""Number of rows in the lists of gainers and losers."""

SPANS = {"1M": 1, "3M": 3, "6M": 6, "1Y": 12, "3Y": 36, "5Y": 60, "10Y": 120}
"""Months in each period of a price change."""


@dataclass(frozen=True)
class Session:
    """The last session, or the current one until now. Prices are in the shares of now."""

    bar: Bar
    previous: float | None
    """The close of the session before."""
    at: datetime
    """The time of the price."""

    @property
    def change(self) -> float | None:
        """Return the change from the previous close."""
        return None if self.previous is None else round(self.bar["close"] - self.previous, 4)

    @property
    def percent(self) -> float | None:
        """Return the change from the previous close, in percent."""
        return _percent(self.bar["close"], self.previous)


def session(store: Store, ticker: str, now: datetime) -> Session | None:
    """Return the current session, or the last one. Return None before the first trade."""
    done = read.last_bars(store, ticker, 2, now)
    today = (now.astimezone(UTC) if read.is_pair(ticker) else calendar.local(now)).date().isoformat()
    if (not done or done[-1]["date"] < today) and (tick := read.so_far(store, ticker, now)) is not None:
        running: Bar = {
            "date": today, "open": tick.open, "high": tick.high, "low": tick.low, "close": tick.close,
            "volume": tick.volume, "vwap": tick.vwap, "trades": tick.trades,
        }  # fmt: skip
        return Session(running, done[-1]["close"] if done else None, now)
    if not done:
        return None
    return Session(done[-1], done[-2]["close"] if len(done) > 1 else None, _end(ticker, done[-1]["date"]))


def quote(store: Store, symbol: str, now: datetime) -> list[Json]:
    """Return the rows of `/quote`."""
    found = by_symbol(store, symbol, now)
    last = session(store, found.ticker, now) if found is not None else None
    if found is None or last is None:
        return []
    year = [*_year(store, found.ticker, now), last.bar]
    closes = [bar["close"] for bar in read.last_bars(store, found.ticker, 200, now)]
    price = last.bar["close"]
    return [
        {
            "symbol": symbol,
            "name": found.name,
            "price": price,
            "changePercentage": last.percent,
            "change": last.change,
            "volume": last.bar["volume"],
            "dayLow": last.bar["low"],
            "dayHigh": last.bar["high"],
            "yearHigh": max(bar["high"] for bar in year),
            "yearLow": min(bar["low"] for bar in year),
            "marketCap": round(price * found.shares, 2) if found.shares else None,
            "priceAvg50": _mean(closes[-50:]),
            "priceAvg200": _mean(closes),
            "exchange": found.exchange,
            "open": last.bar["open"],
            "previousClose": last.previous,
            "timestamp": int(last.at.timestamp()),
        }
    ]


def price_change(store: Store, symbol: str, now: datetime) -> list[Json]:
    """Return the rows of `/stock-price-change`, in percent.

    The base of a period is the last close on or before the day at its start.
    """
    found = by_symbol(store, symbol, now)
    last = session(store, found.ticker, now) if found is not None else None
    if found is None or last is None:
        return []
    day, price = date.fromisoformat(last.bar["date"]), last.bar["close"]
    before = read.bars(store, found.ticker, calendar.START, _iso(day - timedelta(1)), now)
    row: Json = {"symbol": symbol, "1D": last.percent}
    row["5D"] = _percent(price, before[-5]["close"] if len(before) >= 5 else None)
    for name, count in SPANS.items():
        row[name] = _percent(price, _close_on(before, _iso(_months_before(day, count))))
        if name == "6M":
            row["ytd"] = _percent(price, _close_on(before, f"{day.year - 1}-12-31"))
    row["max"] = _percent(price, before[0]["close"] if before else None)
    return [row]


def movers(store: Store, now: datetime, *, up: bool) -> list[Json]:
    """Return the rows of `/biggest-gainers` or `/biggest-losers`."""
    found = []
    for company in read.companies(store, now):
        last = session(store, company["ticker"], now)
        if last is not None and last.percent and (last.percent > 0) == up:
            found.append((last.percent, company, last))
    found.sort(key=lambda each: (-each[0] if up else each[0], each[1]["ticker"]))
    return [
        {
            "symbol": company["ticker"],
            "price": last.bar["close"],
            "name": company["name"],
            "change": last.change,
            "changesPercentage": percent,
            "exchange": EXCHANGES[company["exchange"]][0],
        }
        for percent, company, last in found[:MOVERS]
    ]


def chart(store: Store, symbol: str, start: str, end: str, now: datetime, kind: str) -> list[Json]:
    """Return the rows of `/historical-price-eod/...`: complete days, newest first."""
    found = by_symbol(store, symbol, now)
    if found is None:
        return []
    bars = read.bars(store, found.ticker, start, end, now, adjusted=kind != "non-split-adjusted")
    if kind == "light":
        rows = [{"symbol": symbol, "date": b["date"], "price": b["close"], "volume": b["volume"]} for b in bars]
    elif kind == "full":
        rows = [_full(symbol, bar) for bar in bars]
    else:
        shrink = dividend_factors(store, found.ticker, bars, now) if kind == "dividend-adjusted" else [1.0] * len(bars)
        rows = [_adjusted(symbol, bar, factor) for bar, factor in zip(bars, shrink, strict=True)]
    rows.reverse()
    return rows


def dividend_factors(store: Store, ticker: str, bars: list[Bar], now: datetime) -> list[float]:
    """Return the factor of each bar that removes the price falls caused by later dividends."""
    if not bars:
        return []
    paid = {
        row["ex"]: row["cash"] / read.factor(store, ticker, row["ex"], now)
        for row in read.dividends(store, ticker, now)
    }
    last = read.last_day(ticker, now) or bars[-1]["date"]
    later = read.bars(store, ticker, bars[0]["date"], last, now)
    factors: dict[str, float] = {}
    factor = 1.0
    for at in range(len(later) - 1, -1, -1):
        factors[later[at]["date"]] = factor
        if at and later[at]["date"] in paid:
            factor *= 1.0 - paid[later[at]["date"]] / later[at - 1]["close"]
    return [factors[bar["date"]] for bar in bars]


def _full(symbol: str, bar: Bar) -> Json:
    return {
        "symbol": symbol,
        "date": bar["date"],
        "open": bar["open"],
        "high": bar["high"],
        "low": bar["low"],
        "close": bar["close"],
        "volume": bar["volume"],
        "change": round(bar["close"] - bar["open"], 4),
        "changePercent": _percent(bar["close"], bar["open"]),
        "vwap": bar["vwap"],
    }


def _adjusted(symbol: str, bar: Bar, factor: float) -> Json:
    return {
        "symbol": symbol,
        "date": bar["date"],
        "adjOpen": round(bar["open"] * factor, 4),
        "adjHigh": round(bar["high"] * factor, 4),
        "adjLow": round(bar["low"] * factor, 4),
        "adjClose": round(bar["close"] * factor, 4),
        "volume": bar["volume"],
    }


def year_range(store: Store, ticker: str, now: datetime) -> tuple[float, float] | None:
    """Return the lowest and the highest price of the last 52 weeks."""
    last = session(store, ticker, now)
    if last is None:
        return None
    bars = [*_year(store, ticker, now), last.bar]
    return min(bar["low"] for bar in bars), max(bar["high"] for bar in bars)


def _year(store: Store, ticker: str, now: datetime) -> list[Bar]:
    day = calendar.local(now).date()
    return read.bars(store, ticker, _iso(day - timedelta(YEAR)), _iso(day), now)


def _end(ticker: str, day: str) -> datetime:
    if read.is_pair(ticker):
        return datetime.fromisoformat(day).replace(tzinfo=UTC) + timedelta(days=1)
    return calendar.closes(day)


def _close_on(bars: list[Bar], day: str) -> float | None:
    """Return the close of `day`, or of the last day before it that has one."""
    return next((bar["close"] for bar in reversed(bars) if bar["date"] <= day), None)


def _months_before(day: date, count: int) -> date:
    number = day.year * 12 + day.month - 1 - count
    year, month = divmod(number, 12)
    return date(year, month + 1, min(day.day, months.monthrange(year, month + 1)[1]))


def _percent(price: float, before: float | None) -> float | None:
    return None if not before else round((price / before - 1.0) * 100.0, 5)


def _mean(values: list[float]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None


def _iso(day: date) -> str:
    return day.isoformat()
