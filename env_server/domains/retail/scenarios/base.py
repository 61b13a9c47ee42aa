"""Base classes and tests of retail's scenarios: the shop's rows, and wishes about an order or about
the caller alone.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from env_server.domains import kit
from env_server.domains.kit import GoldCall, Row, Snapshot, Wish, read, write

__all__ = ["Case", "Row", "Shop", "Spot", "Wish", "about_caller", "about_order", "read", "write"]


class Shop:
    """Look-ups in the rows of a base snapshot, for scenarios."""

    def __init__(self, base: Snapshot) -> None:
        """Read `base`; rows stay shared and frozen."""
        self.products: Mapping[str, Row] = {k: dict(v) for k, v in base.tables["products"].rows.items()}
        self.users: Mapping[str, Row] = {k: dict(v) for k, v in base.tables["users"].rows.items()}
        self.orders: Mapping[str, Row] = {k: dict(v) for k, v in base.tables["orders"].rows.items()}

    @property
    def customers(self) -> Mapping[str, Row]:
        """The users by id."""
        return self.users

    def owned(self, user: Row) -> Iterator[str]:
        """Return the values that belong only to this user: id, email address, orders, shipments and payment methods."""
        yield from (user["user_id"], user["email"], *user["orders"], *user["payment_methods"])
        for order in self.orders_of(user):
            yield from (tracking for parcel in order["fulfillments"] for tracking in parcel["tracking_id"])

    def orders_of(self, user: Row) -> list[Row]:
        """Return the user's orders, in the order the user row lists them."""
        return [self.orders[order_id] for order_id in user["orders"]]

    def others(self, item: Row, *, available: bool = True) -> list[Row]:
        """Return the other variants of an item's product that are (or are not) in stock."""
        variants = self.products[item["product_id"]]["variants"].values()
        return [v for v in variants if v["available"] is available and v["item_id"] != item["item_id"]]


@dataclass(frozen=True)
class Spot(kit.Spot[Shop]):
    """A caller and the order that a wish may be about."""

    @property
    def shop(self) -> Shop:
        """The world."""
        return self.world

    @property
    def order(self) -> Row:
        """The order; empty where the wish is about none."""
        return self.row


@dataclass(frozen=True)
class Case(kit.Case[Shop]):
    """A caller and the order that one of their wishes is about."""

    @property
    def shop(self) -> Shop:
        """The world."""
        return self.world

    @property
    def user(self) -> Row:
        """The caller."""
        return self.customer

    @property
    def order(self) -> Row:
        """The order; empty where the wish is about none."""
        return self.shop.orders.get(self.subject, {})

    @property
    def methods(self) -> Mapping[str, Row]:
        """The caller's payment methods."""
        methods: Mapping[str, Row] = self.user["payment_methods"]
        return methods

    def pay_with(self) -> str:
        """Return a card or PayPal account of the caller. It covers any amount."""
        return self.rng.choice(solid(self.user))


def _orders(shop: Shop, user: Row) -> Iterator[tuple[str, Spot]]:
    return ((order_id, Spot(shop, user, shop.orders[order_id])) for order_id in user["orders"])


about_order = partial(kit.about, _orders)
"""`about_order(make, *tests)`: a wish about one of the caller's orders for which all `tests` hold."""

about_caller = partial(kit.about_caller, Spot)
"""`about_caller(make, *tests)`: a wish about no order, of callers for whom all `tests` hold."""


def solid(user: Row) -> list[str]:
    """Return the user's payment methods other than gift cards."""
    return [k for k, method in user["payment_methods"].items() if method["source"] != "gift_card"]


def gift_cards(user: Row) -> list[str]:
    """Return the user's gift cards."""
    return [k for k, method in user["payment_methods"].items() if method["source"] == "gift_card"]


def paid_with(order: Row) -> str:
    """Return the method the order was first paid with."""
    return str(order["payment_history"][0]["payment_method_id"])


def total(order: Row) -> float:
    """Return the price of the order, in dollars."""
    return float(order["payment_history"][0]["amount"])


def has_status(status: str) -> Callable[[Spot], bool]:
    """Return a test for orders with this status."""
    return lambda at: bool(at.order["status"] == status)


def open_order(order: Row) -> GoldCall:
    """Return the look-up of an order."""
    return read("get_order_details", order_id=order["order_id"])


def open_user(user: Row) -> GoldCall:
    """Return the look-up of the caller's own details: address, payment methods with balances, and orders."""
    return read("get_user_details", user_id=user["user_id"])


def open_products(items: list[Row]) -> tuple[GoldCall, ...]:
    """Return the look-ups of the items' products."""
    return tuple(read("get_product_details", product_id=item["product_id"]) for item in items)
