"""The aggregates: bars of any size, the previous close, open and close, and a whole market on one day."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from mcp_servers.kit.stand_in import Answer, Ask, StandIn
from mcp_servers.polygon.serving.envelope import (
    Json,
    after,
    day_of,
    flag,
    midnight_ms,
    missing,
    ms,
    ok,
    request_id,
    whole,
    wrong,
)
from mcp_servers.world import calendar, read
from mcp_servers.world.market.intraday import Tick
from mcp_servers.world.rows import Bar
from mcp_servers.world.store import Scope

BASE_LIMIT, MOST = 5_000, 50_000
MINUTES = {"minute": 1, "hour": 60}
SPANS = ("second", "minute", "hour", "day", "week", "month", "quarter", "year")


def add(app: StandIn) -> None:
    """Register the routes."""
    app.route("GET", "/v2/aggs/ticker/{ticker}/range/{multiplier}/{timespan}/{start}/{end}")(aggregates)
    app.route("GET", "/v2/aggs/ticker/{ticker}/prev")(previous)
    app.route("GET", "/v1/open-close/{ticker}/{date}")(open_close)
    app.route("GET", "/v2/aggs/grouped/locale/{locale}/market/{market}/{date}")(grouped)


def aggregates(ask: Ask) -> Answer:
    """Return the bars of a ticker between two times."""
    ticker, span = ask.path["ticker"], ask.path["timespan"]
    count = whole(ask, "multiplier", ask.path["multiplier"], 1, 10_000)
    if span not in SPANS:
        raise wrong(ask, f"'timespan' must be one of {', '.join(SPANS)}")
    start, end = day_of(ask, "from", ask.path["start"], ticker), day_of(ask, "to", ask.path["end"], ticker)
    if start > end:
        raise wrong(ask, "'to' must not be before 'from'")
    limit = whole(ask, "limit", ask.query.get("limit"), BASE_LIMIT, MOST)
    down = ask.query.get("sort") == "desc"
    adjusted = flag(ask, "adjusted", True)
    if span in MINUTES:
        size = count * MINUTES[span]
        found, rest = _ticks(ask, (start, end), size, max(1, limit // size), adjusted, down)
    elif span == "second":
        found, rest = [], None
    else:
        base, rest = _page(daily(ask.scope, ticker, start, end, adjusted=adjusted), limit, down)
        found = windows(base, count, span, start, read.is_pair(ticker))
        if down:
            found.reverse()
    body: Json = {"ticker": ticker, "queryCount": len(found), "resultsCount": len(found), "adjusted": adjusted}
    if found:
        body |= {"results": found, "count": len(found)}
    if rest is not None:
        sides = (ask.path["start"], rest) if down else (rest, ask.path["end"])
        path = f"/v2/aggs/ticker/{ticker}/range/{count}/{span}/{sides[0]}/{sides[1]}"
        query = f"adjusted={str(adjusted).lower()}&sort={'desc' if down else 'asc'}&limit={limit}"
        body["next_url"] = f"{ask.base}{path}?{query}"
    return ok(ask, body)


def previous(ask: Ask) -> Answer:
    """Return the last complete day of a ticker."""
    ticker, adjusted = ask.path["ticker"], flag(ask, "adjusted", True)
    found = read.last_bars(ask.scope.store, ticker, 1, ask.scope.now, adjusted=adjusted)
    body: Json = {"ticker": ticker, "queryCount": len(found), "resultsCount": len(found), "adjusted": adjusted}
    if found:
        body |= {"results": [{"T": ticker, **_wire(bar, read.is_pair(ticker))} for bar in found], "count": len(found)}
    return ok(ask, body)


def open_close(ask: Ask) -> Answer:
    """Return the open, close and other prices of a ticker on one day."""
    ticker = ask.path["ticker"]
    day = day_of(ask, "date", ask.path["date"], ticker)
    found = daily(ask.scope, ticker, day, day, adjusted=flag(ask, "adjusted", True))
    if not found:
        raise missing(ask)
    bar = found[0]
    prices = {name: bar[name] for name in ("open", "high", "low", "close", "volume")}
    return Answer({"status": "OK", "request_id": request_id(ask), "from": day, "symbol": ticker, **prices})


def grouped(ask: Ask) -> Answer:
    """Return the bars of all tickers of a market on one day."""
    day, market = day_of(ask, "date", ask.path["date"]), ask.path["market"]
    if market not in ("stocks", "crypto"):
        raise wrong(ask, "'market' must be stocks or crypto")
    crypto, adjusted = market == "crypto", flag(ask, "adjusted", True)
    found = read.grouped(ask.scope.store, day, ask.scope.now, crypto=crypto, adjusted=adjusted)
    results = [{"T": ticker, **_wire(bar, crypto)} for ticker, bar in found.items()]
    body: Json = {"queryCount": len(results), "resultsCount": len(results), "adjusted": adjusted}
    return ok(ask, body | ({"results": results, "count": len(results)} if results else {}))


def daily(scope: Scope, ticker: str, start: str, end: str, *, adjusted: bool) -> list[Bar]:
    """Return the daily bars of a ticker. The bar of the current day covers the trading so far."""
    found = read.bars(scope.store, ticker, start, end, scope.now, adjusted=adjusted)
    last = read.last_day(ticker, scope.now)
    if last is None or end > last:
        running = read.so_far(scope.store, ticker, scope.now)
        if running is not None:
            day = (running.at if read.is_pair(ticker) else calendar.local(running.at)).date().isoformat()
            if start <= day <= end and (not found or found[-1]["date"] < day):
                found = [*found, _as_bar(running, day)]
    return found


def windows(bars: list[Bar], count: int, span: str, start: str, utc: bool) -> list[Json]:
    """Return daily bars merged to bars of `count` days, weeks (from Sunday), months, quarters or years.

    The oldest bar comes first.
    """
    if span == "day" and count == 1:
        return [_wire(bar, utc) for bar in bars]
    groups: dict[int, list[Bar]] = {}
    first = _number(span, date.fromisoformat(start))
    for bar in bars:
        groups.setdefault((_number(span, date.fromisoformat(bar["date"])) - first) // count, []).append(bar)
    return [
        {**_merged(group), "t": midnight_ms(_begin(span, first + number * count), utc)}
        for number, group in groups.items()
    ]


def wire_tick(tick: Tick) -> Json:
    """Return a bar of minutes or hours in Polygon's format."""
    return {
        "v": tick.volume, "vw": tick.vwap, "o": tick.open, "c": tick.close, "h": tick.high, "l": tick.low,
        "t": ms(tick.at), "n": tick.trades,
    }  # fmt: skip


def _wire(bar: Bar, utc: bool) -> Json:
    return {
        "v": bar["volume"], "vw": bar["vwap"], "o": bar["open"], "c": bar["close"], "h": bar["high"], "l": bar["low"],
        "t": midnight_ms(bar["date"], utc), "n": bar["trades"],
    }  # fmt: skip


def _as_bar(tick: Tick, day: str) -> Bar:
    return {
        "date": day, "open": tick.open, "high": tick.high, "low": tick.low, "close": tick.close,
        "volume": tick.volume, "vwap": tick.vwap, "trades": tick.trades,
    }  # fmt: skip


def _page(bars: list[Bar], limit: int, down: bool) -> tuple[list[Bar], str | None]:
    """Return the first `limit` bars from the requested side, and the day of the next bar or None."""
    if len(bars) <= limit:
        return bars, None
    return (bars[-limit:], bars[-limit - 1]["date"]) if down else (bars[:limit], bars[limit]["date"])


def _ticks(
    ask: Ask, days: tuple[str, str], size: int, most: int, adjusted: bool, down: bool
) -> tuple[list[Json], str | None]:
    """Return the first `most` bars of `size` minutes, and the time of the next bar or None."""
    scope, found = ask.scope, list[Json]()
    for day in _days(max(days[0], calendar.START), min(days[1], calendar.END), down):
        ticks = read.minutes(scope.store, ask.path["ticker"], day, scope.now, size=size, adjusted=adjusted)
        bars = [wire_tick(tick) for tick in (reversed(ticks) if down else ticks)]
        found += [bar for bar in bars if _asked(ask, bar["t"])]
        if len(found) > most:
            return found[:most], str(found[most]["t"])
    return found, None


def _days(start: str, end: str, down: bool) -> Iterable[str]:
    day, last, step = (end, start, -1) if down else (start, end, 1)
    while (day >= last) if down else (day <= last):
        yield day
        day = after(day, step)


def _asked(ask: Ask, at: int) -> bool:
    """Return whether a minute lies within the limits that the request gives as times."""
    start, end = ask.path["start"], ask.path["end"]
    return not (start.isdigit() and at < int(start)) and not (end.isdigit() and at > int(end))


def _number(span: str, day: date) -> int:
    """Return the number of the day, week, month, quarter or year that holds a date."""
    match span:
        case "day":
            return day.toordinal()
        case "week":
            return day.toordinal() // 7  # Day 0 of the count is a Sunday.
        case "month":
            return day.year * 12 + day.month - 1
        case "quarter":
            return day.year * 4 + (day.month - 1) // 3
        case _:
            return day.year


def _begin(span: str, number: int) -> str:
    """Return the first day of the period with this number."""
    match span:
        case "day":
            return date.fromordinal(number).isoformat()
        case "week":
            return date.fromordinal(number * 7).isoformat()
        case "month":
            return date(number // 12, number % 12 + 1, 1).isoformat()
        case "quarter":
            return date(number // 4, number % 4 * 3 + 1, 1).isoformat()
        case _:
            return date(number, 1, 1).isoformat()


def _merged(group: list[Bar]) -> dict[str, Any]:
    volume = sum(bar["volume"] for bar in group)
    weighed = sum(bar["vwap"] * bar["volume"] for bar in group)
    return {
        "v": volume,
        "vw": round(weighed / volume, 4) if volume else group[-1]["vwap"],
        "o": group[0]["open"],
        "c": group[-1]["close"],
        "h": max(bar["high"] for bar in group),
        "l": min(bar["low"] for bar in group),
        "n": sum(bar["trades"] for bar in group),
    }
