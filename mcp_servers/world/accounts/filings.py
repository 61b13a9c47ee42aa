"""Quarterly statements. Sales follow growth and price, and the three statements follow from each other.

All amounts are whole dollars, in steps of a thousand. The balance sheet balances, because each of its lines moves by
lines of the cash flow. The only balancing item is the equity at the opening of the books.
"""

from collections.abc import Sequence

from mcp_servers.world.accounts.actions import shares_factor
from mcp_servers.world.accounts.books import Books, balance, dollars, opening, thousands
from mcp_servers.world.accounts.flows import Extras, Quarter, cash_flow, quarter_end
from mcp_servers.world.chance import Stream
from mcp_servers.world.companies.company import Firm, depreciation_rate
from mcp_servers.world.events.results import Result
from mcp_servers.world.rows import Bar, Dividend, Event, Statement


def extras(ticker: str, events: Sequence[Event]) -> dict[str, Extras]:
    """Return the financial effects of events, by the last day of the quarter of each event."""
    found: dict[str, Extras] = {}
    for event in events:
        facts, mine = event["facts"], event["ticker"] == ticker
        quarter = found.setdefault(quarter_end(event["at"][:10]), Extras())
        if event["kind"] in ("recall", "layoffs"):
            quarter.charges += int(facts["cost"])
        elif event["kind"] == "lawsuit" and facts.get("paid"):
            quarter.charges += int(facts["paid"]) if mine else 0
            quarter.income += 0 if mine else int(facts["paid"])
        elif event["kind"] == "acquisition" and facts["stage"] == "completed":
            quarter.bought += int(facts["price"]) if mine else 0
            quarter.sold += 0 if mine else int(facts["price"])
            quarter.sales += int(facts["sales"]) * (1 if mine else -1)
    return found


def statements(
    seed: int,
    firm: Firm,
    results: Sequence[Result],
    events: Sequence[Event],
    dividends: Sequence[Dividend],
    bars: Sequence[Bar],
) -> list[Statement]:
    """Return the statements of all reported quarters, oldest first."""
    stream = Stream(seed, "filings", firm.ticker)
    special, prices = extras(firm.ticker, events), _closes(firm, bars)
    books, before, rows = opening(stream, firm), firm.price, []
    for result in results:
        price = prices.get(result.ends[:7], firm.price)
        pull = 0.36 * min(max(price / before - 1.0, -0.5), 0.5)
        before = price
        paid = [row for row in dividends if quarter_end(row["pay"]) == result.ends]
        quarter = Quarter(stream, firm, result, special.get(result.ends, Extras()), paid, price, pull)
        rows.append(_statement(quarter, books))
    return rows


def _closes(firm: Firm, bars: Sequence[Bar]) -> dict[str, float]:
    """Return the last close of each month, in shares of the first day."""
    return {bar["date"][:7]: bar["close"] * shares_factor(firm, bar["date"]) for bar in bars}


def _statement(quarter: Quarter, books: Books) -> Statement:
    firm, result, begin = quarter.firm, quarter.result, books.shares
    grown = 1.0 + firm.growth / 4.0 + quarter.pull + 0.012 * quarter.stream.normal()
    step = quarter.pull * (0.05 if quarter.pull > 0 else 0.18)
    books.gross = min(max(books.gross + step, 0.5 * firm.gross), 1.2 * firm.gross, 0.95)
    books.level = max(books.level * grown + quarter.extras.sales / 4.0, 1e6)
    income = _income(quarter, books)
    flow = cash_flow(quarter, books, income)
    shares = shares_factor(firm, result.ends)
    mean = round((books.shares + begin) / 2.0 * shares)
    diluted = round(mean * 1.012)
    net = income["net_income"]
    per_share = {"eps": round(net / mean, 2), "eps_diluted": round(net / diluted, 2)}
    return {
        "id": f"{firm.ticker}:{result.year}-Q{result.quarter}",
        "ticker": firm.ticker,
        "year": result.year,
        "quarter": result.quarter,
        "ends": result.ends,
        "filed": result.filed,
        "accepted": result.accepted,
        "income": {**income, "shares": mean, "shares_diluted": diluted, **per_share},
        "balance": {**balance(books), "shares_outstanding": round(books.shares * shares)},
        "cash": flow,
    }


def _income(quarter: Quarter, books: Books) -> dict[str, float]:
    firm, stream = quarter.firm, quarter.stream
    industry = firm.industry
    gross = books.gross + 0.006 * stream.normal()
    revenue = thousands(books.level * industry.season[(int(quarter.result.ends[5:7]) - 1) // 3])
    cost, usual = round(revenue * (1.0 - gross)), thousands(books.level)
    research = round(usual * industry.research * (1.0 + 0.02 * stream.normal()))
    selling = round(usual * industry.selling * (1.0 + 0.02 * stream.normal()))
    depreciation = round(books.plant * depreciation_rate(industry) / 4.0)
    charges, other = thousands(quarter.extras.charges), thousands(quarter.extras.income)
    expenses = research + selling + depreciation + charges
    operating = revenue - cost - expenses
    interest = round(books.debt * 0.0105)
    earned = round((books.cash + books.investments) * 0.006)
    pretax = operating - interest + earned + other
    tax = round(pretax * 0.21) if pretax > 0 else 0
    return dollars(
        revenue=revenue,
        cost_of_revenue=cost,
        gross_profit=revenue - cost,
        research_and_development=research,
        selling_and_administrative=selling,
        depreciation=depreciation,
        special_charges=charges,
        operating_expenses=expenses,
        operating_income=operating,
        interest_income=earned,
        interest_expense=interest,
        other_income=other,
        pretax_income=pretax,
        income_tax=tax,
        net_income=pretax - tax,
        ebitda=operating + depreciation,
    )
