"""The price of an order, computed in whole cents and returned in dollars. Every share is rounded half to even."""

from collections.abc import Iterable
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Literal

from typing_extensions import TypedDict

from env_server.domains.doordash.tables import Item, Line, Membership, Promo, Restaurant, Status

BASE_DELIVERY_FEE = 1.99
"""The delivery fee for up to `BASE_MILES`, in dollars."""

BASE_MILES = 2.0
FEE_PER_MILE = 0.75
"""The delivery fee for each further mile begun, in dollars."""

SERVICE_FEE = {"none": (15, 2.00), "plus": (5, 0.50)}
"""Membership -> the service fee in per cent of the subtotal, and its minimum in dollars."""

MEMBERS_FREE_DELIVERY = 15.00
"""The subtotal from which a member's delivery is free."""

SMALL_ORDER = 12.00
"""A subtotal below this costs `SMALL_ORDER_FEE`, members too."""

SMALL_ORDER_FEE = 2.50
MINUTES_PER_MILE = 4
CANCELLATION_SHARE: dict[Status, int] = {"placed": 0, "preparing": 50, "ready": 100}
"""Status -> per cent of the subtotal that cancelling costs; in other statuses an order cannot be cancelled."""


class Bill(TypedDict):
    """An order's amounts, in dollars; `total` = the rest added up, less the discount."""

    subtotal: float
    discount: float
    delivery_fee: float
    service_fee: float
    small_order_fee: float
    tax: float
    tip: float
    total: float


def cents(dollars: float) -> int:
    """Return dollars as whole cents, rounded half to even."""
    return int((Decimal(repr(dollars)) * 100).quantize(Decimal(1), ROUND_HALF_EVEN))


def dollars(amount: int) -> float:
    """Return whole cents as dollars."""
    return amount / 100


def ratio(amount: int, part: int, whole: int) -> int:
    """Return `amount` * `part` / `whole` (whole > 0), rounded half to even."""
    found, rest = divmod(amount * part, whole)
    return found + (2 * rest > whole or (2 * rest == whole and found % 2))


def percent(amount: int, per_cent: float) -> int:
    """Return a percentage (at most three decimals) of an amount in cents, rounded half to even."""
    return ratio(amount, round(per_cent * 1000), 100_000)


def unit_price(item: Item, options: dict[str, str]) -> float:
    """Return the price of one item with these choices."""
    return dollars(cents(item["price"]) + sum(cents(item["options"][o][c]) for o, c in options.items()))


def line_price(unit: float, quantity: int) -> float:
    """Return the price of `quantity` items at `unit` dollars each."""
    return dollars(cents(unit) * quantity)


def subtotal(lines: Iterable[Line]) -> float:
    """Return the total price of the lines."""
    return dollars(sum(cents(line["price"]) for line in lines))


def delivery_fee(miles: float, membership: Membership, subtotal: float) -> float:
    """Return the delivery fee before any promo."""
    if membership == "plus" and subtotal >= MEMBERS_FREE_DELIVERY:
        return 0.0
    beyond = max(0, round(miles * 10) - round(BASE_MILES * 10))
    return dollars(cents(BASE_DELIVERY_FEE) + -(-beyond // 10) * cents(FEE_PER_MILE))


def discount(promo: Promo | None, subtotal: float) -> float:
    """Return the promo's discount on the subtotal, or 0 for a promo of free delivery."""
    if promo is None or promo["kind"] == "free_delivery":
        return 0.0
    whole = cents(subtotal)
    off = percent(whole, promo["value"]) if promo["kind"] == "percentage" else cents(promo["value"])
    return dollars(min(off, cents(promo.get("max_discount", subtotal)), whole))


def bill(
    lines: Iterable[Line],
    restaurant: Restaurant,
    miles: float,
    membership: Membership,
    *,
    promo: Promo | None = None,
    tip: float = 0.0,
) -> Bill:
    """Return the bill of an order to an address `miles` away; tax is on the subtotal after the discount."""
    food = subtotal(lines)
    off = discount(promo, food)
    free = promo is not None and promo["kind"] == "free_delivery"
    share, least = SERVICE_FEE[membership]
    amounts: dict[Literal["delivery", "service", "small", "tax"], int] = {
        "delivery": 0 if free else cents(delivery_fee(miles, membership, food)),
        "service": max(percent(cents(food), share), cents(least)),
        "small": cents(SMALL_ORDER_FEE) if food < SMALL_ORDER else 0,
        "tax": percent(cents(food) - cents(off), restaurant["tax_rate"]),
    }
    total = cents(food) - cents(off) + sum(amounts.values()) + cents(tip)
    return {
        "subtotal": food,
        "discount": off,
        "delivery_fee": dollars(amounts["delivery"]),
        "service_fee": dollars(amounts["service"]),
        "small_order_fee": dollars(amounts["small"]),
        "tax": dollars(amounts["tax"]),
        "tip": dollars(cents(tip)),
        "total": dollars(total),
    }


def minutes_to_deliver(restaurant: Restaurant, miles: float) -> int:
    """Return the minutes from placing an order to the promised delivery: cooking and travel, each rounded up."""
    return restaurant["prep_minutes"] + -(-round(miles * 10) * MINUTES_PER_MILE // 10)


def cancellation_fee(status: Status, subtotal: float, total: float) -> float:
    """Return the cancellation fee in this status (one of `CANCELLATION_SHARE`), never more than the amount paid."""
    return dollars(min(percent(cents(subtotal), CANCELLATION_SHARE[status]), cents(total)))


def items_refund(price: float, subtotal: float, discount: float, tax: float) -> float:
    """Return the refund of items of `price` dollars within an order: their share of subtotal and
    tax less the discount.
    """
    paid = cents(subtotal) - cents(discount) + cents(tax)
    return dollars(ratio(paid, cents(price), cents(subtotal)))
