"""Refunds of items, and credits for problems with a delivered order."""

from collections.abc import Mapping

from env_server.domains.doordash import pricing
from env_server.domains.doordash.checks import DashDb, charge, credits_of, need_status, user_of
from env_server.domains.doordash.clock import NOW
from env_server.domains.doordash.tables import CreditReason, Order, RefundReason, RefundTo
from env_server.domains.kit import ToolError


def left(order: Order) -> float:
    """Return the amount paid for the order and not yet refunded, in dollars."""
    given = sum(pricing.cents(refund["amount"]) for refund in order["refunds"])
    return pricing.dollars(pricing.cents(order["total"]) - given)


def give_back(
    db: DashDb,
    order: Order,
    amount: float,
    reason: RefundReason,
    to: RefundTo,
    *,
    line_id: str = "",
    quantity: int = 0,
) -> None:
    """Refund `amount` dollars of `order` (a mutable copy) at once; nothing happens where it is 0."""
    if amount == 0:
        return
    user = user_of(db, order["user_id"])
    method = order["payment_method_id"] if to == "original" else credits_of(user)["id"]
    charge(db, order["user_id"], method, -amount)
    order["refunds"].append(
        {
            "reason": reason,
            "line_id": line_id,
            "quantity": quantity,
            "amount": amount,
            "payment_method_id": method,
            "at": NOW,
        }
    )
    order["refunds"].sort(key=lambda refund: (refund["at"], refund["line_id"], refund["reason"]))


def credit(db: DashDb, order: Order, reason: CreditReason, amount: float) -> None:
    """Give credits for a problem with `order` (a mutable copy).

    Raises:
        ToolError: if the order was not delivered, was already credited for that reason, or has less left to refund.
    """
    need_status(order, ("delivered",), "delivered can be credited")
    if reason in {refund["reason"] for refund in order["refunds"]}:
        raise ToolError(f"order {order['order_id']} was credited for {reason!r} already, which is done once")
    if amount > left(order):
        raise ToolError(
            f"{amount:.2f} is more than the {left(order):.2f} of order {order['order_id']} not refunded yet"
        )
    give_back(db, order, amount, reason, "credits")


def item_refunds(order: Order, items: Mapping[str, int]) -> dict[str, float]:
    """Return line id -> the refund for this many items of the line, in dollars. The sum is never more than the amount
    that is left of the order.

    Raises:
        ToolError: if the order was not delivered, does not hold the items, or has nothing left for one of them; or if
            one of the lines was refunded already.
    """
    need_status(order, ("delivered",), "delivered can have items refunded")
    if not items:
        raise ToolError("items is empty: name at least one line and how many of it")
    refunded = {refund["line_id"] for refund in order["refunds"]}
    rest, found = pricing.cents(left(order)), dict[str, float]()
    for line_id, quantity in sorted(items.items()):
        line = order["lines"].get(line_id)
        if line is None:
            raise ToolError(f"order {order['order_id']} has no line {line_id!r}; it has: {', '.join(order['lines'])}")
        if not 1 <= quantity <= line["quantity"]:
            raise ToolError(f"order {order['order_id']} holds {line['quantity']} of {line_id!r}, not {quantity}")
        if line_id in refunded:
            raise ToolError(f"line {line_id!r} of order {order['order_id']} was refunded already, which is done once")
        price = pricing.line_price(line["unit_price"], quantity)
        share = pricing.items_refund(price, order["subtotal"], order["discount"], order["tax"])
        found[line_id] = pricing.dollars(min(pricing.cents(share), rest))
        rest -= pricing.cents(found[line_id])
        if not found[line_id]:
            raise ToolError(f"nothing of order {order['order_id']} is left to be given back for {line_id!r}")
    return found
