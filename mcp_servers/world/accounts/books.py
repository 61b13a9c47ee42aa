"""A company's books: their lines, their opening state, and the balance sheet."""

from dataclasses import dataclass

from mcp_servers.world.chance import Stream
from mcp_servers.world.companies.company import Firm

THOUSAND = 1000


def thousands(amount: float) -> int:
    """Return dollars in thousands."""
    return round(amount / THOUSAND)


def dollars(**lines: int) -> dict[str, float]:
    """Return lines in thousands as dollars."""
    return {name: value * THOUSAND for name, value in lines.items()}


@dataclass
class Books:
    """A company's books at the end of a quarter, in thousands of dollars."""

    level: float
    """Quarterly revenue without seasonal effects, in dollars."""
    gross: float
    """The gross margin."""
    cash: int
    investments: int
    receivables: int
    inventory: int
    plant: int
    goodwill: int
    payables: int
    deferred: int
    accrued: int
    debt: int
    paid_in: int
    retained: int
    shares: int
    """The number of shares, in shares of the first day of the world."""

    @property
    def assets(self) -> int:
        """Return the total assets."""
        return self.current + self.plant + self.goodwill

    @property
    def current(self) -> int:
        """Return the current assets."""
        return self.cash + self.investments + self.receivables + self.inventory

    @property
    def liabilities(self) -> int:
        """Return the total liabilities."""
        return self.payables + self.deferred + self.accrued + self.debt


def opening(stream: Stream, firm: Firm) -> Books:
    """Return the books at the end of 2020, ten quarters before the world begins."""
    industry = firm.industry
    past = 1.0 / ((1.0 + firm.growth) * (1.0 + firm.growth))
    sales = firm.sales * past
    cost = sales * (1.0 - firm.gross) / 4.0
    books = Books(
        level=sales / 4.0,
        gross=firm.gross,
        cash=thousands(sales * stream.between(0.15, 0.32)),
        investments=thousands(sales * stream.between(0.0, 0.15)),
        receivables=thousands(sales / 4.0 * stream.between(0.4, 0.7)),
        inventory=thousands(cost * industry.inventory),
        plant=thousands(sales * industry.plant),
        goodwill=thousands(sales * firm.goodwill),
        payables=thousands(cost * 0.55),
        deferred=thousands(sales / 4.0 * industry.deferred),
        accrued=thousands(sales / 4.0 * (industry.research + industry.selling) * 0.4),
        debt=thousands(sales * (0.12 * stream.random() + 0.4 * industry.plant)),
        paid_in=thousands(sales * stream.between(0.1, 0.25)),
        retained=0,
        shares=round(firm.row["shares"] * stream.between(1.0, 1.03)),
    )
    books.retained = books.assets - books.liabilities - books.paid_in
    return books


def balance(books: Books) -> dict[str, float]:
    """Return the balance sheet."""
    owed = books.payables + books.deferred + books.accrued
    short = books.debt // 10
    return dollars(
        cash=books.cash,
        short_term_investments=books.investments,
        receivables=books.receivables,
        inventory=books.inventory,
        current_assets=books.current,
        property=books.plant,
        goodwill=books.goodwill,
        noncurrent_assets=books.plant + books.goodwill,
        total_assets=books.assets,
        payables=books.payables,
        deferred_revenue=books.deferred,
        accrued_liabilities=books.accrued,
        short_term_debt=short,
        current_liabilities=owed + short,
        long_term_debt=books.debt - short,
        total_liabilities=books.liabilities,
        paid_in_capital=books.paid_in,
        retained_earnings=books.retained,
        total_equity=books.paid_in + books.retained,
        total_debt=books.debt,
        net_debt=books.debt - books.cash - books.investments,
    )
