"""Invariants of every state of the builtin shop after any tool calls. Money is in US dollars."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from env_server.domains.kit import Db
from env_server.domains.retail.tables import ORDERS, PRODUCTS, USERS, Item, Order, Product, User

EXTRAS = {
    "cancelled": {"cancel_reason"},
    "return requested": {"return_items", "return_payment_method_id"},
    "exchange requested": {
        "exchange_items",
        "exchange_new_items",
        "exchange_payment_method_id",
        "exchange_price_difference",
    },
}
"""Status -> the fields that it adds to an order."""

SHIPPED = {"processed", "delivered", "return requested", "exchange requested"}
STATUSES = {"pending", "pending (item modified)", *SHIPPED, *EXTRAS}
ALL_EXTRAS = {field for fields in EXTRAS.values() for field in fields}


def invariants(db: Db[Any]) -> Iterator[str]:
    """Return one sentence for each inconsistency of the state."""
    for product in db[PRODUCTS]:
        yield from _product(product)
    for user in db[USERS]:
        yield from _user(db, user)
    for order in db[ORDERS]:
        yield from _order(db, order)


def _product(product: Product) -> Iterator[str]:
    for key, variant in product["variants"].items():
        if key != variant["item_id"]:
            yield f"variant {key} of product {product['product_id']} has another id, {variant['item_id']}"
        if variant["price"] <= 0:
            yield f"variant {key} of product {product['product_id']} costs nothing"


def _user(db: Db[Any], user: User) -> Iterator[str]:
    name, listed = user["user_id"], user["orders"]
    if len(set(listed)) < len(listed):
        yield f"user {name} lists an order twice"
    for order_id in listed:
        order = db[ORDERS].get(order_id)
        if order is None or order["user_id"] != name:
            yield f"user {name} lists order {order_id}, which is not theirs"
    for key, method in user["payment_methods"].items():
        if key != method["id"]:
            yield f"payment method {key} of user {name} has another id, {method['id']}"
        if method["source"] == "gift_card" and method["balance"] < 0:
            yield f"gift card {key} of user {name} is overdrawn"


def _order(db: Db[Any], order: Order) -> Iterator[str]:
    name, user = order["order_id"], db[USERS].get(order["user_id"])
    if user is None or name not in user["orders"]:
        yield f"order {name} is not listed by its user"
        return
    for item in order["items"]:
        yield from _item(db, name, item)
    yield from _status(order)
    yield from _money(user, order)
    yield from _sent_back(db, order)


def _item(db: Db[Any], order_id: str, item: Item) -> Iterator[str]:
    """Check that an item is a variant of its product, as the shop sells it."""
    product = db[PRODUCTS].get(item["product_id"])
    variant = product["variants"].get(item["item_id"]) if product is not None else None
    if product is None or variant is None:
        yield f"order {order_id} holds item {item['item_id']}, which is no variant of product {item['product_id']}"
    elif (item["name"], item["price"], item["options"]) != (product["name"], variant["price"], variant["options"]):
        yield f"item {item['item_id']} of order {order_id} is not as the shop sells it"


def _status(order: Order) -> Iterator[str]:
    """Check that a status is known, adds its own fields, and agrees with the shipments."""
    name, status = order["order_id"], order["status"]
    if status not in STATUSES:
        yield f"order {name} has a status that does not exist, {status!r}"
    if {field for field in ALL_EXTRAS if order.get(field) is not None} != EXTRAS.get(status, set()):
        yield f"order {name} is {status!r}, and its fields tell another story"
    sent = Counter(item_id for parcel in order["fulfillments"] for item_id in parcel["item_ids"])
    if sent != (_held(order) if status in SHIPPED else Counter()):
        yield f"the shipments of order {name} do not hold its items"


def _money(user: User, order: Order) -> Iterator[str]:
    """Check that payments less refunds equal the price of the items, or zero for a cancelled order."""
    name = order["order_id"]
    due = 0.0 if order["status"] == "cancelled" else sum(item["price"] for item in order["items"])
    paid: dict[str, float] = {}
    for entry in order["payment_history"]:
        sign = 1 if entry["transaction_type"] == "payment" else -1
        method = entry["payment_method_id"]
        paid[method] = paid.get(method, 0) + sign * entry["amount"]
        if entry["amount"] < 0:
            yield f"order {name} has a {entry['transaction_type']} of less than nothing"
    if not paid.keys() <= user["payment_methods"].keys():
        yield f"order {name} was paid with a method that is not its user's"
    if round(sum(paid.values()) - due, 2):
        yield f"order {name} costs {due:.2f} dollars, and {sum(paid.values()):.2f} are paid"


def _sent_back(db: Db[Any], order: Order) -> Iterator[str]:
    """Check that returned or exchanged items belong to the order, and that the new items' prices give the stored
    difference.
    """
    name, held = order["order_id"], _held(order)
    for back in (order.get("return_items"), order.get("exchange_items")):
        if back is not None and not Counter(back) <= held:
            yield f"order {name} does not hold what is sent back"
    old, new = order.get("exchange_items"), order.get("exchange_new_items")
    if old is not None and new is not None:
        difference = _prices(db, new) - _prices(db, old)
        if len(old) != len(new) or round(difference - (order.get("exchange_price_difference") or 0.0), 2):
            yield f"the exchange of order {name} does not come to its difference in price"


def _held(order: Order) -> Counter[str]:
    return Counter(item["item_id"] for item in order["items"])


def _prices(db: Db[Any], item_ids: list[str]) -> float:
    """Return the total price of these variants. An unknown variant counts 0."""
    found = [(item_id, db[PRODUCTS].find("item_id", item_id)) for item_id in item_ids]
    return sum(rows[0]["variants"][item_id]["price"] for item_id, rows in found if rows)
