"""The tools and resources for the figures of fiscal periods: statements, ratios, key metrics."""

from mcp_servers.fmp.answers import FiguresAnswer
from mcp_servers.fmp.api import Fmp, Report
from mcp_servers.fmp.arguments import Count, Periods, Symbol
from mcp_servers.fmp.tools import unknown
from mcp_servers.kit.serving.server import resource, tool

STATEMENTS: tuple[Report, ...] = ("income-statement", "balance-sheet-statement", "cash-flow-statement")


@tool(profile="limited", aliases=("getIncomeStatement",), title="Income statements")
async def fmp_get_income_statement(
    api: Fmp, symbol: Symbol, period: Periods = "annual", limit: Count = 2
) -> FiguresAnswer:
    """Get a company's income statements, newest first: revenue, costs, operating income, net income, per share.

    Shares and amounts per share are in the shares of today, after later splits.

    Example: fmp_get_income_statement(symbol="ORCA", period="quarter", limit=4)
    """
    return await _answer(api, "income-statement", symbol, period, limit)


@tool(aliases=("getBalanceSheetStatement",), title="Balance sheets")
async def fmp_get_balance_sheet(
    api: Fmp, symbol: Symbol, period: Periods = "annual", limit: Count = 2
) -> FiguresAnswer:
    """Get a company's balance sheets, newest first: assets, liabilities, equity, cash and debt.

    Example: fmp_get_balance_sheet(symbol="ORCA", period="quarter", limit=2)
    """
    return await _answer(api, "balance-sheet-statement", symbol, period, limit)


@tool(aliases=("getCashFlowStatement",), title="Cash flow statements")
async def fmp_get_cash_flow(api: Fmp, symbol: Symbol, period: Periods = "annual", limit: Count = 2) -> FiguresAnswer:
    """Get a company's cash flow statements, newest first: operations, investments, financing, free cash flow.

    Example: fmp_get_cash_flow(symbol="ORCA", period="annual", limit=2)
    """
    return await _answer(api, "cash-flow-statement", symbol, period, limit)


@tool(aliases=("getRatios",), title="Financial ratios")
async def fmp_get_ratios(api: Fmp, symbol: Symbol, period: Periods = "annual", limit: Count = 2) -> FiguresAnswer:
    """Get a company's financial ratios, newest first: margins, turnover, liquidity, debt, valuation, per share.

    Margins and yields are fractions (0.25 is 25%). Valuations use the price at the end of the period; those of a
    quarter set it against the figures of that quarter alone.

    Example: fmp_get_ratios(symbol="ORCA", period="annual", limit=2)
    """
    return await _answer(api, "ratios", symbol, period, limit)


@tool(aliases=("getKeyMetrics",), title="Key metrics")
async def fmp_get_key_metrics(api: Fmp, symbol: Symbol, period: Periods = "annual", limit: Count = 2) -> FiguresAnswer:
    """Get a company's key metrics, newest first: market capitalization, enterprise value, returns, working capital.

    Example: fmp_get_key_metrics(symbol="ORCA", period="annual", limit=2)
    """
    return await _answer(api, "key-metrics", symbol, period, limit)


@resource("fmp://companies/{symbol}/statements")
async def statements(api: Fmp, symbol: str) -> str:
    """All three statements of a company: the fiscal years, then the quarters."""
    return await _document(api, symbol, STATEMENTS)


@resource("fmp://companies/{symbol}/ratios")
async def ratios(api: Fmp, symbol: str) -> str:
    """All ratios and key metrics of a company: the fiscal years, then the quarters."""
    return await _document(api, symbol, ("ratios", "key-metrics"))


async def _document(api: Fmp, symbol: str, reports: tuple[Report, ...]) -> str:
    name = symbol.strip().upper()
    found = [
        FiguresAnswer(symbol=name, report=f"{report} ({period})", rows=await api.figures(report, name, period, 40))
        for report in reports
        for period in ("annual", "quarter")
    ]
    if not any(answer.rows for answer in found):
        raise unknown(name)
    return "\n\n".join(answer.prose() for answer in found)


async def _answer(api: Fmp, report: Report, symbol: str, period: Periods, limit: int) -> FiguresAnswer:
    return FiguresAnswer(symbol=symbol, report=report, rows=await api.figures(report, symbol, period, limit))
