"""The tools for technical indicators. Their names are those of the vendor's own client."""

from typing import Annotated, Any, Literal

from pydantic import Field

from mcp_servers.kit.arguments import Date
from mcp_servers.kit.tools import tool
from mcp_servers.kit.upstream.replies import shaped
from mcp_servers.polygon.api import NAME, Polygon
from mcp_servers.polygon.arguments import Adjusted, Order, Ticker
from mcp_servers.polygon.figures import Indicator

Timespan = Annotated[
    Literal["minute", "hour", "day", "week", "month", "quarter", "year"],
    Field(description="The size of the bars that are averaged."),
]
Window = Annotated[int, Field(description="How many bars it looks back.", ge=1, le=1000)]
Price = Annotated[Literal["close", "open", "high", "low"], Field(description="The price of a bar that counts.")]
Since = Annotated[Date | None, Field(description="Only values of this day or later, YYYY-MM-DD.")]
Until = Annotated[Date | None, Field(description="Only values of this day or earlier, YYYY-MM-DD.")]
Limit = Annotated[int, Field(description="How many values.", ge=1, le=1000)]


@tool(title="Simple moving average")
async def get_sma(  # noqa: PLR0913, PLR0917 -- the names that models know
    api: Polygon,
    ticker: Ticker,
    window: Window = 50,
    timespan: Timespan = "day",
    series_type: Price = "close",
    adjusted: Adjusted = True,
    timestamp_gte: Since = None,
    timestamp_lte: Until = None,
    order: Order = "desc",
    limit: Limit = 10,
) -> Indicator:
    """Get the simple moving average of a ticker's price, the newest value first.

    Example: get_sma(ticker="ORCA", window=20, limit=3)
    """
    return await _single(
        api, "sma", ticker, window, timespan=timespan, series_type=series_type, adjusted=adjusted,
        since=timestamp_gte, until=timestamp_lte, order=order, limit=limit,
    )  # fmt: skip


@tool(title="Exponential moving average")
async def get_ema(  # noqa: PLR0913, PLR0917 -- the names that models know
    api: Polygon,
    ticker: Ticker,
    window: Window = 50,
    timespan: Timespan = "day",
    series_type: Price = "close",
    adjusted: Adjusted = True,
    timestamp_gte: Since = None,
    timestamp_lte: Until = None,
    order: Order = "desc",
    limit: Limit = 10,
) -> Indicator:
    """Get the exponential moving average of a ticker's price, the newest value first.

    Example: get_ema(ticker="ORCA", window=20, limit=3)
    """
    return await _single(
        api, "ema", ticker, window, timespan=timespan, series_type=series_type, adjusted=adjusted,
        since=timestamp_gte, until=timestamp_lte, order=order, limit=limit,
    )  # fmt: skip


@tool(title="Relative strength index")
async def get_rsi(  # noqa: PLR0913, PLR0917 -- the names that models know
    api: Polygon,
    ticker: Ticker,
    window: Window = 14,
    timespan: Timespan = "day",
    series_type: Price = "close",
    adjusted: Adjusted = True,
    timestamp_gte: Since = None,
    timestamp_lte: Until = None,
    order: Order = "desc",
    limit: Limit = 10,
) -> Indicator:
    """Get the relative strength index of a ticker, from 0 to 100, the newest value first.

    Example: get_rsi(ticker="ORCA", limit=3)
    """
    return await _single(
        api, "rsi", ticker, window, timespan=timespan, series_type=series_type, adjusted=adjusted,
        since=timestamp_gte, until=timestamp_lte, order=order, limit=limit,
    )  # fmt: skip


@tool(title="MACD")
async def get_macd(  # noqa: PLR0913, PLR0917 -- the names that models know
    api: Polygon,
    ticker: Ticker,
    short_window: Annotated[int, Field(description="Bars of the shorter average.", ge=1, le=1000)] = 12,
    long_window: Annotated[int, Field(description="Bars of the longer average.", ge=1, le=1000)] = 26,
    signal_window: Annotated[int, Field(description="Bars of the signal line.", ge=1, le=1000)] = 9,
    timespan: Timespan = "day",
    series_type: Price = "close",
    adjusted: Adjusted = True,
    timestamp_gte: Since = None,
    timestamp_lte: Until = None,
    order: Order = "desc",
    limit: Limit = 10,
) -> Indicator:
    """Get the moving average convergence and divergence of a ticker, with signal and histogram, newest first.

    Example: get_macd(ticker="ORCA", limit=3)
    """
    windows = {"short_window": short_window, "long_window": long_window, "signal_window": signal_window}
    said = f"MACD({short_window}, {long_window}, {signal_window}) of the {series_type}, bars of a {timespan}"
    return await _values(
        api, "macd", ticker, said, windows, timespan=timespan, series_type=series_type, adjusted=adjusted,
        since=timestamp_gte, until=timestamp_lte, order=order, limit=limit,
    )  # fmt: skip


async def _single(api: Polygon, name: str, ticker: str, window: int, **more: Any) -> Indicator:
    said = f"{name.upper()}({window}) of the {more['series_type']}, bars of a {more['timespan']}"
    return await _values(api, name, ticker, said, {"window": window}, **more)


async def _values(
    api: Polygon, name: str, ticker: str, said: str, windows: dict[str, int], *, since: str | None,
    until: str | None, **params: Any,
) -> Indicator:  # fmt: skip
    bounds = {"timestamp.gte": since, "timestamp.lte": until}
    body = await api.indicator(name, ticker, {**windows, **params, **bounds})
    found = body.get("results") if isinstance(body, dict) else None
    values = found.get("values", []) if isinstance(found, dict) else None
    made = shaped(NAME, Indicator, {"ticker": ticker, "indicator": said, "values": values})
    if params["timespan"] not in ("minute", "hour"):
        for value in made.values:
            value.time = value.time[:10]
    return made
