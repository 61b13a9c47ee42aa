"""The tools of the FMP server: their names, arguments and results."""

from mcp_servers.fmp.answers import (
    ChangeAnswer,
    DividendsAnswer,
    EarningsAnswer,
    MatchesAnswer,
    MoversAnswer,
    NewsAnswer,
    PreviousCloseAnswer,
    PricesAnswer,
    ProfileAnswer,
    QuoteAnswer,
)
from mcp_servers.fmp.api import Fmp
from mcp_servers.fmp.arguments import Adjust, Days, End, Limit, Query, Start, Symbol, Tickers, symbols
from mcp_servers.kit.errors import ErrorKind, UpstreamError
from mcp_servers.kit.serving.server import tool

ADJUSTED = {"splits": "splits", "dividends": "splits and dividends", "none": "nothing"}


def unknown(symbol: str) -> UpstreamError:
    """Return the error for a symbol that FMP does not know."""
    return UpstreamError(ErrorKind.NOT_FOUND, f"FMP knows no symbol {symbol!r}", "find it with fmp_search_ticker")


@tool(profile="limited", aliases=("getQuote",), title="Quote")
async def fmp_get_quote(api: Fmp, symbol: Symbol) -> QuoteAnswer:
    """Get the newest price of a share or crypto pair, with its change, ranges, volume and market capitalization.

    Example: fmp_get_quote(symbol="ORCA")
    """
    if (found := await api.quote(symbol)) is None:
        raise unknown(symbol)
    return QuoteAnswer(quote=found)


@tool(profile="limited", aliases=("getCompanyProfile",), title="Company profile")
async def fmp_get_company_profile(api: Fmp, symbol: Symbol) -> ProfileAnswer:
    """Get what a company is: name, business, sector, seat, chief executive, employees, listing, key market figures.

    Example: fmp_get_company_profile(symbol="ORCA")
    """
    if (found := await api.profile(symbol)) is None:
        raise unknown(symbol)
    return ProfileAnswer(profile=found)


@tool(profile="limited", aliases=("getStockPriceChange",), title="Price change")
async def fmp_get_change_percent(api: Fmp, symbol: Symbol) -> ChangeAnswer:
    """Get how much a price changed in percent: over 1 and 5 days, 1, 3 and 6 months, this year, 1, 3, 5 and 10 years.

    Periods that reach beyond the price history are left out. `1D` is the change on the previous close.

    Example: fmp_get_change_percent(symbol="ORCA")
    """
    if (found := await api.change(symbol)) is None:
        raise unknown(symbol)
    return ChangeAnswer(change=found)


@tool(profile="limited", title="Previous close")
async def fmp_get_previous_close(api: Fmp, symbol: Symbol) -> PreviousCloseAnswer:
    """Get the previous close of a symbol: the close of the session before the last one, or before the running one.

    It is the base of the day's change. The last price itself is in the answer, too.

    Example: fmp_get_previous_close(symbol="ORCA")
    """
    if (found := await api.quote(symbol)) is None:
        raise unknown(symbol)
    return PreviousCloseAnswer(
        symbol=found.symbol,
        previous_close=found.previous_close,
        price=found.price,
        change_percentage=found.change_percentage,
    )


@tool(aliases=("getFullChart",), title="Daily prices")
async def fmp_get_historical_prices(
    api: Fmp,
    symbol: Symbol,
    start_date: Start = None,
    end_date: End = None,
    limit: Days = 60,
    adjusted_for: Adjust = "splits",
) -> PricesAnswer:
    """Get daily open, high, low, close and volume of a share or crypto pair, newest first, both dates included.

    By default prices are in today's shares: those before a split are divided by it.

    Example: fmp_get_historical_prices(symbol="ORCA", start_date="2025-03-03", end_date="2025-03-31")
    """
    if start_date is not None and end_date is not None and start_date > end_date:
        raise UpstreamError(ErrorKind.BAD_REQUEST, f"start_date {start_date} is after end_date {end_date}")
    rows = await api.prices(symbol, start_date, end_date, adjusted_for)
    left_out = max(0, len(rows) - limit)
    return PricesAnswer(symbol=symbol, adjusted_for=ADJUSTED[adjusted_for], rows=rows[:limit], left_out=left_out)


@tool(aliases=("getEarningsReports",), title="Earnings")
async def fmp_get_earnings(api: Fmp, symbol: Symbol, limit: Limit = 8) -> EarningsAnswer:
    """Get a company's earnings per share and revenue by quarter, beside what was expected, newest first.

    Example: fmp_get_earnings(symbol="ORCA", limit=4)
    """
    return EarningsAnswer(symbol=symbol, rows=await api.earnings(symbol, limit))


@tool(aliases=("getDividends",), title="Dividends")
async def fmp_get_dividends(api: Fmp, symbol: Symbol, limit: Limit = 8) -> DividendsAnswer:
    """Get a company's cash dividends per share with their dates, newest first; declared ones may lie ahead.

    Example: fmp_get_dividends(symbol="ORCA", limit=4)
    """
    return DividendsAnswer(symbol=symbol, rows=await api.dividends(symbol, limit))


@tool(profile="limited", aliases=("searchSymbol",), title="Search symbols")
async def fmp_search_ticker(api: Fmp, query: Query, limit: Limit = 10) -> MatchesAnswer:
    """Find symbols: by a part of the symbol or, where no symbol has it, by a part of the company's name.

    Example: fmp_search_ticker(query="ORC", limit=5)
    """
    found = await api.search_symbol(query, limit) or await api.search_name(query, limit)
    return MatchesAnswer(query=query, rows=found[:limit])


@tool(aliases=("searchName",), title="Search companies")
async def fmp_search_name(api: Fmp, query: Query, limit: Limit = 10) -> MatchesAnswer:
    """Find symbols by a part of the company's name.

    Example: fmp_search_name(query="Semiconductor")
    """
    return MatchesAnswer(query=query, rows=(await api.search_name(query, limit))[:limit])


@tool(profile="limited", aliases=("getBiggestGainers",), title="Gainers")
async def fmp_get_market_gainers(api: Fmp, limit: Limit = 10) -> MoversAnswer:
    """Get the shares that rose most in the last session, the first of them most.

    Example: fmp_get_market_gainers(limit=5)
    """
    return MoversAnswer(direction="rose", rows=(await api.gainers())[:limit])


@tool(profile="limited", aliases=("getBiggestLosers",), title="Losers")
async def fmp_get_market_losers(api: Fmp, limit: Limit = 10) -> MoversAnswer:
    """Get the shares that fell most in the last session, the first of them most.

    Example: fmp_get_market_losers(limit=5)
    """
    return MoversAnswer(direction="fell", rows=(await api.losers())[:limit])


@tool(profile="limited", aliases=("searchStockNews",), title="Stock news")
async def fmp_get_stock_news(api: Fmp, tickers: Tickers = None, limit: Limit = 10) -> NewsAnswer:
    """Get news about shares, newest first. News may be late, repeated or wrong: compare it with other sources.

    Example: fmp_get_stock_news(tickers="ORCA,VLTM", limit=5)
    """
    return NewsAnswer(rows=(await api.news(symbols(tickers), limit))[:limit])
