"""What retail's tools share: look-ups that fail with the dialect's text, and the moving of money."""

from collections.abc import Sequence
from typing import NoReturn, cast

from env_server.domains.kit import Db, ToolError
from env_server.domains.retail.dialects import RetailDialect
from env_server.domains.retail.tables import (
    ORDERS,
    PRODUCTS,
    USERS,
    Address,
    Item,
    Order,
    Payment,
    PaymentMethod,
    User,
    Variant,
)

RetailDb = Db[RetailDialect]


def refuse(text: str, **values: object) -> NoReturn:
    """Fail with a dialect's `text`, its named values filled in.

    Raises:
        ToolError: always.
    """
    raise ToolError(text.format(**values))


def user_of(db: RetailDb, user_id: str) -> User:
    """The user with this id; a ToolError where there is none."""
    return db[USERS].get(user_id) or refuse(db.dialect.no_such_user, user_id=user_id)


def order_of(db: RetailDb, order_id: str) -> Order:
    """A copy of the order, free to change; a ToolError where there is none."""
    if order_id not in db[ORDERS]:
        refuse(db.dialect.no_such_order, order_id=order_id)
    return db[ORDERS].edit(order_id)


def need_status(order: Order, allowed: Sequence[str], text: str) -> None:
    """Fail with `text` unless the order's status is one of `allowed`."""
    if order["status"] not in allowed:
        refuse(text, order_id=order["order_id"], status=order["status"])


def need_items(db: RetailDb, order: Order, item_ids: Sequence[str], text: str) -> None:
    """Fail unless the order holds every item as often as `item_ids` names it; `text` says which it does not."""
    if not item_ids and not db.dialect.accepts_no_items:
        refuse(db.dialect.no_items)
    held = [item["item_id"] for item in order["items"]]
    for item_id in item_ids:
        if list(item_ids).count(item_id) > held.count(item_id):
            refuse(text, order_id=order["order_id"], item_id=item_id)


def payment_method_of(db: RetailDb, order: Order, payment_method_id: str) -> PaymentMethod:
    """The payment method, which must be one of the order's user; a ToolError where it is not."""
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
    """Fail with `text` where the method is a gift card that holds less than `amount` dollars."""
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
    """A payment entry."""
    return {"transaction_type": "payment", "amount": amount, "payment_method_id": payment_method_id}


def refund(amount: float, payment_method_id: str) -> Payment:
    """A refund entry."""
    return {"transaction_type": "refund", "amount": amount, "payment_method_id": payment_method_id}


def net_refunds(history: Sequence[Payment]) -> list[Payment]:
    """Refunds that give every method back what it has paid on balance, in order of first payment."""
    paid: dict[str, float] = {}
    for entry in history:
        sign = 1 if entry["transaction_type"] == "payment" else -1
        method = entry["payment_method_id"]
        paid[method] = round(paid.get(method, 0) + sign * entry["amount"], 2)
    return [refund(amount, method) for method, amount in paid.items() if amount > 0]


def new_variant(db: RetailDb, item: Item, new_item_id: str) -> Variant:
    """The available variant of the item's product that is to replace it; a ToolError where there is none."""
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
    """The variants that replace the items pairwise, and by how many dollars they cost more (unrounded).

    Fails with a ToolError for a variant that cannot be had or, unless `may_stay`, is what the item is already.
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
    """Turn the items of `order`, a copy free to change, into the variants pairwise."""
    ids = [item["item_id"] for item in order["items"]]
    for item_id, variant in zip(item_ids, variants, strict=True):
        at = ids.index(item_id)
        ids[at] = variant["item_id"] if db.dialect.replaces_in_turn else ""
        told = variants[-1] if db.dialect.last_item_wins else variant
        item = order["items"][at]
        item["item_id"], item["price"], item["options"] = variant["item_id"], told["price"], told["options"]


def new_address(db: RetailDb, address: Address) -> Address:
    """The address as it is stored; a ToolError where the dialect refuses it."""
    if db.dialect.addresses_are_text and not all(isinstance(part, str) for part in address.values()):
        refuse(db.dialect.address_not_text)
    parts = cast("dict[str, str]", address)
    return cast("Address", {name: parts[name] for name in db.dialect.address_order})
