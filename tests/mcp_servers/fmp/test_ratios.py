"""The arithmetic of ratios and key metrics on one company, computed by hand."""

from collections import defaultdict
from dataclasses import replace

import pytest

from mcp_servers.fmp.serving.facts import Facts
from mcp_servers.fmp.serving.metrics import metrics
from mcp_servers.fmp.serving.ratios import ratios


def lines(**given: float) -> defaultdict[str, float]:
    """Lines of a statement; others are zero."""
    return defaultdict(float, given)


FACTS = Facts(
    income=lines(
        revenue=1000, costOfRevenue=600, grossProfit=400, ebit=200, operatingIncome=200, ebitda=250,
        depreciationAndAmortization=50, interestExpense=20, incomeBeforeTax=180, incomeTaxExpense=36, netIncome=144,
        eps=1.44, weightedAverageShsOut=100,
    ),
    balance=lines(
        cashAndCashEquivalents=80, cashAndShortTermInvestments=100, netReceivables=120, inventory=60,
        totalCurrentAssets=280, propertyPlantEquipmentNet=400, goodwillAndIntangibleAssets=120, totalAssets=800,
        accountPayables=50, shortTermDebt=40, totalCurrentLiabilities=140, longTermDebt=200, totalLiabilities=350,
        totalStockholdersEquity=450, totalDebt=240, netDebt=160,
    ),
    cash=lines(
        operatingCashFlow=220, capitalExpenditure=-70, freeCashFlow=150, netDividendsPaid=-30, netDebtIssuance=10,
        stockBasedCompensation=15,
    ),
    before=lines(totalCurrentAssets=260, totalCurrentLiabilities=160, totalAssets=700, netReceivables=100),
    eps_before=1.2,
    price=18.0,
    days=365,
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("grossProfitMargin", 0.4),
        ("netProfitMargin", 0.144),
        ("receivablesTurnover", 1000 / 120),
        ("payablesTurnover", 12),
        ("workingCapitalTurnoverRatio", 1000 / 120),
        ("quickRatio", 220 / 140),
        ("solvencyRatio", 194 / 350),
        ("cashRatio", 80 / 140),
        ("priceToEarningsRatio", 12.5),
        ("priceToEarningsGrowthRatio", 12.5 / 20),
        ("priceToBookRatio", 4),
        ("priceToSalesRatio", 1.8),
        ("enterpriseValueMultiple", 1960 / 250),
        ("dividendYieldPercentage", 30 / 18),
        ("dividendPayoutRatio", 30 / 144),
        ("debtToCapitalRatio", 240 / 690),
        ("longTermDebtToCapitalRatio", 200 / 650),
        ("debtServiceCoverageRatio", 214 / 60),
        ("interestCoverageRatio", 10),
        ("capitalExpenditureCoverageRatio", 220 / 70),
        ("dividendPaidAndCapexCoverageRatio", 2.2),
        ("interestDebtPerShare", 2.6),
        ("tangibleBookValuePerShare", 3.3),
        ("effectiveTaxRate", 0.2),
    ],
)
def test_ratios(name: str, value: float) -> None:
    """Each ratio is the quotient that its name says."""
    assert ratios(FACTS)[name] == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("marketCap", 1800),
        ("enterpriseValue", 1960),
        ("netDebtToEBITDA", 0.64),
        ("earningsYield", 0.08),
        ("operatingReturnOnAssets", 200 / 750),
        ("returnOnInvestedCapital", 160 / 700),
        ("returnOnCapitalEmployed", 200 / 660),
        ("returnOnTangibleAssets", 144 / 680),
        ("grahamNumber", (22.5 * 1.44 * 4.5) ** 0.5),
        ("grahamNetNet", (100 + 90 + 30 - 350) / 100),
        ("workingCapital", 140),
        ("investedCapital", 660),
        ("averageReceivables", 110),
        ("daysOfSalesOutstanding", 43.8),
        ("cashConversionCycle", 43.8 + 36.5 - 50 * 365 / 600),
        ("freeCashFlowToEquity", 160),
        ("freeCashFlowToFirm", 160 + 50 - 70 - 40),
        ("stockBasedCompensationToRevenue", 0.015),
    ],
)
def test_key_metrics(name: str, value: float) -> None:
    """Each metric is what its name says."""
    assert metrics(FACTS)[name] == pytest.approx(value, abs=1e-6)


def test_what_cannot_be_computed_is_nothing() -> None:
    """Without a price, an earlier period or revenue, the figures that need them are None."""
    bare = replace(FACTS, price=None, before=None, eps_before=None, income=lines(weightedAverageShsOut=100))
    found = {**ratios(bare), **metrics(bare)}
    for name in ("marketCap", "evToSales", "priceToEarningsRatio", "priceToEarningsGrowthRatio", "netProfitMargin"):
        assert found[name] is None, name
    assert found["grahamNumber"] is None
