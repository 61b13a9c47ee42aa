"""Filling carts and turning them into orders."""

from collections.abc import Mapping
from typing import cast

from env_server.domains.doordash import ids, pricing
from env_server.domains.doordash.checks import DashDb, address_of, charge, item_of, miles_to, promo_of, restaurant_of
from env_server.domains.doordash.clock import NOW, is_open, later
from env_server.domains.doordash.tables import (
    CARTS,
    ITEMS,
    ORDERS,
    USERS,
    Address,
    Cart,
    Instructions,
    Item,
    Line,
    Order,
    Promo,
    Restaurant,
    User,
)
from env_server.domains.kit import ToolError

MOST_OF_A_LINE = 20
"""The maximum quantity of one item with the same options in a cart."""


def new_line(item: Item, options: Mapping[str, str], quantity: int) -> Line:
    """Return a line of `quantity` items. An option that `options` does not name takes its first choice.

    Raises:
        ToolError: for an option or choice that the item does not have, or a quantity above `MOST_OF_A_LINE`.
    """
    for option in options:
        if option not in item["options"]:
            raise ToolError(f"{item['name']} has no option {option!r}; its options are: {_names(item['options'])}")
    chosen: dict[str, str] = {}
    for option, choices in item["options"].items():
        choice = options.get(option, next(iter(choices)))
        if choice not in choices:
            raise ToolError(f"{option!r} of {item['name']} cannot be {choice!r}; the choices are: {_names(choices)}")
        chosen[option] = choice
    line: Line = {
        "line_id": ids.line_id(item["item_id"], chosen),
        "item_id": item["item_id"],
        "name": item["name"],
        "options": chosen,
        "quantity": quantity,
        "unit_price": pricing.unit_price(item, chosen),
        "price": 0.0,
    }
    return counted(line, quantity)


def counted(line: Line, quantity: int) -> Line:
    """Return the line with another quantity. Raise a ToolError if it exceeds `MOST_OF_A_LINE`."""
    if quantity > MOST_OF_A_LINE:
        raise ToolError(f"a cart holds at most {MOST_OF_A_LINE} of one item; that would make {quantity} {line['name']}")
    return {**line, "quantity": quantity, "price": pricing.line_price(line["unit_price"], quantity)}


def add(db: DashDb, user_id: str, item: Item, line: Line, *, replace: bool) -> Cart:
    """Return the user's cart with `line` of `item` added. `replace` empties it first.

    Raises:
        ToolError: if the cart holds items of another restaurant, or the restaurant has too few items left.
    """
    before = None if replace else db[CARTS].get(user_id)
    if before is not None and before["restaurant_id"] != item["restaurant_id"]:
        raise ToolError(
            f"the cart holds items of restaurant {before['restaurant_id']}, and is for one restaurant only;"
            " replace_cart=true empties it first"
        )
    new: Cart = {"user_id": user_id, "restaurant_id": item["restaurant_id"], "lines": {}}
    cart = new if before is None else db[CARTS].edit(user_id)
    held = cart["lines"][line["line_id"]]["quantity"] if line["line_id"] in cart["lines"] else 0
    cart["lines"][line["line_id"]] = counted(line, held + line["quantity"])
    return stored(db, cart)


def line_of(cart: Cart, line_id: str) -> Line:
    """Return the cart's line with this id. Raise a ToolError where there is none."""
    if line_id not in cart["lines"]:
        raise ToolError(f"the cart has no line {line_id!r}; its lines are: {', '.join(cart['lines'])}")
    return cart["lines"][line_id]


def stored(db: DashDb, cart: Cart) -> Cart:
    """Store the cart and return it. Raise a ToolError if the restaurant lacks stock."""
    need_stock(db, cart)
    return db[CARTS].put(cart)


def need_stock(db: DashDb, cart: Cart) -> None:
    """Raise a ToolError unless the restaurant has all that the cart holds."""
    for item_id, wanted in items_in(cart["lines"]).items():
        item = item_of(db, item_id)
        if item["stock"] < wanted:
            raise ToolError(f"{item['name']} ({item_id}): {wanted} wanted, but {item['stock']} left")


def items_in(lines: Mapping[str, Line]) -> dict[str, int]:
    """Return item id -> the quantity in the lines, over all options."""
    found: dict[str, int] = {}
    for line in lines.values():
        found[line["item_id"]] = found.get(line["item_id"], 0) + line["quantity"]
    return found


def move_stock(db: DashDb, lines: Mapping[str, Line], sign: int) -> None:
    """Add `sign` times the quantities of the lines to the items' stock."""
    for item_id, count in items_in(lines).items():
        item = db[ITEMS].edit(item_id)
        item["stock"] += sign * count
        db[ITEMS].put(item)


def usable_promo(db: DashDb, user: User, cart: Cart, code: str) -> Promo:
    """Return the promo. Raise a ToolError if it is not valid for this cart now. The policy decides which customers may
    use it.

    Raises:
        ToolError: if it does not exist, has expired, was used, is another restaurant's or asks for a higher subtotal.
    """
    promo = promo_of(db, code)
    code = promo["code"]
    if promo["expires_at"] < NOW:
        raise ToolError(f"promo {code} expired at {promo['expires_at']}")
    if code in user["promos_used"]:
        raise ToolError(f"user {user['user_id']!r} has already used promo {code}; each user can use it once")
    if promo.get("restaurant_id", cart["restaurant_id"]) != cart["restaurant_id"]:
        raise ToolError(f"promo {code} is good for restaurant {promo['restaurant_id']} only")
    subtotal = pricing.subtotal(cart["lines"].values())
    if subtotal < promo["minimum_subtotal"]:
        raise ToolError(
            f"promo {code} needs a subtotal of {promo['minimum_subtotal']:.2f}; the cart's is {subtotal:.2f}"
        )
    return promo


def bill_of(db: DashDb, user: User, cart: Cart, address: Address, tip: float) -> pricing.Bill:
    """Return the price of ordering the cart to the address. Raise a ToolError if its promo is no longer usable."""
    restaurant = restaurant_of(db, cart["restaurant_id"])
    code = cart.get("promo_code")
    promo = usable_promo(db, user, cart, code) if code else None
    miles = miles_to(restaurant, address)
    return pricing.bill(cart["lines"].values(), restaurant, miles, user["membership"], promo=promo, tip=tip)


def place(
    db: DashDb, cart: Cart, user: User, address_id: str, payment_method_id: str, tip: float, instructions: Instructions
) -> Order:
    """Turn the user's cart into an order: charge it, take the stock, use up the promo, empty the cart.

    Raises:
        ToolError: if the restaurant is closed, an item is sold out, or the address, payment or promo cannot be used.
    """
    restaurant, address = restaurant_of(db, cart["restaurant_id"]), address_of(user, address_id)
    if not is_open(restaurant):
        raise ToolError(f"{restaurant['name']} takes no orders now, at {NOW}")
    need_stock(db, cart)
    bill = bill_of(db, user, cart, address, tip)
    charge(db, user["user_id"], payment_method_id, bill["total"])
    move_stock(db, cart["lines"], -1)
    if "promo_code" in cart:
        _use_promo(db, user["user_id"], cart["promo_code"])
    db[CARTS].delete(user["user_id"])
    return db[ORDERS].put(_order(db, cart, restaurant, address, bill, payment_method_id, instructions))


def _order(
    db: DashDb,
    cart: Cart,
    restaurant: Restaurant,
    address: Address,
    bill: pricing.Bill,
    payment_method_id: str,
    instructions: Instructions,
) -> Order:
    quantities = {line_id: line["quantity"] for line_id, line in cart["lines"].items()}
    order = {
        "order_id": ids.order_id(cart["user_id"], cart["restaurant_id"], quantities, lambda found: found in db[ORDERS]),
        "user_id": cart["user_id"],
        "restaurant_id": restaurant["restaurant_id"],
        "restaurant": restaurant["name"],
        "status": "placed",
        "lines": cart["lines"],
        "address": address,
        "instructions": instructions,
        **bill,
        "payment_method_id": payment_method_id,
        "placed_at": NOW,
        "promised_at": later(NOW, pricing.minutes_to_deliver(restaurant, miles_to(restaurant, address))),
        "refunds": [],
    }
    if "promo_code" in cart:
        order["promo_code"] = cart["promo_code"]
    return cast("Order", order)


def _use_promo(db: DashDb, user_id: str, code: str) -> None:
    user = db[USERS].edit(user_id)
    user["promos_used"] = sorted([*user["promos_used"], code])
    db[USERS].put(user)


def _names(values: Mapping[str, object]) -> str:
    return ", ".join(map(repr, values)) or "none"
