"""What ratios and key metrics are computed from. Pure arithmetic; None where a divisor is zero or unknown."""

from collections.abc import Mapping
from dataclasses import dataclass

Lines = Mapping[str, float]


@dataclass(frozen=True)
class Facts:
    """What the figures of one fiscal period are computed from."""

    income: Lines
    balance: Lines
    cash: Lines
    before: Lines | None
    """The balance sheet at the beginning of the period; None where there is none."""
    eps_before: float | None
    """Earnings per share of the period before, of the same length."""
    price: float | None
    """The close on the last day of the period, in the shares of the statements; None before the first."""
    days: int
    """Days of the period: 365 or 90."""

    @property
    def shares(self) -> float:
        """The weighted number of shares."""
        return self.income["weightedAverageShsOut"]

    @property
    def market_cap(self) -> float | None:
        """The price of all shares."""
        return None if self.price is None else self.price * self.shares

    @property
    def enterprise_value(self) -> float | None:
        """The price of all shares and of the debt, less the cash."""
        return None if self.market_cap is None else self.market_cap + self.balance["netDebt"]

    @property
    def working_capital(self) -> float:
        """Current assets less current liabilities."""
        return self.balance["totalCurrentAssets"] - self.balance["totalCurrentLiabilities"]

    @property
    def tax_rate(self) -> float:
        """The part of the income before tax that tax took; 0 for a loss."""
        return over(self.income["incomeTaxExpense"], self.income["incomeBeforeTax"]) or 0.0

    def average(self, name: str) -> float:
        """The mean of a line of the balance sheet at the beginning and at the end of the period."""
        return self.balance[name] if self.before is None else (self.balance[name] + self.before[name]) / 2.0

    def per_share(self, amount: float) -> float | None:
        """An amount by the weighted number of shares."""
        return over(amount, self.shares)


def over(number: float | None, divisor: float | None) -> float | None:
    """The quotient; None where a part is unknown or the divisor zero."""
    return None if number is None or not divisor else number / divisor


def rounded(value: float | None) -> float | None:
    """A figure as FMP's rows have it here: six decimals."""
    return None if value is None else round(value, 6)
