"""Computes the row of `/ratios`, under FMP's names.

Valuations of a quarter compare the price with the figures of that quarter alone, as FMP does.
"""

from mcp_servers.fmp.serving.facts import Facts, over, rounded


def ratios(facts: Facts) -> dict[str, float | None]:
    """Return the row of `/ratios`, without its head."""
    found = {**_margins(facts), **_turnover(facts), **_liquidity(facts), **_valuation(facts), **_debt(facts)}
    return {name: rounded(value) for name, value in {**found, **_coverage(facts), **_per_share(facts)}.items()}


def _margins(f: Facts) -> dict[str, float | None]:
    revenue = f.income["revenue"]
    lines = {
        "grossProfitMargin": "grossProfit",
        "ebitMargin": "ebit",
        "ebitdaMargin": "ebitda",
        "operatingProfitMargin": "operatingIncome",
        "pretaxProfitMargin": "incomeBeforeTax",
        "continuousOperationsProfitMargin": "netIncomeFromContinuingOperations",
        "netProfitMargin": "netIncome",
        "bottomLineProfitMargin": "bottomLineNetIncome",
    }
    return {name: over(f.income[line], revenue) for name, line in lines.items()}


def _turnover(f: Facts) -> dict[str, float | None]:
    revenue, cost = f.income["revenue"], f.income["costOfRevenue"]
    capital = f.working_capital
    if f.before is not None:
        capital = (capital + f.before["totalCurrentAssets"] - f.before["totalCurrentLiabilities"]) / 2.0
    return {
        "receivablesTurnover": over(revenue, f.balance["netReceivables"]),
        "payablesTurnover": over(cost, f.balance["accountPayables"]),
        "inventoryTurnover": over(cost, f.balance["inventory"]),
        "fixedAssetTurnover": over(revenue, f.balance["propertyPlantEquipmentNet"]),
        "assetTurnover": over(revenue, f.balance["totalAssets"]),
        "workingCapitalTurnoverRatio": over(revenue, capital),
    }


def _liquidity(f: Facts) -> dict[str, float | None]:
    current = f.balance["totalCurrentLiabilities"]
    earned = f.income["netIncome"] + f.income["depreciationAndAmortization"]
    return {
        "currentRatio": over(f.balance["totalCurrentAssets"], current),
        "quickRatio": over(f.balance["totalCurrentAssets"] - f.balance["inventory"], current),
        "solvencyRatio": over(earned, f.balance["totalLiabilities"]),
        "cashRatio": over(f.balance["cashAndCashEquivalents"], current),
    }


def _valuation(f: Facts) -> dict[str, float | None]:
    earnings = over(f.price, f.per_share(f.income["netIncome"]))
    growth = None
    if f.eps_before:
        growth = (f.income["eps"] / f.eps_before - 1.0) * 100.0
    book = over(f.market_cap, f.balance["totalStockholdersEquity"])
    return {
        "priceToEarningsRatio": earnings,
        "priceToEarningsGrowthRatio": over(earnings, growth),
        "priceToBookRatio": book,
        "priceToFairValue": book,
        "priceToSalesRatio": over(f.market_cap, f.income["revenue"]),
        "priceToFreeCashFlowRatio": over(f.market_cap, f.cash["freeCashFlow"]),
        "priceToOperatingCashFlowRatio": over(f.market_cap, f.cash["operatingCashFlow"]),
        "enterpriseValueMultiple": over(f.enterprise_value, f.income["ebitda"]),
        "debtToMarketCap": over(f.balance["totalDebt"], f.market_cap),
        "dividendYield": over(-f.cash["netDividendsPaid"], f.market_cap),
        "dividendYieldPercentage": over(-100.0 * f.cash["netDividendsPaid"], f.market_cap),
        "dividendPayoutRatio": over(-f.cash["netDividendsPaid"], f.income["netIncome"]),
    }


def _debt(f: Facts) -> dict[str, float | None]:
    debt, long, equity = f.balance["totalDebt"], f.balance["longTermDebt"], f.balance["totalStockholdersEquity"]
    return {
        "debtToAssetsRatio": over(debt, f.balance["totalAssets"]),
        "debtToEquityRatio": over(debt, equity),
        "debtToCapitalRatio": over(debt, debt + equity),
        "longTermDebtToCapitalRatio": over(long, long + equity),
        "financialLeverageRatio": over(f.balance["totalAssets"], equity),
    }


def _coverage(f: Facts) -> dict[str, float | None]:
    operating, spent, paid = f.cash["operatingCashFlow"], -f.cash["capitalExpenditure"], -f.cash["netDividendsPaid"]
    due = f.balance["shortTermDebt"] + f.income["interestExpense"]
    return {
        "operatingCashFlowRatio": over(operating, f.balance["totalCurrentLiabilities"]),
        "operatingCashFlowSalesRatio": over(operating, f.income["revenue"]),
        "freeCashFlowOperatingCashFlowRatio": over(f.cash["freeCashFlow"], operating),
        "debtServiceCoverageRatio": over(f.income["ebitda"] - f.income["incomeTaxExpense"], due),
        "interestCoverageRatio": over(f.income["ebit"], f.income["interestExpense"]),
        "shortTermOperatingCashFlowCoverageRatio": over(operating, f.balance["shortTermDebt"]),
        "operatingCashFlowCoverageRatio": over(operating, f.balance["totalDebt"]),
        "capitalExpenditureCoverageRatio": over(operating, spent),
        "dividendPaidAndCapexCoverageRatio": over(operating, spent + paid),
        "netIncomePerEBT": over(f.income["netIncome"], f.income["incomeBeforeTax"]),
        "ebtPerEbit": over(f.income["incomeBeforeTax"], f.income["ebit"]),
        "effectiveTaxRate": over(f.income["incomeTaxExpense"], f.income["incomeBeforeTax"]),
    }


def _per_share(f: Facts) -> dict[str, float | None]:
    equity, intangible = f.balance["totalStockholdersEquity"], f.balance["goodwillAndIntangibleAssets"]
    return {
        "revenuePerShare": f.per_share(f.income["revenue"]),
        "netIncomePerShare": f.per_share(f.income["netIncome"]),
        "interestDebtPerShare": f.per_share(f.balance["totalDebt"] + f.income["interestExpense"]),
        "cashPerShare": f.per_share(f.balance["cashAndShortTermInvestments"]),
        "bookValuePerShare": f.per_share(equity),
        "tangibleBookValuePerShare": f.per_share(equity - intangible),
        "shareholdersEquityPerShare": f.per_share(equity),
        "operatingCashFlowPerShare": f.per_share(f.cash["operatingCashFlow"]),
        "capexPerShare": f.per_share(-f.cash["capitalExpenditure"]),
        "freeCashFlowPerShare": f.per_share(f.cash["freeCashFlow"]),
    }
