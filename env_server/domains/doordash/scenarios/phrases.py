"""How callers put things into words: money, orders, food, ways to pay and addresses."""

from collections.abc import Iterable
from random import Random

from env_server.domains.doordash.scenarios.base import Case, Row

_UNNUMBERED = 0.4
_HANDING = {
    "hand_to_me": "The courier should hand it to me.",
    "leave_at_door": "Please have it left at my door.",
    "meet_outside": "I will meet the courier outside.",
    "leave_with_reception": "Please have it left with the reception.",
}


def money(amount: float) -> str:
    """Dollars with two decimals: `54.10`."""
    return f"{amount:.2f}"


def one_of(rng: Random, *texts: str) -> str:
    """One of several ways to say the same."""
    return rng.choice(texts)


def listed(parts: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *head, last = parts
    return f"{', '.join(head)} and {last}" if head else last


def method(row: Row) -> str:
    """A payment method as its owner calls it."""
    if row["source"] == "credit_card":
        return f"the {row['brand']} card ending in {row['last_four']}"
    return "the PayPal account" if row["source"] == "paypal" else "the credits"


def dish(line: Row) -> str:
    """A line with all its options, so that one thing is meant: `2 x Pad Thai (size large, heat mild)`."""
    options = ", ".join(f"{option} {choice}" for option, choice in line["options"].items())
    return f"{line['quantity']} x {line['name']}" + (f" ({options})" if options else "")


def dishes(lines: Iterable[Row]) -> str:
    """Several lines."""
    return listed(map(dish, lines))


def spot(address: Row) -> str:
    """One of the caller's own addresses, by its label and street."""
    return f"the {address['label']} address at {address['address1']}"


def parts(address: Row) -> str:
    """A new address with all its parts."""
    lines = [address["address1"], address["address2"], address["city"], f"{address['state']} {address['zip']}"]
    return ", ".join(line for line in lines if line)


def handing(instructions: str) -> str:
    """How the courier is to hand an order over."""
    return _HANDING[instructions]


def tip(amount: float) -> str:
    """What the courier is to get."""
    return f"The tip is ${money(amount)}." if amount else "No tip, please."


def order(case: Case) -> str:
    """The order by its id, or by its restaurant where the caller has no id at hand and ordered there only once."""
    row = case.order
    places = [o["restaurant_id"] for o in case.world.orders_of(case.user)]
    if places.count(row["restaurant_id"]) == 1 and case.rng.random() < _UNNUMBERED:
        return f"I do not have the number, but it is my order from {row['restaurant']}."
    return one_of(case.rng, f"It is order {row['order_id']}.", f"The order number is {row['order_id']}.")


def in_prose(said: str) -> str:
    """What was said, for the instruction, in brackets."""
    return f"({said.rstrip('.')})"
