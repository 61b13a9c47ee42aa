"""Moving averages, relative strength index and MACD, computed from the bars of the aggregates."""

from collections.abc import Callable
from itertools import pairwise

from mcp_servers.kit.stand_in import Answer, Ask, StandIn
from mcp_servers.polygon.serving.aggregates import MINUTES, SPANS, daily, windows, wire_tick
from mcp_servers.polygon.serving.envelope import Json, day_of, flag, midnight_ms, next_url, ok, opened, whole, wrong
from mcp_servers.world import calendar, read

Values = list[float | None]

PRICES = {"close": "c", "open": "o", "high": "h", "low": "l"}
INTRADAY_DAYS = 30
"""Trading days of history for an indicator of minutes or hours."""


def add(app: StandIn) -> None:
    """Register the routes."""
    for name, (function, window) in {"sma": (sma, 50), "ema": (ema, 50), "rsi": (rsi, 14)}.items():
        app.route("GET", f"/v1/indicators/{name}/{{ticker}}")(_single(function, window))
    app.route("GET", "/v1/indicators/macd/{ticker}")(_macd)


def sma(prices: list[float], window: int) -> Values:
    """Return the means of the last `window` prices."""
    found, total = Values(), 0.0
    for i, price in enumerate(prices):
        total += price - (prices[i - window] if i >= window else 0.0)
        found.append(total / window if i >= window - 1 else None)
    return found


def ema(prices: list[float], window: int) -> Values:
    """Return the exponential averages. The first one is the mean of the first `window` prices."""
    found, share = Values(), 2.0 / (window + 1)
    for i, price in enumerate(prices):
        if i < window - 1:
            found.append(None)
        elif i == window - 1:
            found.append(sum(prices[:window]) / window)
        else:
            before = found[-1]
            found.append(price * share + (before or 0.0) * (1.0 - share))
    return found


def rsi(prices: list[float], window: int) -> Values:
    """Return the relative strength index with Wilder's smoothing."""
    found: Values = [None] * min(window, len(prices))
    changes = [after - before for before, after in pairwise(prices)]
    up = sum(max(0.0, change) for change in changes[:window]) / window
    down = sum(max(0.0, -change) for change in changes[:window]) / window
    for i in range(window - 1, len(changes)):
        if i >= window:
            up = (up * (window - 1) + max(0.0, changes[i])) / window
            down = (down * (window - 1) + max(0.0, -changes[i])) / window
        found.append(100.0 if down == 0 else 100.0 - 100.0 / (1.0 + up / down))
    return found


def macd(prices: list[float], short: int, long: int, signal: int) -> list[tuple[float, float] | None]:
    """Return the differences of two exponential averages, each with the exponential average of the differences."""
    lines = [
        a - b if a is not None and b is not None else None for a, b in _pairs(ema(prices, short), ema(prices, long))
    ]
    known = [line for line in lines if line is not None]
    signals = [None] * (len(lines) - len(known)) + ema(known, signal)
    return [(line, mean) if line is not None and mean is not None else None for line, mean in _pairs(lines, signals)]


def _pairs(a: Values, b: Values) -> list[tuple[float | None, float | None]]:
    return list(zip(a, b, strict=True))


def _single(function: Callable[[list[float], int], Values], default: int) -> Callable[[Ask], Answer]:
    def answer(ask: Ask) -> Answer:
        query, _ = opened(ask)
        window = whole(ask, "window", query.get("window"), default, 1000)
        times, prices = _series(ask, query)
        values = [
            {"timestamp": at, "value": round(value, 6)}
            for at, value in zip(times, function(prices, window), strict=True)
            if value is not None
        ]
        return _page(ask, query, values)

    return answer


def _macd(ask: Ask) -> Answer:
    query, _ = opened(ask)
    short, long, signal = (
        whole(ask, f"{name}_window", query.get(f"{name}_window"), default, 1000)
        for name, default in (("short", 12), ("long", 26), ("signal", 9))
    )
    times, prices = _series(ask, query)
    values = [
        {
            "timestamp": at,
            "value": round(pair[0], 6),
            "signal": round(pair[1], 6),
            "histogram": round(pair[0] - pair[1], 6),
        }
        for at, pair in zip(times, macd(prices, short, long, signal), strict=True)
        if pair is not None
    ]
    return _page(ask, query, values)


def _series(ask: Ask, query: dict[str, str]) -> tuple[list[int], list[float]]:
    """Return the times and prices of all bars of the requested size."""
    ticker, span = ask.path["ticker"], query.get("timespan", "day")
    price = PRICES.get(query.get("series_type", "close"))
    if span not in SPANS or price is None:
        raise wrong(ask, f"'timespan' must be one of {', '.join(SPANS)}, 'series_type' one of {', '.join(PRICES)}")
    adjusted = flag(ask, "adjusted", True)
    end = calendar.END
    if span == "second":
        bars: list[Json] = []
    elif span in MINUTES:
        days = read.last_bars(ask.scope.store, ticker, INTRADAY_DAYS, ask.scope.now)
        bars = [
            wire_tick(tick)
            for day in daily(ask.scope, ticker, days[0]["date"], end, adjusted=adjusted)
            for tick in read.minutes(
                ask.scope.store, ticker, day["date"], ask.scope.now, size=MINUTES[span], adjusted=adjusted
            )
        ] if days else []  # fmt: skip
    else:
        found = daily(ask.scope, ticker, calendar.START, end, adjusted=adjusted)
        bars = windows(found, 1, span, calendar.START, read.is_pair(ticker))
    return [bar["t"] for bar in bars], [bar[price] for bar in bars]


def _page(ask: Ask, query: dict[str, str], values: list[Json]) -> Answer:
    """Return a page of the values in the requested time range, sorted."""
    ticker = ask.path["ticker"]
    bounds = {name: query.get(f"timestamp{name}") for name in ("", ".gt", ".gte", ".lt", ".lte")}
    low = [_ms(ask, text, ticker) for name, text in bounds.items() if text and name in ("", ".gt", ".gte")]
    high = [_ms(ask, text, ticker) for name, text in bounds.items() if text and name in ("", ".lt", ".lte")]
    found = [
        value
        for value in values
        if all(value["timestamp"] >= at for at in low) and all(value["timestamp"] <= at for at in high)
    ]
    if query.get("order", "desc") == "desc":
        found.reverse()
    _, skip = opened(ask)
    size = whole(ask, "limit", query.get("limit"), 10, 5000)
    span = query.get("timespan", "day")
    underlying = (
        f"{ask.base}/v2/aggs/ticker/{ticker}/range/1/{span}/{calendar.START}/{calendar.END}?limit=50000&sort=desc"
    )
    body: Json = {"results": {"underlying": {"url": underlying}, "values": found[skip : skip + size]}}
    if skip + size < len(found):
        body["next_url"] = next_url(ask, query, skip + size)
    return ok(ask, body)


def _ms(ask: Ask, text: str, ticker: str) -> int:
    if text.isascii() and text.isdigit() and len(text) > 8:
        return int(text[:16])
    return midnight_ms(day_of(ask, "timestamp", text, ticker), read.is_pair(ticker))
