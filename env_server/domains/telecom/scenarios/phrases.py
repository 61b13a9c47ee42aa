"""How callers put things into words: money, data, lines, bills, ways to pay, and answers to a question for a yes."""

from collections.abc import Iterable

from env_server.domains.kit import Row
from env_server.domains.telecom.scenarios.base import Call

AS_SAID = {"confirm": "Only if it is done just as I said."}
"""The answer to an offer while the caller wishes something forbidden: it accepts no alternative."""

_MONTHS = {"2024-12": "December 2024", "2025-01": "January 2025", "2025-02": "February 2025", "2025-03": "March 2025"}


def money(amount: float) -> str:
    """Dollars with two decimals: `54.10`."""
    return f"{amount:.2f}"


def gb(amount: float) -> str:
    """GB with no more decimals than needed: `1.5`."""
    return f"{round(amount, 2):g}"


def listed(parts: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *head, last = parts
    return f"{', '.join(head)} and {last}" if head else last


def kind(case: Call, line: Row) -> str:
    """What the line is used in: `phone`, `tablet`, `watch` or `router`."""
    return str(case.world.devices[line["device_id"]]["device_type"])


def line(case: Call, row: Row) -> str:
    """A line by its id, or by what it is used in where that says it.

    Never by its number: that would be a further way to find the caller, where gold has to know which way was taken.
    """
    kinds = [kind(case, other) for other in case.world.lines_of(case.customer)]
    what = kind(case, row)
    if what != "phone" and kinds.count(what) == 1 and case.rng.random() < 0.4:
        return f"It is the line of my {what}."
    return case.rng.choice((f"It is line {row['line_id']}.", f"I mean line {row['line_id']}."))


def month(row: Row) -> str:
    """The month of a bill: `January 2025`."""
    return _MONTHS[row["period_start"][:7]]


def bill(case: Call, row: Row) -> str:
    """A bill by its id or its month."""
    return case.rng.choice((f"It is bill {row['bill_id']}.", f"It is the bill for {month(row)}."))


def in_prose(said: str) -> str:
    """What `line` or `bill` said, for the instruction: in brackets."""
    return f"({said.rstrip('.')})"


def method(row: Row, whose: str = "my") -> str:
    """A payment method as its owner calls it."""
    kind_of = row["method_type"] if row["method_type"] == "PayPal" else row["method_type"].lower()
    return f"{whose} {kind_of} ending in {row['account_number_last_4']}"
