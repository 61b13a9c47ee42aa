"""Invariants of every state of the service: keys resolve, amounts add up, times fit."""

from collections.abc import Iterator, Mapping

from env_server.domains.doordash import pricing
from env_server.domains.doordash.ids import line_id
from env_server.domains.doordash.pricing import cents
from env_server.domains.doordash.tables import (
    CARTS,
    ITEMS,
    ORDERS,
    PROMOS,
    RESTAURANTS,
    USERS,
    Cart,
    Line,
    Order,
    User,
)
from env_server.domains.kit import Db, Dialect

DashDb = Db[Dialect]

_REACHED = {"picked_up_at": {"picked_up", "delivered"}, "delivered_at": {"delivered"}, "cancelled_at": {"cancelled"}}
"""Time field -> the statuses in which an order has it."""


def invariants(db: DashDb) -> Iterator[str]:
    """Yield one sentence for each inconsistency of the state."""
    yield from _catalogue(db)
    for user in db[USERS]:
        yield from _user(db, user)
    for cart in db[CARTS]:
        yield from _cart(db, cart)
    for order in db[ORDERS]:
        yield from _order(db, order)


def _catalogue(db: DashDb) -> Iterator[str]:
    for item in db[ITEMS]:
        if item["restaurant_id"] not in db[RESTAURANTS]:
            yield f"item {item['item_id']} is of restaurant {item['restaurant_id']}, which does not exist"
        if item["stock"] < 0:
            yield f"item {item['item_id']} has a stock of {item['stock']}"
    for promo in db[PROMOS]:
        if "restaurant_id" in promo and promo["restaurant_id"] not in db[RESTAURANTS]:
            yield f"promo {promo['code']} is for restaurant {promo['restaurant_id']}, which does not exist"


def _user(db: DashDb, user: User) -> Iterator[str]:
    who = f"user {user['user_id']}"
    if user["default_address_id"] not in user["addresses"]:
        yield f"{who} has no address {user['default_address_id']}, which is their default one"
    if any(key != address["address_id"] for key, address in user["addresses"].items()):
        yield f"{who} has an address under another key than its id"
    if any(key != method["id"] for key, method in user["payment_methods"].items()):
        yield f"{who} has a payment method under another key than its id"
    balances = [method["balance"] for method in user["payment_methods"].values() if method["source"] == "credits"]
    if len(balances) != 1 or balances[0] < 0:
        yield f"{who} has credits of {balances}"
    used = list(user["promos_used"])
    if used != sorted(set(used)) or any(code not in db[PROMOS] for code in used):
        yield f"{who} has used promos {used}"


def _cart(db: DashDb, cart: Cart) -> Iterator[str]:
    what = f"the cart of {cart['user_id']}"
    if cart["user_id"] not in db[USERS]:
        yield f"{what} is of no user"
    if not cart["lines"]:
        yield f"{what} is empty, but stored"
    if "promo_code" in cart and cart["promo_code"] not in db[PROMOS]:
        yield f"{what} has promo {cart['promo_code']}, which does not exist"
    yield from _lines(db, what, cart["restaurant_id"], cart["lines"])


def _lines(db: DashDb, what: str, restaurant_id: str, lines: Mapping[str, Line]) -> Iterator[str]:
    if restaurant_id not in db[RESTAURANTS]:
        yield f"{what} is of restaurant {restaurant_id}, which does not exist"
    for key, line in lines.items():
        item = db[ITEMS].get(line["item_id"])
        if item is None or item["restaurant_id"] != restaurant_id:
            yield f"{what} holds {line['item_id']}, which is not on the menu of {restaurant_id}"
            continue
        options = dict(line["options"])
        named = (line["name"], list(options), key, line["line_id"])
        if named != (item["name"], list(item["options"]), line_id(item["item_id"], options), key):
            yield f"{what} holds line {key}, which does not match item {item['item_id']}"
        elif line["unit_price"] != pricing.unit_price(item, options):
            yield f"{what} holds line {key} at {line['unit_price']} each, which is not its price"
        if line["quantity"] < 1 or line["price"] != pricing.line_price(line["unit_price"], line["quantity"]):
            yield f"{what} holds {line['quantity']} of line {key} for {line['price']}"


def _order(db: DashDb, order: Order) -> Iterator[str]:
    what = f"order {order['order_id']}"
    yield from _lines(db, what, order["restaurant_id"], order["lines"])
    yield from _amounts(what, order)
    user = db[USERS].get(order["user_id"])
    if user is None:
        yield f"{what} is of user {order['user_id']}, who does not exist"
        return
    methods = {order["payment_method_id"], *(refund["payment_method_id"] for refund in order["refunds"])}
    if not methods <= set(user["payment_methods"]):
        yield f"{what} was paid or refunded with a method that its user does not have"
    if "promo_code" in order and order["promo_code"] not in user["promos_used"]:
        yield f"{what} used promo {order['promo_code']}, which its user has not used"
    for time, statuses in _REACHED.items():
        if (time in order) != (order["status"] in statuses):
            yield f"{what} is {order['status']}, but {time} is {'there' if time in order else 'missing'}"
    times = [
        str(order[time]) for time in ("placed_at", "picked_up_at", "delivered_at", "cancelled_at") if time in order
    ]
    if times != sorted(times):
        yield f"{what} has times out of order: {times}"


def _amounts(what: str, order: Order) -> Iterator[str]:
    if order["subtotal"] != pricing.subtotal(order["lines"].values()):
        yield f"{what} has a subtotal of {order['subtotal']}, which is not what its lines cost"
    more = (order["delivery_fee"], order["service_fee"], order["small_order_fee"], order["tax"], order["tip"])
    if cents(order["total"]) != cents(order["subtotal"]) - cents(order["discount"]) + sum(map(cents, more)):
        yield f"{what} has a total of {order['total']}, which is not its amounts added up"
    kept = cents(order.get("cancellation_fee", 0.0))
    back = [cents(refund["amount"]) for refund in order["refunds"]]
    if any(amount <= 0 for amount in back) or sum(back) + kept > cents(order["total"]):
        yield f"{what} has refunds of {back} cents for a total of {order['total']} and a fee of {kept} cents"
    if any(refund["line_id"] and refund["line_id"] not in order["lines"] for refund in order["refunds"]):
        yield f"{what} has a refund for a line that it does not hold"
