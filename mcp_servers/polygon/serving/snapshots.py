"""Snapshots, gainers and losers, and last trades."""

from datetime import timedelta
from typing import Any

from mcp_servers.kit.stand_in import Answer, Ask, StandIn
from mcp_servers.polygon.serving.aggregates import daily, wire_tick
from mcp_servers.polygon.serving.envelope import Json, midnight_ms, missing, ms, ok, request_id, wrong
from mcp_servers.world import calendar, read
from mcp_servers.world.market.intraday import Tick
from mcp_servers.world.rows import COMPANIES, PAIRS, Bar
from mcp_servers.world.store import Scope

TOP = 20
MARKETS = {("us", "stocks"): COMPANIES, ("global", "crypto"): PAIRS}
NANO = 1_000_000
"""Nanoseconds per millisecond."""


def add(app: StandIn) -> None:
    """Register the routes."""
    root = "/v2/snapshot/locale/{locale}/markets/{market}"
    app.route("GET", f"{root}/tickers")(everything)
    app.route("GET", f"{root}/gainers")(lambda ask: movers(ask, up=True))
    app.route("GET", f"{root}/losers")(lambda ask: movers(ask, up=False))
    app.route("GET", f"{root}/tickers/{{ticker}}")(one)
    app.route("GET", "/v2/last/trade/{ticker}")(last_trade)
    app.route("GET", "/v1/last/crypto/{base}/{quote}")(last_crypto)


def everything(ask: Ask) -> Answer:
    """Return all tickers of a market, or the requested ones."""
    wanted = {part for part in ask.query.get("tickers", "").split(",") if part}
    found = [shot for ticker in _tickers(ask) if not wanted or ticker in wanted if (shot := snapshot(ask, ticker))]
    return Answer({"status": "OK", "request_id": request_id(ask), "count": len(found), "tickers": found})


def one(ask: Ask) -> Answer:
    """Return one ticker, with its last minute and its last trade."""
    ticker = ask.path["ticker"]
    shot = snapshot(ask, ticker) if ticker in _tickers(ask) else None
    if shot is None:
        raise missing(ask, "Ticker not found.")
    tick = last_tick(ask.scope, ticker)
    if tick is not None:
        shot |= {"min": wire_tick(tick), "lastTrade": _trade(tick), "updated": (ms(tick.at) + 59_999) * NANO}
    return Answer({"status": "OK", "request_id": request_id(ask), "ticker": shot})


def movers(ask: Ask, *, up: bool) -> Answer:
    """Return the tickers that rose or fell most since the previous close."""
    shots = [shot for ticker in _tickers(ask) if (shot := snapshot(ask, ticker))]
    moved = [shot for shot in shots if (shot["todaysChangePerc"] > 0) == up and shot["todaysChangePerc"] != 0]
    moved.sort(key=lambda shot: shot["todaysChangePerc"], reverse=up)
    return Answer({"status": "OK", "request_id": request_id(ask), "tickers": moved[:TOP]})


def last_trade(ask: Ask) -> Answer:
    """Return the last trade of a ticker."""
    ticker = ask.path["ticker"]
    tick = last_tick(ask.scope, ticker)
    if tick is None:
        raise missing(ask)
    trade = _trade(tick)
    return ok(ask, {"results": {"T": ticker, **trade, "y": trade["t"], "q": tick.trades, "z": 1}})


def last_crypto(ask: Ask) -> Answer:
    """Return the last trade of a pair."""
    base, quote = ask.path["base"], ask.path["quote"]
    tick = last_tick(ask.scope, f"X:{base}{quote}")
    if tick is None:
        raise missing(ask)
    last = {"conditions": [1], "exchange": 1, "price": tick.close, "size": _size(tick), "timestamp": _end(tick)}
    return Answer({"status": "success", "request_id": request_id(ask), "symbol": f"{base}-{quote}", "last": last})


def snapshot(ask: Ask, ticker: str) -> Json | None:
    """Return a ticker's day and the day before. Return None if there are not two days yet."""
    end = (ask.scope.now + timedelta(days=1)).date().isoformat()
    start = (ask.scope.now - timedelta(days=10)).date().isoformat()
    bars = daily(ask.scope, ticker, start, end, adjusted=True)[-2:]
    if len(bars) < 2:
        return None
    before, day = bars
    change = day["close"] - before["close"]
    return {
        "ticker": ticker,
        "todaysChange": round(change, 4),
        "todaysChangePerc": round(100 * change / before["close"], 4),
        "updated": _updated(ticker, day["date"]),
        "day": _day(day),
        "prevDay": _day(before),
    }


def last_tick(scope: Scope, ticker: str) -> Tick | None:
    """Return the last minute of a ticker that has ended."""
    bars = daily(
        scope,
        ticker,
        (scope.now - timedelta(days=10)).date().isoformat(),
        (scope.now + timedelta(days=1)).date().isoformat(),
        adjusted=True,
    )
    found = read.minutes(scope.store, ticker, bars[-1]["date"], scope.now) if bars else []
    return found[-1] if found else None


def _tickers(ask: Ask) -> list[str]:
    table: Any = MARKETS.get((ask.path["locale"], ask.path["market"]))
    if table is None:
        raise wrong(ask, "there are stocks in the locale us, and crypto in the locale global")
    return [row["ticker"] for row in ask.scope.store.rows(table)]


def _day(bar: Bar) -> Json:
    return {
        "o": bar["open"], "h": bar["high"], "l": bar["low"], "c": bar["close"], "v": bar["volume"], "vw": bar["vwap"],
    }  # fmt: skip


def _updated(ticker: str, day: str) -> int:
    if read.is_pair(ticker):
        return (midnight_ms(day, True) + 86_399_999) * NANO
    return ms(calendar.closes(day)) * NANO


def _trade(tick: Tick) -> Json:
    return {"p": tick.close, "s": _size(tick), "t": _end(tick) * NANO, "x": 11, "i": str(tick.trades), "c": []}


def _size(tick: Tick) -> int:
    return max(1, tick.volume // max(1, tick.trades))


def _end(tick: Tick) -> int:
    return ms(tick.at) + 59_999
