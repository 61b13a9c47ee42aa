"""Changes of placed orders: another address or other instructions, a cancellation, another tip."""

from env_server.domains.doordash import pricing, refunds
from env_server.domains.doordash.carts import move_stock
from env_server.domains.doordash.checks import (
    DashDb,
    address_of,
    charge,
    miles_to,
    need_status,
    restaurant_of,
    user_of,
)
from env_server.domains.doordash.clock import NOW
from env_server.domains.doordash.tables import CancelReason, Instructions, Order, RefundTo
from env_server.domains.kit import ToolError


def redirect(db: DashDb, order: Order, address_id: str | None, instructions: Instructions | None) -> None:
    """Give `order` (a mutable copy) another address or other instructions; its fees stay.

    Raises:
        ToolError: if it was delivered or cancelled, couriers cannot reach the address, or nothing changes.
    """
    need_status(order, ("placed", "preparing", "ready", "picked_up"), "not delivered or cancelled can be changed")
    before = (order["address"]["address_id"], order["instructions"])
    if address_id is not None:
        address = address_of(user_of(db, order["user_id"]), address_id)
        miles_to(restaurant_of(db, order["restaurant_id"]), address)
        order["address"] = address
    order["instructions"] = instructions or order["instructions"]
    if (order["address"]["address_id"], order["instructions"]) == before:
        raise ToolError(
            f"nothing changes: order {order['order_id']} goes to {before[0]!r} and is {before[1]!r} already"
        )


def cancel(db: DashDb, order: Order, reason: CancelReason, refund_to: RefundTo, *, waive_fee: bool) -> None:
    """Cancel `order` (a mutable copy) and refund it less the fee. If cooking has not begun, its items go back into
    stock.

    Raises:
        ToolError: if it was picked up, or cancelled before, or has no fee to waive.
    """
    need_status(order, tuple(pricing.CANCELLATION_SHARE), "placed, preparing or ready can be cancelled")
    fee = pricing.cancellation_fee(order["status"], order["subtotal"], order["total"])
    if waive_fee and not fee:
        raise ToolError(f"order {order['order_id']} is {order['status']}: cancelling it costs no fee to be waived")
    if order["status"] == "placed":
        move_stock(db, order["lines"], 1)
    order["status"], order["cancelled_at"], order["cancel_reason"] = "cancelled", NOW, reason
    order["cancellation_fee"] = 0.0 if waive_fee else fee
    due = pricing.cents(refunds.left(order)) - pricing.cents(order["cancellation_fee"])
    refunds.give_back(db, order, pricing.dollars(max(0, due)), "cancelled", refund_to)


def retip(db: DashDb, order: Order, tip: float) -> None:
    """Give `order` (a mutable copy) another tip, and settle the difference with its payment method.

    Raises:
        ToolError: if it was cancelled, has that tip already, or has less left to refund than the tip is lowered by.
    """
    if order["status"] == "cancelled":
        raise ToolError(f"order {order['order_id']} is cancelled; it has no tip to change")
    more = pricing.cents(tip) - pricing.cents(order["tip"])
    if more == 0:
        raise ToolError(f"the tip of order {order['order_id']} is {tip:.2f} already")
    if -more > pricing.cents(refunds.left(order)):
        raise ToolError(f"only {refunds.left(order):.2f} of order {order['order_id']} is not refunded yet")
    charge(db, order["user_id"], order["payment_method_id"], pricing.dollars(more))
    order["tip"], order["total"] = tip, pricing.dollars(pricing.cents(order["total"]) + more)
