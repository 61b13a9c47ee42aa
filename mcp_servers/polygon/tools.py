"""The tools for a research task: bars, previous close, details, news, market status and ticker search."""

from datetime import date, datetime, timedelta
from typing import Annotated, Literal

from pydantic import AliasChoices, Field

from mcp_servers.kit.arguments import Date, symbol
from mcp_servers.kit.errors import ErrorKind, UpstreamError
from mcp_servers.kit.tools import resource, tool
from mcp_servers.kit.upstream.replies import shaped
from mcp_servers.polygon.api import NAME, Page, Polygon
from mcp_servers.polygon.arguments import Adjusted, Cursor, Frequency, Order, SomeTicker, Start, Ticker
from mcp_servers.polygon.facts import Details, MarketStatus, News, Tickers
from mcp_servers.polygon.figures import Bars, DayBars

SPANS = {
    "minute": ("minute", 1), "hourly": ("hour", 60), "daily": ("day", 1), "weekly": ("week", 7),
    "monthly": ("month", 31), "quarterly": ("quarter", 92), "yearly": ("year", 366),
}  # fmt: skip
"""Frequency -> the API's timespan, and the maximum number of the API's base bars in one such bar."""

DAYS, TICKS = 260, 1_500
"""Maximum bars of one request: about a year of days, a day of minutes."""


@tool(profile="limited", title="Price bars")
async def polygon_get_aggs(
    api: Polygon,
    ticker: Ticker,
    start_date: Annotated[
        Start,
        Field(
            description="The first day, YYYY-MM-DD, or the time at which a result says to go on.",
            validation_alias=AliasChoices("start_date", "from", "from_", "from_date"),
        ),
    ],
    end_date: Annotated[
        Date,
        Field(description="The last day, YYYY-MM-DD.", validation_alias=AliasChoices("end_date", "to", "to_date")),
    ],
    frequency: Frequency = "daily",
    adjusted: Adjusted = True,
) -> Bars:
    """Get open, high, low, close and volume of a ticker between two dates, in bars of a chosen size.

    A result holds 260 bars, or of minutes and hours as many as a text has room for, in whole days if one fits; where
    there are more it says how to go on.

    Example: polygon_get_aggs(ticker="ORCA", start_date="2025-03-03", end_date="2025-03-28", frequency="daily")
    """
    if start_date[:10] > end_date:
        raise UpstreamError(ErrorKind.BAD_REQUEST, "end_date is before start_date")
    span, size = SPANS[frequency]
    intraday = frequency in ("minute", "hourly")
    limit = min(50_000, size * (TICKS if intraday else DAYS + 1))
    start = _milliseconds(start_date) if intraday else start_date[:10]
    found = await api.aggregates(ticker, 1, span, start, end_date, adjusted=adjusted, sort="asc", limit=limit)
    made = bars(ticker, span, adjusted, found)
    made.cursor = None
    more = found.cursor is not None
    return _that_fit(made, more) if intraday else _first_days(made, more, frequency)


@tool(profile="limited", aliases=("get_previous_close_agg",), title="Previous close")
async def polygon_get_previous_close(api: Polygon, ticker: Ticker, adjusted: Adjusted = True) -> Bars:
    """Get the bar of the last complete trading day of a ticker: its open, high, low, close and volume.

    Example: polygon_get_previous_close(ticker="ORCA")
    """
    return bars(ticker, "day", adjusted, await api.previous(ticker, adjusted=adjusted))


@tool(profile="limited", aliases=("get_ticker_details",), title="Company details")
async def polygon_get_ticker_details(
    api: Polygon,
    ticker: Ticker,
    date: Annotated[Date | None, Field(description="As of this day, YYYY-MM-DD; now if left out.")] = None,
) -> Details:
    """Get what is known of a ticker: name, description, industry, exchange, market cap, shares, employees, place.

    Example: polygon_get_ticker_details(ticker="ORCA")
    """
    body = await api.ticker(ticker, date)
    return shaped(NAME, Details, body.get("results") if isinstance(body, dict) else body)


@tool(profile="limited", title="News")
async def polygon_get_news(
    api: Polygon,
    ticker: SomeTicker = None,
    limit: Annotated[int, Field(description="Articles of a page.", ge=1, le=50)] = 10,
    since: Annotated[Date | None, Field(description="Only articles of this day or later, YYYY-MM-DD.")] = None,
    until: Annotated[Date | None, Field(description="Only articles before this day, YYYY-MM-DD.")] = None,
    cursor: Cursor = None,
) -> News:
    """Get news articles, the newest first: title, summary, publisher, sentiment, address.

    Example: polygon_get_news(ticker="ORCA", limit=3)
    """
    params = {
        "ticker": ticker, "limit": limit, "order": "desc",
        "published_utc.gte": since, "published_utc.lt": until,
    }  # fmt: skip
    return news(await api.listed("v2", "reference", "news", cursor=cursor, params=params))


@tool(profile="limited", aliases=("get_market_status",), title="Market status")
async def polygon_get_market_status(api: Polygon) -> MarketStatus:
    """Get whether the stock exchanges and the crypto and currency markets are open now, and the time.

    Example: polygon_get_market_status()
    """
    return shaped(NAME, MarketStatus, await api.market_status())


@tool(profile="limited", title="Search tickers")
async def list_tickers(  # noqa: PLR0913, PLR0917 -- the names that models know
    api: Polygon,
    search: Annotated[str | None, Field(description="Part of a ticker or of a company's name.", max_length=200)] = None,
    ticker: SomeTicker = None,
    market: Annotated[Literal["stocks", "crypto"] | None, Field(description="Only this market.")] = None,
    exchange: Annotated[str | None, Field(description="Only this exchange, XNAS or XNYS say.", max_length=8)] = None,
    type: Annotated[str | None, Field(description="Only this type; CS is common stock.", max_length=8)] = None,
    cik: Annotated[str | None, Field(description="Only the company with this CIK.", max_length=10)] = None,
    active: Annotated[bool | None, Field(description="Only tickers that trade, or only ones that do not.")] = None,
    sort: Annotated[Literal["ticker", "name", "market"], Field(description="The order of the list.")] = "ticker",
    order: Order = "asc",
    limit: Annotated[int, Field(description="Tickers of a page.", ge=1, le=1000)] = 20,
    cursor: Cursor = None,
) -> Tickers:
    """Search the tickers of companies and crypto pairs by name, or list them.

    Example: list_tickers(search="semiconductor", limit=5)
    """
    params = {
        "search": search, "ticker": ticker, "market": market, "exchange": exchange, "type": type, "cik": cik,
        "active": active, "sort": sort, "order": order, "limit": limit,
    }  # fmt: skip
    page = await api.listed("v3", "reference", "tickers", cursor=cursor, params=params)
    return shaped(NAME, Tickers, {"tickers": page.rows, "cursor": page.cursor})


@resource("polygon://news/{ticker}")
async def recent_news(api: Polygon, ticker: str) -> str:
    """Get the summaries of the fifty newest articles on a ticker as one document."""
    name = symbol(ticker)
    found = news(await api.listed("v2", "reference", "news", params={"ticker": name, "limit": 50}))
    return "\n\n".join(each.prose() for each in found.articles) or f"There is no news of {name}."


@resource("polygon://tickers/{ticker}")
async def company(api: Polygon, ticker: str) -> str:
    """Get what is known of a ticker as one document."""
    return (await polygon_get_ticker_details(api, symbol(ticker))).prose()


def bars(ticker: str, window: str, adjusted: bool, page: Page) -> Bars:
    """Return the result for bars.

    The labels come from the reply if it states them. Bars of days and longer are identified by their date.
    """
    found = {
        "ticker": page.ticker or ticker,
        "window": window,
        "adjusted": adjusted if page.adjusted is None else page.adjusted,
        "bars": page.rows,
        "cursor": page.cursor,
    }
    intraday = "minute" in window or "hour" in window
    return shaped(NAME, Bars if intraday else DayBars, found)


def news(page: Page) -> News:
    """Return the result for news."""
    return shaped(NAME, News, {"articles": page.rows, "cursor": page.cursor})


def _first_days(made: Bars, more: bool, frequency: str) -> Bars:
    """Return at most `DAYS` bars. Drop the last bar if it may be incomplete, unless it is the only one."""
    if more and len(made.bars) == 1:
        made.continue_from = _next(made.bars[0].time, frequency)
    elif len(made.bars) > DAYS or (more and made.bars):
        kept = min(DAYS, len(made.bars) - 1)
        made.continue_from = made.bars[kept].time
        made.bars = made.bars[:kept]
    return made


def _next(day: str, frequency: str) -> str:
    """Return the day on which the bar after the bar of `day` begins."""
    later = date.fromisoformat(day) + timedelta(days=SPANS[frequency][1])
    return (later if frequency in ("daily", "weekly") else later.replace(day=1)).isoformat()


def _that_fit(made: Bars, more: bool) -> Bars:
    """Return the bars of the complete days that fit in the text.

    If not even the first day fits, return the first bars of that day.
    """
    kept = made.in_one_text()
    if kept < len(made.bars):
        going_on = made.bars[kept].time
    elif more and made.bars:
        going_on = made.bars[-1].time  # The day of the last bar may be incomplete.
    else:
        return made
    day = going_on[:10]
    if made.bars[0].time[:10] != day:
        made.bars, going_on = [bar for bar in made.bars if bar.time[:10] < day], day
    elif kept < len(made.bars):
        made.bars = made.bars[:kept]
    else:
        return made
    made.continue_from = going_on
    return made


def _milliseconds(start: str) -> str:
    """Return a time in milliseconds, as the API takes it. Leave a date unchanged."""
    return start if len(start) == len("2025-03-03") else f"{int(datetime.fromisoformat(start).timestamp()) * 1000}"
