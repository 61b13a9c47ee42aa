"""The tools of the full profile. Their names are those of the vendor's own client, which models know."""

from typing import Annotated, Any, Literal

from pydantic import AliasChoices, Field

from mcp_servers.kit.arguments import Date, symbol
from mcp_servers.kit.tools import tool
from mcp_servers.kit.upstream.replies import shaped
from mcp_servers.polygon.api import NAME, Polygon
from mcp_servers.polygon.arguments import (
    Adjusted,
    Currency,
    Cursor,
    MarketType,
    Moment,
    Order,
    SomeTicker,
    Ticker,
    is_pair,
)
from mcp_servers.polygon.facts import Dividends, Holidays, News, Splits
from mcp_servers.polygon.figures import Bars, DayPrices, Grouped, Snapshot, Snapshots, Trade
from mcp_servers.polygon.tools import bars, news


@tool(aliases=("list_aggs",), title="Bars of any size")
async def get_aggs(  # noqa: PLR0913, PLR0917 -- the names that models know
    api: Polygon,
    ticker: Ticker,
    multiplier: Annotated[int, Field(description="How many timespans one bar holds.", ge=1, le=10_000)],
    timespan: Annotated[
        Literal["minute", "hour", "day", "week", "month", "quarter", "year"], Field(description="The unit of a bar.")
    ],
    from_: Annotated[
        Moment,
        Field(
            description="The start: YYYY-MM-DD, or milliseconds since 1970.",
            validation_alias=AliasChoices("from_", "from", "start_date"),
        ),
    ],
    to: Annotated[Moment, Field(description="The end, likewise.", validation_alias=AliasChoices("to", "end_date"))],
    adjusted: Adjusted = True,
    sort: Order = "asc",
    limit: Annotated[
        int, Field(description="Base bars (minutes or days) from which the bars of a page are made.", ge=1, le=1000)
    ] = 120,
    cursor: Cursor = None,
) -> Bars:
    """Get bars of any size of a company or a crypto pair.

    Example: get_aggs(ticker="X:BTCUSD", multiplier=1, timespan="day", from_="2025-03-01", to="2025-03-07")
    """
    found = await api.aggregates(
        ticker, multiplier, timespan, from_, to, cursor=cursor, adjusted=adjusted, sort=sort, limit=limit
    )
    return bars(ticker, timespan if multiplier == 1 else f"{multiplier} {timespan}", adjusted, found)


@tool(title="A whole market's day")
async def get_grouped_daily_aggs(
    api: Polygon,
    date: Annotated[Date, Field(description="The day, YYYY-MM-DD.")],
    adjusted: Adjusted = True,
    market_type: MarketType = "stocks",
) -> Grouped:
    """Get the bars of all tickers of a market on one day.

    Example: get_grouped_daily_aggs(date="2025-03-03")
    """
    locale = "us" if market_type == "stocks" else "global"
    page = await api.grouped(date, locale, market_type, adjusted=adjusted)
    return shaped(NAME, Grouped, {"date": date, "adjusted": adjusted, "bars": page.rows})


@tool(title="One day's open and close")
async def get_daily_open_close_agg(
    api: Polygon,
    ticker: Ticker,
    date: Annotated[Date, Field(description="The day, YYYY-MM-DD.")],
    adjusted: Adjusted = True,
) -> DayPrices:
    """Get open, high, low and close of a ticker on one day.

    Example: get_daily_open_close_agg(ticker="ORCA", date="2025-03-03")
    """
    return shaped(NAME, DayPrices, await api.open_close(ticker, date, adjusted=adjusted))


@tool(title="News")
async def list_ticker_news(  # noqa: PLR0913, PLR0917 -- the names that models know
    api: Polygon,
    ticker: SomeTicker = None,
    published_utc: Annotated[Date | None, Field(description="Only of this day, YYYY-MM-DD.")] = None,
    published_utc_gte: Annotated[Date | None, Field(description="Only of this day or later.")] = None,
    published_utc_lt: Annotated[Date | None, Field(description="Only before this day.")] = None,
    limit: Annotated[int, Field(description="Articles of a page.", ge=1, le=50)] = 10,
    order: Order = "desc",
    sort: Annotated[Literal["published_utc"], Field(description="By what they are sorted.")] = "published_utc",
    cursor: Cursor = None,
) -> News:
    """List news articles: title, summary, publisher, sentiment, address.

    Example: list_ticker_news(ticker="ORCA", limit=2, order="asc")
    """
    params = {
        "ticker": ticker, "published_utc": published_utc, "limit": limit, "order": order,
        "published_utc.gte": published_utc_gte, "published_utc.lt": published_utc_lt, "sort": sort,
    }  # fmt: skip
    return news(await api.listed("v2", "reference", "news", cursor=cursor, params=params))


@tool(title="Last trade")
async def get_last_trade(api: Polygon, ticker: Ticker) -> Trade:
    """Get the last trade of a stock.

    Example: get_last_trade(ticker="ORCA")
    """
    body = await api.last_trade(ticker)
    return shaped(NAME, Trade, body.get("results") if isinstance(body, dict) else body)


@tool(title="Last crypto trade")
async def get_last_crypto_trade(
    api: Polygon,
    from_: Annotated[
        Currency, Field(description="What is traded, BTC say.", validation_alias=AliasChoices("from_", "from"))
    ],
    to: Annotated[Currency, Field(description="What it is paid in.")] = "USD",
) -> Trade:
    """Get the last trade of a crypto pair.

    Example: get_last_crypto_trade(from_="BTC", to="USD")
    """
    body = await api.last_crypto_trade(from_, to)
    last = body.get("last") if isinstance(body, dict) else None
    return shaped(NAME, Trade, {"T": f"{from_}-{to}", **(last if isinstance(last, dict) else {})})


@tool(title="A ticker as it stands")
async def get_snapshot_ticker(api: Polygon, ticker: Ticker, market_type: MarketType = "stocks") -> Snapshot:
    """Get the price of a ticker now, its change since the close before, and its day so far.

    A ticker with `X:` is a crypto pair's, whatever `market_type` says.

    Example: get_snapshot_ticker(market_type="stocks", ticker="ORCA")
    """
    body = await api.snapshots("crypto" if is_pair(ticker) else market_type, "tickers", ticker)
    return shaped(NAME, Snapshot, body.get("ticker") if isinstance(body, dict) else body)


@tool(title="Tickers as they stand")
async def get_snapshot_all(
    api: Polygon,
    market_type: MarketType = "stocks",
    tickers: Annotated[
        list[str] | str | None, Field(description="Only these tickers, as a list or separated by commas.")
    ] = None,
) -> Snapshots:
    """Get the prices of all tickers of a market now, or of some, and their changes.

    Example: get_snapshot_all(market_type="stocks", tickers=["ORCA", "VLTM"])
    """
    given = tickers.split(",") if isinstance(tickers, str) else tickers or []
    wanted = [symbol(ticker) for ticker in given if ticker.strip(" .")]
    market = "crypto" if wanted and all(map(is_pair, wanted)) else market_type
    return _snapshots(await api.snapshots(market, "tickers", tickers=",".join(wanted) or None))


@tool(title="Gainers and losers")
async def get_snapshot_direction(
    api: Polygon,
    direction: Annotated[Literal["gainers", "losers"], Field(description="Those that rose most, or fell most.")],
    market_type: MarketType = "stocks",
) -> Snapshots:
    """Get the twenty tickers of a market that rose or fell most since the close before.

    Example: get_snapshot_direction(market_type="stocks", direction="gainers")
    """
    return _snapshots(await api.snapshots(market_type, direction))


@tool(title="Splits")
async def list_splits(
    api: Polygon,
    ticker: SomeTicker = None,
    execution_date_gte: Annotated[Date | None, Field(description="Only of this day or later.")] = None,
    execution_date_lte: Annotated[Date | None, Field(description="Only of this day or earlier.")] = None,
    reverse_split: Annotated[bool | None, Field(description="Only reverse splits, or only others.")] = None,
    limit: Annotated[int, Field(description="Splits of a page.", ge=1, le=500)] = 20,
    cursor: Cursor = None,
) -> Splits:
    """List splits, the newest first.

    Example: list_splits(limit=5)
    """
    params = {
        "ticker": ticker, "reverse_split": reverse_split, "limit": limit,
        "execution_date.gte": execution_date_gte, "execution_date.lte": execution_date_lte,
    }  # fmt: skip
    page = await api.listed("v3", "reference", "splits", cursor=cursor, params=params)
    return shaped(NAME, Splits, {"splits": page.rows, "cursor": page.cursor})


@tool(title="Dividends")
async def list_dividends(
    api: Polygon,
    ticker: SomeTicker = None,
    ex_dividend_date_gte: Annotated[Date | None, Field(description="Only of this day or later.")] = None,
    ex_dividend_date_lte: Annotated[Date | None, Field(description="Only of this day or earlier.")] = None,
    limit: Annotated[int, Field(description="Dividends of a page.", ge=1, le=500)] = 20,
    cursor: Cursor = None,
) -> Dividends:
    """List cash dividends, those with the newest ex-date first.

    Example: list_dividends(ticker="ORCA", limit=4)
    """
    params = {
        "ticker": ticker, "limit": limit,
        "ex_dividend_date.gte": ex_dividend_date_gte, "ex_dividend_date.lte": ex_dividend_date_lte,
    }  # fmt: skip
    page = await api.listed("v3", "reference", "dividends", cursor=cursor, params=params)
    return shaped(NAME, Dividends, {"dividends": page.rows, "cursor": page.cursor})


@tool(title="Holidays of the exchanges")
async def get_market_holidays(api: Polygon) -> Holidays:
    """Get the days to come on which the exchanges are closed, or close early.

    Example: get_market_holidays()
    """
    return shaped(NAME, Holidays, {"holidays": await api.market_holidays()})


def _snapshots(body: Any) -> Snapshots:
    return shaped(NAME, Snapshots, {"tickers": body.get("tickers") if isinstance(body, dict) else body})
