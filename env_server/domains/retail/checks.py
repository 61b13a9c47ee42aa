"""Checks shared by retail's tools: look-ups that fail with the dialect's text, and movements of money.

`tools.py` decides with them which order may be changed: its status counts, and not its date.
"""

from collections.abc import Sequence
from typing import cast

from env_server.domains.kit import Db, PostalAddress, refuse
from env_server.domains.retail.dialects import RetailDialect
from env_server.domains.retail.tables import ORDERS, PRODUCTS, USERS, Item, Order, Payment, PaymentMethod, User, Variant

RetailDb = Db[RetailDialect]


def user_of(db: RetailDb, user_id: str) -> User:
    """Return the user with this id. Raise a ToolError where there is none."""
    return db[USERS].get(user_id) or refuse(db.dialect.no_such_user, user_id=user_id)


def order_of(db: RetailDb, order_id: str) -> Order:
    """Return a mutable copy of the order. Raise a ToolError where there is none."""
    if order_id not in db[ORDERS]:
        refuse(db.dialect.no_such_order, order_id=order_id)
    return db[ORDERS].edit(order_id)


def need_status(order: Order, allowed: Sequence[str], text: str) -> None:
    """Raise a ToolError with `text` unless the order's status is one of `allowed`."""
    if order["status"] not in allowed:
        refuse(text, order_id=order["order_id"], status=order["status"])


def need_items(db: RetailDb, order: Order, item_ids: Sequence[str], text: str) -> None:
    """Raise a ToolError unless the order holds every item as often as `item_ids` names it. `text` names the missing
    item.
    """
    if not item_ids and not db.dialect.accepts_no_items:
        refuse(db.dialect.no_items)
    held = [item["item_id"] for item in order["items"]]
    for item_id in item_ids:
        if list(item_ids).count(item_id) > held.count(item_id):
            refuse(text, order_id=order["order_id"], item_id=item_id)


def payment_method_of(db: RetailDb, order: Order, payment_method_id: str) -> PaymentMethod:
    """Return the payment method. Raise a ToolError unless it belongs to the order's user."""
    user = user_of(db, order["user_id"])
    methods = user["payment_methods"]
    if payment_method_id not in methods:
        known = ", ".join(methods)
        refuse(
            db.dialect.no_such_payment_method,
            user_id=user["user_id"],
            payment_method_id=payment_method_id,
            known=known,
        )
    return methods[payment_method_id]


def need_balance(method: PaymentMethod, amount: float, text: str) -> None:
    """Raise a ToolError with `text` if the method is a gift card that holds less than `amount` dollars."""
    if method["source"] == "gift_card" and method["balance"] < amount:
        refuse(text, payment_method_id=method["id"], balance=method["balance"], amount=amount)


def take(db: RetailDb, order: Order, payment_method_id: str, amount: float) -> None:
    """Take `amount` dollars (less than 0: give back) from a gift card at once; other methods are settled elsewhere."""
    user = db[USERS].edit(order["user_id"])
    method = user["payment_methods"][payment_method_id]
    if method["source"] == "gift_card":
        method["balance"] = round(method["balance"] - amount, 2)
        db[USERS].put(user)


def payment(amount: float, payment_method_id: str) -> Payment:
    """Return a payment entry."""
    return {"transaction_type": "payment", "amount": amount, "payment_method_id": payment_method_id}


def refund(amount: float, payment_method_id: str) -> Payment:
    """Return a refund entry."""
    return {"transaction_type": "refund", "amount": amount, "payment_method_id": payment_method_id}


def net_refunds(history: Sequence[Payment]) -> list[Payment]:
    """Return refunds of the net amount that each method has paid, in order of first payment."""
    paid: dict[str, float] = {}
    for entry in history:
        sign = 1 if entry["transaction_type"] == "payment" else -1
        method = entry["payment_method_id"]
        paid[method] = round(paid.get(method, 0) + sign * entry["amount"], 2)
    return [refund(amount, method) for method, amount in paid.items() if amount > 0]


def new_variant(db: RetailDb, item: Item, new_item_id: str) -> Variant:
    """Return the available variant of the item's product that replaces it. Raise a ToolError if there is none."""
    product = db[PRODUCTS].get(item["product_id"]) or refuse(db.dialect.no_such_product, product_id=item["product_id"])
    variant = product["variants"].get(new_item_id)
    if variant is None:
        refuse(db.dialect.no_such_variant, item_id=new_item_id, product_id=item["product_id"])
    if not variant["available"]:
        refuse(db.dialect.variant_unavailable, item_id=new_item_id)
    return variant


def new_variants(
    db: RetailDb, order: Order, item_ids: Sequence[str], new_item_ids: Sequence[str], *, may_stay: bool
) -> tuple[list[Variant], float]:
    """Return the variants that replace the items pairwise, and their additional price in dollars (unrounded).

    Raise a ToolError for an unavailable variant or, unless `may_stay`, for the item's current variant.
    """
    by_id = {item["item_id"]: item for item in reversed(order["items"])}
    variants: list[Variant] = []
    difference: float = 0
    for item_id, new_item_id in zip(item_ids, new_item_ids, strict=False):
        if item_id == new_item_id and not may_stay:
            refuse(db.dialect.same_item, item_id=item_id)
        variant = new_variant(db, by_id[item_id], new_item_id)
        difference += variant["price"] - by_id[item_id]["price"]
        variants.append(variant)
    return variants, difference


def replace_items(db: RetailDb, order: Order, item_ids: Sequence[str], variants: Sequence[Variant]) -> None:
    """Turn the items of `order` (a mutable copy) into the variants pairwise."""
    ids = [item["item_id"] for item in order["items"]]
    for item_id, variant in zip(item_ids, variants, strict=True):
        at = ids.index(item_id)
        ids[at] = variant["item_id"] if db.dialect.replaces_in_turn else ""
        told = variants[-1] if db.dialect.last_item_wins else variant
        item = order["items"][at]
        item["item_id"], item["price"], item["options"] = variant["item_id"], told["price"], told["options"]


def new_address(db: RetailDb, address: PostalAddress) -> PostalAddress:
    """Return the address in its stored form. Raise a ToolError if the dialect refuses it."""
    if db.dialect.addresses_are_text and not all(isinstance(part, str) for part in address.values()):
        refuse(db.dialect.address_not_text)
    parts = cast("dict[str, str]", address)
    return cast("PostalAddress", {name: parts[name] for name in db.dialect.address_order})
