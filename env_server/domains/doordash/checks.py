"""Checks shared by doordash's tools: look-ups that fail with a text that names the missing thing."""

from collections.abc import Iterable

from env_server.domains.doordash import pricing
from env_server.domains.doordash.tables import (
    CARTS,
    ITEMS,
    ORDERS,
    PROMOS,
    RESTAURANTS,
    USERS,
    Address,
    Cart,
    Credits,
    Item,
    Order,
    PaymentMethod,
    Promo,
    Restaurant,
    Status,
    User,
)
from env_server.domains.kit import Db, Dialect, ToolError

DashDb = Db[Dialect]


def user_of(db: DashDb, user_id: str) -> User:
    """Return the user with this id. Raise a ToolError where there is none."""
    user = db[USERS].get(user_id)
    if user is None:
        raise ToolError(f"there is no user {user_id!r}; find_user_by_email gives the id")
    return user


def restaurant_of(db: DashDb, restaurant_id: str) -> Restaurant:
    """Return the restaurant with this id. Raise a ToolError where there is none."""
    restaurant = db[RESTAURANTS].get(restaurant_id)
    if restaurant is None:
        raise ToolError(f"there is no restaurant {restaurant_id!r}; search_restaurants gives the ids")
    return restaurant


def item_of(db: DashDb, item_id: str) -> Item:
    """Return the item with this id. Raise a ToolError where there is none."""
    item = db[ITEMS].get(item_id)
    if item is None:
        raise ToolError(f"there is no item {item_id!r}; get_restaurant_menu gives the ids")
    return item


def promo_of(db: DashDb, code: str) -> Promo:
    """Return the promo with this code in any case. Raise a ToolError if there is none."""
    promo = db[PROMOS].get(code.strip().upper())
    if promo is None:
        raise ToolError(f"there is no promo code {code!r}")
    return promo


def order_of(db: DashDb, order_id: str) -> Order:
    """Return the order with this id. Raise a ToolError where there is none."""
    order = db[ORDERS].get(order_id)
    if order is None:
        raise ToolError(f"there is no order {order_id!r}; get_user_order_history gives the ids")
    return order


def order_to_change(db: DashDb, order_id: str) -> Order:
    """Return a mutable copy of the order. Raise a ToolError where there is none."""
    return db[ORDERS].edit(order_of(db, order_id)["order_id"])


def user_to_change(db: DashDb, user_id: str) -> User:
    """Return a mutable copy of the user. Raise a ToolError where there is none."""
    return db[USERS].edit(user_of(db, user_id)["user_id"])


def cart_of(db: DashDb, user_id: str) -> Cart:
    """Return a mutable copy of the user's cart. Raise a ToolError if it is empty."""
    user_of(db, user_id)
    if user_id not in db[CARTS]:
        raise ToolError(f"the cart of user {user_id!r} is empty")
    return db[CARTS].edit(user_id)


def address_of(user: User, address_id: str) -> Address:
    """Return the user's address with this id. Raise a ToolError if the user has no such address."""
    if address_id not in user["addresses"]:
        raise ToolError(
            f"user {user['user_id']!r} has no address {address_id!r}; they have: {_listed(user['addresses'])}"
        )
    return user["addresses"][address_id]


def method_of(user: User, payment_method_id: str) -> PaymentMethod:
    """Return the user's payment method with this id. Raise a ToolError if the user has no such method."""
    methods = user["payment_methods"]
    if payment_method_id not in methods:
        raise ToolError(
            f"user {user['user_id']!r} has no payment method {payment_method_id!r}; they have: {_listed(methods)}"
        )
    return methods[payment_method_id]


def credits_of(user: User) -> Credits:
    """Return the user's credit balance. Every user has one."""
    return next(m for m in user["payment_methods"].values() if m["source"] == "credits")


def miles_to(restaurant: Restaurant, address: Address) -> float:
    """Return the distance of the address from the restaurant. Raise a ToolError if couriers cannot reach it."""
    if address["zip"] not in restaurant["miles"]:
        raise ToolError(
            f"{restaurant['name']} is in {restaurant['city']}: no courier goes from there to {address['zip']}"
        )
    return restaurant["miles"][address["zip"]]


def need_status(order: Order, allowed: Iterable[Status], what: str) -> None:
    """Raise a ToolError unless the order's status is one of `allowed`. `what` names the action that requires it."""
    if order["status"] not in allowed:
        raise ToolError(f"order {order['order_id']} is {order['status']}; only an order that is {what}")


def whole_cents(dollars: float) -> float:
    """Return the amount. Raise a ToolError unless it is in dollars and whole cents."""
    exact = pricing.dollars(pricing.cents(dollars))
    if exact != dollars:
        raise ToolError(f"{dollars} is not in dollars and whole cents")
    return exact


def charge(db: DashDb, user_id: str, payment_method_id: str, dollars: float) -> None:
    """Take `dollars` (less than 0: give back) from credits at once; other methods are settled elsewhere.

    Raises:
        ToolError: if the user has no such payment method, or it is credits that hold less.
    """
    user = user_to_change(db, user_id)
    method = method_of(user, payment_method_id)
    if method["source"] != "credits":
        return
    left = pricing.cents(method["balance"]) - pricing.cents(dollars)
    if left < 0:
        raise ToolError(f"the credits {payment_method_id!r} hold {method['balance']:.2f}, but {dollars:.2f} is due")
    method["balance"] = pricing.dollars(left)
    db[USERS].put(user)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
