"""Lines of the three statements under FMP's names, computed from the lines of the world's quarters."""

from collections.abc import Mapping, Sequence

from mcp_servers.world.rows import Statement

Lines = dict[str, float]
World = Mapping[str, float]


def income(quarters: Sequence[Statement]) -> Lines:
    """Return one income statement for successive quarters. Its number of shares is the mean of the quarters."""
    w = _sum([quarter["income"] for quarter in quarters])
    shares = round(w["shares"] / len(quarters))
    diluted = round(w["shares_diluted"] / len(quarters))
    only = quarters[0]["income"] if len(quarters) == 1 else None
    other = w["interest_income"] - w["interest_expense"] + w["other_income"]
    return {
        "revenue": w["revenue"],
        "costOfRevenue": w["cost_of_revenue"],
        "grossProfit": w["gross_profit"],
        "researchAndDevelopmentExpenses": w["research_and_development"],
        "generalAndAdministrativeExpenses": 0,
        "sellingAndMarketingExpenses": 0,
        "sellingGeneralAndAdministrativeExpenses": w["selling_and_administrative"],
        "otherExpenses": w["depreciation"] + w["special_charges"],
        "operatingExpenses": w["operating_expenses"],
        "costAndExpenses": w["cost_of_revenue"] + w["operating_expenses"],
        "netInterestIncome": w["interest_income"] - w["interest_expense"],
        "interestIncome": w["interest_income"],
        "interestExpense": w["interest_expense"],
        "depreciationAndAmortization": w["depreciation"],
        "ebitda": w["ebitda"],
        "ebit": w["operating_income"],
        "nonOperatingIncomeExcludingInterest": w["other_income"],
        "operatingIncome": w["operating_income"],
        "totalOtherIncomeExpensesNet": other,
        "incomeBeforeTax": w["pretax_income"],
        "incomeTaxExpense": w["income_tax"],
        "netIncomeFromContinuingOperations": w["net_income"],
        "netIncomeFromDiscontinuedOperations": 0,
        "otherAdjustmentsToNetIncome": 0,
        "netIncome": w["net_income"],
        "netIncomeDeductions": 0,
        "bottomLineNetIncome": w["net_income"],
        "eps": only["eps"] if only else round(w["net_income"] / shares, 4),
        "epsDiluted": only["eps_diluted"] if only else round(w["net_income"] / diluted, 4),
        "weightedAverageShsOut": shares,
        "weightedAverageShsOutDil": diluted,
    }


def balance(quarter: Statement) -> Lines:
    """Return the balance sheet at the end of a quarter."""
    w = quarter["balance"]
    held = w["cash"] + w["short_term_investments"]
    owed = w["payables"] + w["accrued_liabilities"] + w["deferred_revenue"] + w["short_term_debt"]
    late = w["total_liabilities"] - w["current_liabilities"]
    return {
        "cashAndCashEquivalents": w["cash"],
        "shortTermInvestments": w["short_term_investments"],
        "cashAndShortTermInvestments": held,
        "netReceivables": w["receivables"],
        "accountsReceivables": w["receivables"],
        "otherReceivables": 0,
        "inventory": w["inventory"],
        "prepaids": 0,
        "otherCurrentAssets": w["current_assets"] - held - w["receivables"] - w["inventory"],
        "totalCurrentAssets": w["current_assets"],
        "propertyPlantEquipmentNet": w["property"],
        "goodwill": w["goodwill"],
        "intangibleAssets": 0,
        "goodwillAndIntangibleAssets": w["goodwill"],
        "longTermInvestments": 0,
        "taxAssets": 0,
        "otherNonCurrentAssets": w["noncurrent_assets"] - w["property"] - w["goodwill"],
        "totalNonCurrentAssets": w["noncurrent_assets"],
        "otherAssets": 0,
        "totalAssets": w["total_assets"],
        "totalPayables": w["payables"],
        "accountPayables": w["payables"],
        "otherPayables": 0,
        "accruedExpenses": w["accrued_liabilities"],
        "shortTermDebt": w["short_term_debt"],
        "capitalLeaseObligationsCurrent": 0,
        "taxPayables": 0,
        "deferredRevenue": w["deferred_revenue"],
        "otherCurrentLiabilities": w["current_liabilities"] - owed,
        "totalCurrentLiabilities": w["current_liabilities"],
        "longTermDebt": w["long_term_debt"],
        "deferredRevenueNonCurrent": 0,
        "deferredTaxLiabilitiesNonCurrent": 0,
        "otherNonCurrentLiabilities": late - w["long_term_debt"],
        "totalNonCurrentLiabilities": late,
        "otherLiabilities": 0,
        "capitalLeaseObligations": 0,
        "totalLiabilities": w["total_liabilities"],
        "treasuryStock": 0,
        "preferredStock": 0,
        "commonStock": w["paid_in_capital"],
        "retainedEarnings": w["retained_earnings"],
        "additionalPaidInCapital": 0,
        "accumulatedOtherComprehensiveIncomeLoss": 0,
        "otherTotalStockholdersEquity": 0,
        "totalStockholdersEquity": w["total_equity"],
        "totalEquity": w["total_equity"],
        "minorityInterest": 0,
        "totalLiabilitiesAndTotalEquity": w["total_liabilities"] + w["total_equity"],
        "totalInvestments": w["short_term_investments"],
        "totalDebt": w["total_debt"],
        "netDebt": w["total_debt"] - w["cash"],
    }


def cash(quarters: Sequence[Statement]) -> Lines:
    """Return the cash flow statement of successive quarters (oldest first) as one period."""
    w, earned = _sum([quarter["cash"] for quarter in quarters]), _sum([quarter["income"] for quarter in quarters])
    tied = w["change_in_receivables"] + w["change_in_inventory"] + w["change_in_payables"]
    late = w["change_in_deferred_revenue"] + w["change_in_accrued_liabilities"]
    borrowed = w["debt_issued"] + w["debt_repaid"]
    return {
        "netIncome": w["net_income"],
        "depreciationAndAmortization": w["depreciation"],
        "deferredIncomeTax": 0,
        "stockBasedCompensation": w["stock_compensation"],
        "changeInWorkingCapital": tied + late,
        "accountsReceivables": w["change_in_receivables"],
        "inventory": w["change_in_inventory"],
        "accountsPayables": w["change_in_payables"],
        "otherWorkingCapital": late,
        "otherNonCashItems": 0,
        "netCashProvidedByOperatingActivities": w["operating_cash_flow"],
        "investmentsInPropertyPlantAndEquipment": w["capital_expenditure"],
        "acquisitionsNet": w["acquisitions"] + w["divestitures"],
        "purchasesOfInvestments": w["purchases_of_investments"],
        "salesMaturitiesOfInvestments": 0,
        "otherInvestingActivities": 0,
        "netCashProvidedByInvestingActivities": w["investing_cash_flow"],
        "netDebtIssuance": borrowed,
        "longTermNetDebtIssuance": borrowed,
        "shortTermNetDebtIssuance": 0,
        "netStockIssuance": w["buybacks"],
        "netCommonStockIssuance": w["buybacks"],
        "commonStockIssuance": 0,
        "commonStockRepurchased": w["buybacks"],
        "netPreferredStockIssuance": 0,
        "netDividendsPaid": w["dividends_paid"],
        "commonDividendsPaid": w["dividends_paid"],
        "preferredDividendsPaid": 0,
        "otherFinancingActivities": 0,
        "netCashProvidedByFinancingActivities": w["financing_cash_flow"],
        "effectOfForexChangesOnCash": 0,
        "netChangeInCash": w["net_change_in_cash"],
        "cashAtEndOfPeriod": quarters[-1]["cash"]["cash_at_end"],
        "cashAtBeginningOfPeriod": quarters[0]["cash"]["cash_at_beginning"],
        "operatingCashFlow": w["operating_cash_flow"],
        "capitalExpenditure": w["capital_expenditure"],
        "freeCashFlow": w["free_cash_flow"],
        "incomeTaxesPaid": earned["income_tax"],
        "interestPaid": earned["interest_expense"],
    }


def _sum(parts: Sequence[World]) -> Lines:
    return dict(parts[0]) if len(parts) == 1 else {name: sum(part[name] for part in parts) for name in parts[0]}
