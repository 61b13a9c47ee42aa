"""Computes the row of `/key-metrics`, under FMP's names.

`freeCashFlowToEquity` is free cash flow plus net borrowing. FMP's own figure subtracts the net debt instead.
"""

from math import sqrt

from mcp_servers.fmp.serving.facts import Facts, over, rounded


def metrics(facts: Facts) -> dict[str, float | None]:
    """Return the row of `/key-metrics`, without its head."""
    found = {**_enterprise(facts), **_returns(facts), **_capital(facts), **_days(facts), **_free(facts)}
    return {name: rounded(value) for name, value in found.items()}


def _enterprise(f: Facts) -> dict[str, float | None]:
    value = f.enterprise_value
    return {
        "marketCap": f.market_cap,
        "enterpriseValue": value,
        "evToSales": over(value, f.income["revenue"]),
        "evToOperatingCashFlow": over(value, f.cash["operatingCashFlow"]),
        "evToFreeCashFlow": over(value, f.cash["freeCashFlow"]),
        "evToEBITDA": over(value, f.income["ebitda"]),
        "netDebtToEBITDA": over(f.balance["netDebt"], f.income["ebitda"]),
        "earningsYield": over(f.income["netIncome"], f.market_cap),
        "freeCashFlowYield": over(f.cash["freeCashFlow"], f.market_cap),
    }


def _returns(f: Facts) -> dict[str, float | None]:
    income, ebit, assets = f.income["netIncome"], f.income["ebit"], f.balance["totalAssets"]
    current, equity = f.balance["totalCurrentLiabilities"], f.balance["totalStockholdersEquity"]
    borrowed = f.balance["shortTermDebt"] + f.balance["capitalLeaseObligationsCurrent"]
    return {
        "returnOnAssets": over(income, assets),
        "operatingReturnOnAssets": over(ebit, f.average("totalAssets")),
        "returnOnTangibleAssets": over(income, assets - f.balance["goodwillAndIntangibleAssets"]),
        "returnOnEquity": over(income, equity),
        "returnOnInvestedCapital": over(ebit * (1.0 - f.tax_rate), assets - (current - borrowed)),
        "returnOnCapitalEmployed": over(ebit, assets - current),
        "incomeQuality": over(f.cash["operatingCashFlow"], income),
        "taxBurden": over(income, f.income["incomeBeforeTax"]),
        "interestBurden": over(f.income["incomeBeforeTax"], ebit),
    }


def _capital(f: Facts) -> dict[str, float | None]:
    equity, liabilities = f.balance["totalStockholdersEquity"], f.balance["totalLiabilities"]
    intangible = f.balance["goodwillAndIntangibleAssets"]
    eps, book = f.per_share(f.income["netIncome"]), f.per_share(equity)
    product = 22.5 * eps * book if eps is not None and book is not None else -1.0
    liquid = (
        f.balance["cashAndShortTermInvestments"] + 0.75 * f.balance["netReceivables"] + 0.5 * f.balance["inventory"]
    )
    return {
        "currentRatio": over(f.balance["totalCurrentAssets"], f.balance["totalCurrentLiabilities"]),
        "workingCapital": f.working_capital,
        "investedCapital": f.working_capital + f.balance["propertyPlantEquipmentNet"] + intangible,
        "tangibleAssetValue": equity - intangible,
        "netCurrentAssetValue": f.balance["totalCurrentAssets"] - liabilities,
        "intangiblesToTotalAssets": over(intangible, f.balance["totalAssets"]),
        "grahamNumber": sqrt(product) if product > 0 else None,
        "grahamNetNet": f.per_share(liquid - liabilities),
    }


def _days(f: Facts) -> dict[str, float | None]:
    sales = over(f.balance["netReceivables"] * f.days, f.income["revenue"])
    payables = over(f.balance["accountPayables"] * f.days, f.income["costOfRevenue"])
    inventory = over(f.balance["inventory"] * f.days, f.income["costOfRevenue"])
    cycle = None if sales is None or inventory is None else sales + inventory
    return {
        "averageReceivables": f.average("netReceivables"),
        "averagePayables": f.average("accountPayables"),
        "averageInventory": f.average("inventory"),
        "daysOfSalesOutstanding": sales,
        "daysOfPayablesOutstanding": payables,
        "daysOfInventoryOutstanding": inventory,
        "operatingCycle": cycle,
        "cashConversionCycle": None if cycle is None or payables is None else cycle - payables,
    }


def _free(f: Facts) -> dict[str, float | None]:
    revenue, spent = f.income["revenue"], -f.cash["capitalExpenditure"]
    worn = f.income["depreciationAndAmortization"]
    tied = 0.0
    if f.before is not None:
        tied = f.working_capital - (f.before["totalCurrentAssets"] - f.before["totalCurrentLiabilities"])
    return {
        "capexToOperatingCashFlow": over(spent, f.cash["operatingCashFlow"]),
        "capexToDepreciation": over(spent, worn),
        "capexToRevenue": over(spent, revenue),
        "salesGeneralAndAdministrativeToRevenue": over(f.income["sellingGeneralAndAdministrativeExpenses"], revenue),
        "researchAndDevelopementToRevenue": over(f.income["researchAndDevelopmentExpenses"], revenue),
        "stockBasedCompensationToRevenue": over(f.cash["stockBasedCompensation"], revenue),
        "freeCashFlowToEquity": f.cash["freeCashFlow"] + f.cash["netDebtIssuance"],
        "freeCashFlowToFirm": f.income["ebit"] * (1.0 - f.tax_rate) + worn - spent - tied,
    }
