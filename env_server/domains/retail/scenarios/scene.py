"""Rows that differ from the base, and the two outcomes of a wish that depends on them."""

from dataclasses import replace
from typing import Any

from env_server.domains.kit import GoldCall, Patch, Row, Wish
from env_server.domains.retail.scenarios.base import Case, total


def settled(case: Case, part: Wish, granted: tuple[GoldCall, ...], refused: Patch, due: Patch) -> Wish:
    """Return `part`, which refuses or hands over. In the twin, the writes `granted` fulfil the wish.

    Args:
        case: What is being filled in.
        part: What is said, the look-ups, and what the refusal or the transfer comes to.
        granted: What is written in the twin.
        refused: The rows under which the wish is refused.
        due: The rows under which it is granted.
    """
    if not case.due:
        return replace(part, initial=refused)
    return replace(part, initial=due, writes=granted, refusals=(), tells=(), handover=(), reason=None)


def order_is(order: Row, **fields: Any) -> Patch:
    """Return an order with other fields."""
    return {"orders": {order["order_id"]: fields}}


def still_pending(order: Row) -> Patch:
    """Return an order of which nothing has been sent."""
    return order_is(order, status="pending", fulfillments=[])


def entry(kind: str, amount: float, method: str) -> dict[str, Any]:
    """Return a payment or a refund."""
    return {"transaction_type": kind, "amount": amount, "payment_method_id": method}


def first_paid(order: Row, method: str) -> Patch:
    """Return an order that was paid with `method`."""
    return order_is(order, payment_history=[entry("payment", total(order), method)])


def cancelled_before(order: Row, why: str) -> Patch:
    """Return an order that was cancelled and refunded."""
    refunds = [entry("refund", paid["amount"], paid["payment_method_id"]) for paid in order["payment_history"]]
    history = [*(dict(paid) for paid in order["payment_history"]), *refunds]
    return order_is(order, status="cancelled", cancel_reason=why, payment_history=history)


def with_items(order: Row, items: list[Row]) -> Patch:
    """Return an order of other items, paid in full with the method it was paid with."""
    price = round(sum(item["price"] for item in items), 2)
    paid = entry("payment", price, order["payment_history"][0]["payment_method_id"])
    return order_is(order, items=[dict(item) for item in items], payment_history=[paid])


def stocked(item: Row, item_id: str, *, available: bool) -> Patch:
    """Return a variant of an item's product that is in stock, or is not."""
    return {"products": {item["product_id"]: {"variants": {item_id: {"available": available}}}}}
