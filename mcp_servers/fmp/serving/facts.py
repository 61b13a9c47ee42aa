"""Inputs of the ratios and key metrics.

The functions are pure arithmetic and return None if a divisor is zero or unknown.
"""

from collections.abc import Mapping
from dataclasses import dataclass

Lines = Mapping[str, float]


@dataclass(frozen=True)
class Facts:
    """The inputs for the ratios of one fiscal period."""

    income: Lines
    balance: Lines
    cash: Lines
    before: Lines | None
    """The balance sheet at the beginning of the period, or None if there is none."""
    eps_before: float | None
    """Earnings per share of the previous period of the same length."""
    price: float | None
    """The close on the last day of the period, in the shares of the statements. None before the first close."""
    days: int
    """Number of days in the period: 365 or 90."""

    @property
    def shares(self) -> float:
        """Return the weighted number of shares."""
        return self.income["weightedAverageShsOut"]

    @property
    def market_cap(self) -> float | None:
        """Return the price of all shares."""
        return None if self.price is None else self.price * self.shares

    @property
    def enterprise_value(self) -> float | None:
        """Return the price of all shares plus debt, less cash."""
        return None if self.market_cap is None else self.market_cap + self.balance["netDebt"]

    @property
    def working_capital(self) -> float:
        """Return current assets less current liabilities."""
        return self.balance["totalCurrentAssets"] - self.balance["totalCurrentLiabilities"]

    @property
    def tax_rate(self) -> float:
        """Return tax as a share of income before tax, or 0 for a loss."""
        return over(self.income["incomeTaxExpense"], self.income["incomeBeforeTax"]) or 0.0

    def average(self, name: str) -> float:
        """Return the mean of a balance sheet line at the beginning and at the end of the period."""
        return self.balance[name] if self.before is None else (self.balance[name] + self.before[name]) / 2.0

    def per_share(self, amount: float) -> float | None:
        """Return an amount divided by the weighted number of shares."""
        return over(amount, self.shares)


def over(number: float | None, divisor: float | None) -> float | None:
    """Return the quotient. Return None if a part is unknown or the divisor is zero."""
    return None if number is None or not divisor else number / divisor


def rounded(value: float | None) -> float | None:
    """Return a figure rounded to six decimals, as in the rows of this stand-in."""
    return None if value is None else round(value, 6)
