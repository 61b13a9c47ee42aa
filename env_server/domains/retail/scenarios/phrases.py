"""How callers put things into words: money, orders, items, options, ways to pay and addresses."""

from collections.abc import Iterable
from random import Random
from typing import Any

from env_server.domains.retail.scenarios.base import (
    Case,
    Row,
)

_UNNUMBERED = 0.35


def money(amount: float) -> str:
    """Dollars with two decimals, without a sign: `54.10`."""
    return f"{amount:.2f}"


def one_of(rng: Random, *texts: str) -> str:
    """One of several ways to say the same."""
    return rng.choice(texts)


def listed(parts: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *head, last = parts
    return f"{', '.join(head)} and {last}" if head else last


def names(items: Iterable[Row]) -> str:
    """`the Desk Lamp and the Tea Kettle`."""
    return listed(f"the {item['name']}" for item in items)


def options(variant: Row) -> str:
    """`color black, mount clamp and light warm`: all options, so that one variant is meant."""
    return listed(f"{axis} {value}" for axis, value in variant["options"].items())


def method(row: Row) -> str:
    """A payment method as its owner calls it."""
    if row["source"] == "credit_card":
        return f"the {row['brand']} card ending in {row['last_four']}"
    return "the PayPal account" if row["source"] == "paypal" else "the gift card"


def address(row: dict[str, Any]) -> str:
    """An address with all its fields, in the order the tools ask for them."""
    return ", ".join(row[k] for k in ("address1", "address2", "city", "state", "country", "zip"))


def order(case: Case, row: Row) -> str:
    """The order by its number, or by something only it contains where the caller has no number at hand."""
    elsewhere = {i["name"] for o in case.shop.orders_of(case.user) if o is not row for i in o["items"]}
    telling = [item["name"] for item in row["items"] if item["name"] not in elsewhere]
    if telling and case.rng.random() < _UNNUMBERED:
        return f"I do not have the number, but it is the order with the {case.rng.choice(telling)} in it."
    return one_of(case.rng, f"It is order {row['order_id']}.", f"The order number is {row['order_id']}.")


def in_prose(said: str) -> str:
    """What `order` said, for the instruction: the order meant, in brackets."""
    return f"({said.rstrip('.')})"
