"""Statements, ratios and key metrics against each other, the prices and the world."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from mcp_servers.world import NOW, calendar, read
from tests.mcp_servers.fmp.asking import TICKERS, at, close, row, rows, splits, store

INCOME, BALANCE, CASH = "income-statement", "balance-sheet-statement", "cash-flow-statement"
ALL = [(ticker, period) for ticker in TICKERS for period in ("annual", "quarter")]


async def reports(ticker: str, period: str, report: str, now: datetime = NOW) -> list[dict[str, Any]]:
    """All rows of a report."""
    return await rows(report, now, symbol=ticker, period=period, limit=100)


@pytest.mark.parametrize(("ticker", "period"), ALL)
async def test_income_statements_add_up(ticker: str, period: str) -> None:
    """Every subtotal is the sum of its lines, and earnings per share follow from them."""
    found = await reports(ticker, period, INCOME)
    assert len(found) >= 3
    for r in found:
        assert r["grossProfit"] == r["revenue"] - r["costOfRevenue"]
        parts = ("researchAndDevelopmentExpenses", "sellingGeneralAndAdministrativeExpenses", "otherExpenses")
        assert r["operatingExpenses"] == sum(r[part] for part in parts)
        assert r["operatingIncome"] == r["grossProfit"] - r["operatingExpenses"] == r["revenue"] - r["costAndExpenses"]
        assert r["ebitda"] == r["ebit"] + r["depreciationAndAmortization"]
        assert r["incomeBeforeTax"] == r["operatingIncome"] + r["totalOtherIncomeExpensesNet"]
        assert r["netIncome"] == r["incomeBeforeTax"] - r["incomeTaxExpense"] == r["bottomLineNetIncome"]
        assert r["eps"] == pytest.approx(r["netIncome"] / r["weightedAverageShsOut"], abs=0.0051)


@pytest.mark.parametrize(("ticker", "period"), ALL)
async def test_balance_sheets_balance(ticker: str, period: str) -> None:
    """Assets are liabilities and equity, and every subtotal is the sum of its lines."""
    for r in await reports(ticker, period, BALANCE):
        assert r["totalAssets"] == r["totalLiabilities"] + r["totalEquity"] == r["totalLiabilitiesAndTotalEquity"]
        assert r["totalAssets"] == r["totalCurrentAssets"] + r["totalNonCurrentAssets"]
        assert r["totalLiabilities"] == r["totalCurrentLiabilities"] + r["totalNonCurrentLiabilities"]
        current = ("cashAndShortTermInvestments", "netReceivables", "inventory", "otherCurrentAssets")
        assert r["totalCurrentAssets"] == sum(r[part] for part in current)
        owed = ("totalPayables", "accruedExpenses", "shortTermDebt", "deferredRevenue", "otherCurrentLiabilities")
        assert r["totalCurrentLiabilities"] == sum(r[part] for part in owed)
        assert r["totalDebt"] == r["shortTermDebt"] + r["longTermDebt"]
        assert r["netDebt"] == r["totalDebt"] - r["cashAndCashEquivalents"]
        assert r["totalEquity"] == r["commonStock"] + r["retainedEarnings"]


@pytest.mark.parametrize(("ticker", "period"), ALL)
async def test_cash_flows_lead_from_one_balance_to_the_next(ticker: str, period: str) -> None:
    """Flows add up, and the cash at the end is the balance sheet's; income and cash flow agree."""
    flows, balances = await reports(ticker, period, CASH), await reports(ticker, period, BALANCE)
    incomes = await reports(ticker, period, INCOME)
    for at_end, r in enumerate(flows):
        groups = ("Operating", "Investing", "Financing")
        assert r["netChangeInCash"] == sum(r[f"netCashProvidedBy{group}Activities"] for group in groups)
        assert r["cashAtEndOfPeriod"] == r["cashAtBeginningOfPeriod"] + r["netChangeInCash"]
        assert r["cashAtEndOfPeriod"] == balances[at_end]["cashAndCashEquivalents"]
        assert r["freeCashFlow"] == r["operatingCashFlow"] + r["capitalExpenditure"]
        sources = ("netIncome", "depreciationAndAmortization", "stockBasedCompensation", "changeInWorkingCapital")
        assert r["operatingCashFlow"] == sum(r[source] for source in sources)
        assert r["netIncome"] == incomes[at_end]["netIncome"]
        if at_end + 1 < len(flows):
            assert r["cashAtBeginningOfPeriod"] == flows[at_end + 1]["cashAtEndOfPeriod"]


@pytest.mark.parametrize("ticker", TICKERS)
async def test_a_year_is_its_four_quarters(ticker: str) -> None:
    """Amounts are sums, a balance is the last quarter's, and a year whose last quarter is not filed is not there."""
    quarters = {(r["fiscalYear"], r["period"]): r for r in await reports(ticker, "quarter", INCOME)}
    flows = {(r["fiscalYear"], r["period"]): r for r in await reports(ticker, "quarter", CASH)}
    balances = {(r["fiscalYear"], r["period"]): r for r in await reports(ticker, "quarter", BALANCE)}
    years = await reports(ticker, "annual", INCOME)
    for r in years:
        parts = [quarters[r["fiscalYear"], f"Q{n}"] for n in (1, 2, 3, 4)]
        assert (r["period"], r["date"], r["filingDate"]) == ("FY", parts[-1]["date"], parts[-1]["filingDate"])
        for line in ("revenue", "netIncome", "ebitda", "interestExpense"):
            assert r[line] == sum(part[line] for part in parts)
    for r in await reports(ticker, "annual", CASH):
        assert r["freeCashFlow"] == sum(flows[r["fiscalYear"], f"Q{n}"]["freeCashFlow"] for n in (1, 2, 3, 4))
    for r in await reports(ticker, "annual", BALANCE):
        assert r["totalAssets"] == balances[r["fiscalYear"], "Q4"]["totalAssets"]
    assert len(years) == sum(name == "Q4" and (year, "Q1") in quarters for year, name in quarters)


async def test_periods_choose_rows() -> None:
    """`FY` is `annual`, a quarter's name gives that quarter of each year, and other words mean years."""
    years = await reports("ORCA", "annual", INCOME)
    assert years == await reports("ORCA", "FY", INCOME) == await reports("ORCA", "bogus", INCOME)
    assert years == await rows(INCOME, symbol="ORCA", limit=100)
    assert {r["period"] for r in await reports("ORCA", "Q3", INCOME)} == {"Q3"}
    assert [r["period"] for r in await rows(INCOME, symbol="ORCA", period="quarter", limit=4)] == [
        r["period"] for r in (await reports("ORCA", "quarter", INCOME))[:4]
    ]


@pytest.mark.parametrize(("ticker", "period"), ALL)
async def test_ratios_agree_with_the_statements(ticker: str, period: str) -> None:
    """Ratios can be computed again from the three statements."""
    incomes, balances = await reports(ticker, period, INCOME), await reports(ticker, period, BALANCE)
    flows, found = await reports(ticker, period, CASH), await reports(ticker, period, "ratios")
    assert [r["date"] for r in found] == [r["date"] for r in incomes]
    for r, i, b, c in zip(found, incomes, balances, flows, strict=True):
        expected = {
            "grossProfitMargin": i["grossProfit"] / i["revenue"],
            "netProfitMargin": i["netIncome"] / i["revenue"],
            "assetTurnover": i["revenue"] / b["totalAssets"],
            "currentRatio": b["totalCurrentAssets"] / b["totalCurrentLiabilities"],
            "quickRatio": (b["totalCurrentAssets"] - b["inventory"]) / b["totalCurrentLiabilities"],
            "debtToEquityRatio": b["totalDebt"] / b["totalEquity"],
            "financialLeverageRatio": b["totalAssets"] / b["totalEquity"],
            "operatingCashFlowSalesRatio": c["operatingCashFlow"] / i["revenue"],
            "bookValuePerShare": b["totalEquity"] / i["weightedAverageShsOut"],
            "netIncomePerShare": i["eps"],
        }
        for name, value in expected.items():
            assert r[name] == pytest.approx(value, abs=0.0051 if name == "netIncomePerShare" else 1e-5), name


@pytest.mark.parametrize(("ticker", "period"), ALL)
async def test_valuations_use_the_price_at_the_end_of_the_period(ticker: str, period: str) -> None:
    """Market capitalization is close times shares, and ratios and key metrics say the same of it."""
    incomes, balances = await reports(ticker, period, INCOME), await reports(ticker, period, BALANCE)
    metrics, ratios = await reports(ticker, period, "key-metrics"), await reports(ticker, period, "ratios")
    assert any(m["marketCap"] for m in metrics)
    for m, r, i, b in zip(metrics, ratios, incomes, balances, strict=True):
        day = calendar.session_before(calendar.plus(m["date"], 1))
        if day is None:
            assert m["marketCap"] is None
            assert r["priceToEarningsRatio"] is None
            continue
        cap = close(ticker, day) * i["weightedAverageShsOut"]
        assert m["marketCap"] == pytest.approx(cap)
        assert m["enterpriseValue"] == pytest.approx(cap + b["netDebt"])
        assert r["priceToBookRatio"] == pytest.approx(cap / b["totalEquity"], abs=1e-5)
        assert r["priceToEarningsRatio"] == pytest.approx(cap / i["netIncome"], rel=1e-5, abs=1e-5)
        assert m["workingCapital"] == b["totalCurrentAssets"] - b["totalCurrentLiabilities"]


async def test_shares_and_amounts_per_share_are_restated() -> None:
    """A split changes counts and amounts per share of what was filed before it, and no amount, ratio or valuation."""
    assert len(splits()) > 5
    for split in splits():
        ticker, factor = split["ticker"], split["after"] / split["before"]
        before, after = at(f"{split['date']}T03:00:00"), at(f"{split['date']}T05:00:00")
        newest: dict[str, Any] = {"symbol": ticker, "period": "quarter", "limit": 1}
        old, new = await row(INCOME, before, **newest), await row(INCOME, after, **newest)
        assert new["date"] == old["date"]
        assert new["weightedAverageShsOut"] == pytest.approx(old["weightedAverageShsOut"] * factor, rel=1e-6)
        assert new["eps"] == pytest.approx(old["eps"] / factor, abs=1e-4)
        assert (new["revenue"], new["netIncome"]) == (old["revenue"], old["netIncome"])
        first, second = await row("ratios", before, **newest), await row("ratios", after, **newest)
        assert second["revenuePerShare"] == pytest.approx(first["revenuePerShare"] / factor, rel=1e-4)
        assert second["priceToBookRatio"] == pytest.approx(first["priceToBookRatio"], rel=1e-3)
        told, retold = (
            await row("earnings", before, symbol=ticker, limit=1),
            await row("earnings", after, symbol=ticker, limit=1),
        )
        assert retold["epsActual"] == pytest.approx(told["epsActual"] / factor, abs=1e-4)


@pytest.mark.parametrize("ticker", TICKERS)
async def test_nothing_is_known_before_it_is_filed(ticker: str) -> None:
    """A quarter appears when it is accepted, and not a second earlier."""
    newest = read.statements(store(), ticker, NOW)[0]
    accepted = calendar.parse(newest["accepted"])
    one: dict[str, Any] = {"symbol": ticker, "period": "quarter", "limit": 1}
    shown, hidden = await row(INCOME, accepted, **one), await row(INCOME, accepted - timedelta(seconds=1), **one)
    assert (shown["date"], shown["filingDate"]) == (newest["ends"], newest["filed"])
    assert hidden["date"] < newest["ends"]


@pytest.mark.parametrize("ticker", TICKERS)
async def test_earnings_agree_with_the_statements(ticker: str) -> None:
    """What was reported per share and as revenue is what the quarter's statement says."""
    statements = {r["filingDate"]: r for r in await reports(ticker, "quarter", INCOME)}
    by_end = sorted(statements.values(), key=lambda r: str(r["date"]), reverse=True)
    told = await rows("earnings", symbol=ticker, limit=100)
    for quarter, report in zip(by_end, told, strict=False):
        assert report["revenueActual"] == quarter["revenue"]
        assert report["epsActual"] == pytest.approx(quarter["eps"], abs=0.006)
