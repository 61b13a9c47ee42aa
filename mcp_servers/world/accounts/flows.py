"""The cash flow of a quarter. It moves the books from one balance sheet to the next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcp_servers.world.accounts.actions import shares_factor
from mcp_servers.world.accounts.books import THOUSAND, Books, dollars, thousands
from mcp_servers.world.chance import Stream
from mcp_servers.world.companies.company import Firm
from mcp_servers.world.events.results import Result
from mcp_servers.world.rows import Dividend


@dataclass
class Extras:
    """The effects of events on a quarter, in dollars."""

    charges: int = 0
    """Costs of recalls, layoffs and lawsuits."""
    income: int = 0
    """Income from a lawsuit."""
    bought: int = 0
    """The price of acquired units. `sold` is the price of divested units."""
    sold: int = 0
    sales: int = 0
    """Yearly revenue of acquired units, or of divested units if negative."""


@dataclass(frozen=True)
class Quarter:
    """The inputs of a quarter, in addition to the books at its beginning."""

    stream: Stream
    firm: Firm
    result: Result
    extras: Extras
    dividends: Sequence[Dividend]
    """The dividends paid in the quarter."""
    price: float
    """The share price at the end of the quarter, in shares of the first day."""
    pull: float
    """The effect of the prices of the last quarters on sales."""


def quarter_end(day: str) -> str:
    """Return the last day of the calendar quarter of `day`."""
    return day[:5] + ("03-31", "06-30", "09-30", "12-31")[(int(day[5:7]) - 1) // 3]


def operating(quarter: Quarter, books: Books, income: Mapping[str, float]) -> dict[str, int]:
    """Return the cash from operations, line by line, in thousands of dollars."""
    industry = quarter.firm.industry
    revenue, cost = income["revenue"] / THOUSAND, income["cost_of_revenue"] / THOUSAND
    wages = (income["research_and_development"] + income["selling_and_administrative"]) / THOUSAND
    steady = 1.0 + 0.03 * quarter.stream.normal()
    lines = {
        "net_income": thousands(income["net_income"]),
        "depreciation": thousands(income["depreciation"]),
        "stock_compensation": round(wages * 0.05),
        "change_in_receivables": books.receivables - round(0.5 * (books.receivables + revenue * 0.55 * steady)),
        "change_in_inventory": books.inventory - round(0.5 * (books.inventory + cost * industry.inventory * steady)),
        "change_in_payables": round(cost * 0.55 * steady) - books.payables,
        "change_in_deferred_revenue": round(revenue * industry.deferred) - books.deferred,
        "change_in_accrued_liabilities": round(wages * 0.4) - books.accrued,
    }
    return {**lines, "operating_cash_flow": sum(lines.values())}


def investing(quarter: Quarter, books: Books, depreciation: int) -> dict[str, int]:
    """Return the cash for property and units, in thousands of dollars. `financing` determines the savings."""
    target = books.level * 4.0 * quarter.firm.industry.plant / THOUSAND
    capital = max(round(depreciation + 0.12 * (target - books.plant)), depreciation // 3)
    return {
        "capital_expenditure": -capital,
        "acquisitions": -thousands(quarter.extras.bought),
        "divestitures": thousands(quarter.extras.sold),
    }


def financing(quarter: Quarter, books: Books, free: int) -> tuple[dict[str, int], int, int]:
    """Return the cash from and to lenders and owners, the savings, and the number of shares bought back.

    Cash and savings are in thousands of dollars. Companies keep between a tenth and about half of a year's revenue as
    cash. They borrow what is missing. They use a surplus to repay debt and to save.
    """
    stream, paid = quarter.stream, dividends_paid(quarter, books)
    wanted = stream.between(0.0, 0.007) if quarter.firm.dividend or stream.chance(0.4) else 0.0
    floor, held = round(books.level * 0.4 / THOUSAND), books.cash + free - paid
    bought = round(wanted * books.shares)
    if held - thousands(bought * quarter.price) < 2 * floor:
        bought = 0
    spent = thousands(bought * quarter.price)
    missing, spare = floor - held + spent, held - spent - 4 * floor
    repaid = min(round(max(spare, 0) * 0.3), books.debt // 2)
    lines = {
        "debt_issued": (missing // 10_000 + 1) * 10_000 if missing > 0 else 0,
        "debt_repaid": -repaid,
        "dividends_paid": -paid,
        "buybacks": -spent,
    }
    return lines, round(max(spare - repaid, 0) * 0.4), bought


def dividends_paid(quarter: Quarter, books: Books) -> int:
    """Return the dividends of the quarter on the shares at its beginning, in thousands of dollars."""
    return sum(
        thousands(row["cash"] * books.shares * shares_factor(quarter.firm, row["ex"])) for row in quarter.dividends
    )


def cash_flow(quarter: Quarter, books: Books, income: Mapping[str, float]) -> dict[str, float]:
    """Return the cash flow statement. Move the books to the end of the quarter."""
    begin, works = books.cash, operating(quarter, books, income)
    plant = investing(quarter, books, works["depreciation"])
    owners, saved, bought = financing(quarter, books, works["operating_cash_flow"] + sum(plant.values()))
    plant["purchases_of_investments"] = -saved
    ends = {
        "investing_cash_flow": sum(plant.values()),
        "financing_cash_flow": sum(owners.values()),
    }
    change = works["operating_cash_flow"] + sum(ends.values())
    _move(books, {**works, **plant, **owners}, change)
    books.shares += round(quarter.stream.between(0.0002, 0.0012) * books.shares) - bought
    return dollars(
        **works,
        **plant,
        **owners,
        **ends,
        net_change_in_cash=change,
        cash_at_beginning=begin,
        cash_at_end=books.cash,
        free_cash_flow=works["operating_cash_flow"] + plant["capital_expenditure"],
    )


def _move(books: Books, lines: Mapping[str, int], change: int) -> None:
    """Move each line of the books by the related lines of the cash flow."""
    books.cash += change
    books.investments -= lines["purchases_of_investments"]
    books.receivables -= lines["change_in_receivables"]
    books.inventory -= lines["change_in_inventory"]
    books.payables += lines["change_in_payables"]
    books.deferred += lines["change_in_deferred_revenue"]
    books.accrued += lines["change_in_accrued_liabilities"]
    books.plant -= lines["capital_expenditure"] + lines["depreciation"]
    books.goodwill -= lines["acquisitions"] + lines["divestitures"]
    books.debt += lines["debt_issued"] + lines["debt_repaid"]
    books.paid_in += lines["stock_compensation"]
    books.retained += lines["net_income"] + lines["dividends_paid"] + lines["buybacks"]
