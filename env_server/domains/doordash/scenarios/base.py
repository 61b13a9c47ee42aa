"""Base classes of doordash's scenarios: the restaurants' rows, and the subjects of a wish."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, cast

from env_server.domains import kit
from env_server.domains.doordash.clock import NOW, age, is_open, minutes_between
from env_server.domains.doordash.history import within
from env_server.domains.doordash.tables import Restaurant
from env_server.domains.kit import (
    GoldCall,
    Patch,
    Refusal,
    Request,
    Row,
    Snapshot,
    Tell,
    Wish,
    handover,
    read,
    write,
)

__all__ = [
    "Case",
    "Fate",
    "Kitchens",
    "Row",
    "Spot",
    "Wish",
    "about_caller",
    "about_order",
    "about_place",
    "decided",
    "read",
    "write",
]

WINDOW = 48 * 60
"""Minutes after delivery within which the agent can settle a problem."""

MONTH = 30 * 24 * 60
MOST_REFUNDED_ORDERS = 3
"""The number of orders with refunds in the last 30 days from which no more refunds are given."""

LARGEST_REFUND = 40.0
"""The maximum refund in dollars of one report. A human agent handles larger ones."""

SMALLEST_TO_CARD = 7.0
"""Dollars below which a refund goes only to the credits."""

LARGEST_CANCELLATION = 100.0
"""The maximum price in dollars of an order that the agent may cancel. A human agent handles dearer ones."""

LOST = 120
"""Minutes after the promised time from which an undelivered order goes to a human agent."""

LATE = 30
"""Minutes after the promised time from which an order counts as late."""

VERY_LATE = 60
BEFORE_PICK_UP = ("placed", "preparing", "ready")
ADULT = 21
MONEY_BACK = frozenset({"missing", "wrong", "damaged", "late", "cold_food", "courier_conduct"})
"""The reasons of refunds that count against a user; a cancellation does not."""


class Kitchens:
    """Look-ups in the rows of a base snapshot, for scenarios."""

    def __init__(self, base: Snapshot) -> None:
        """Read `base`; rows stay shared and frozen."""
        self.customers: Mapping[str, Row] = base.tables["users"].rows
        self.orders: Mapping[str, Row] = base.tables["orders"].rows
        self.carts: Mapping[str, Row] = base.tables["carts"].rows
        self.promos: Mapping[str, Row] = base.tables["promos"].rows
        self.items: Mapping[str, Row] = base.tables["items"].rows
        self.places: Mapping[str, Row] = base.tables["restaurants"].rows
        self._near: dict[str, list[Row]] = {}

    def owned(self, user: Row) -> Iterator[str]:
        """Return the values that belong only to this user: id, email address, phone number, payment
        methods and orders.
        """
        yield from (user["user_id"], user["email"], user["phone"], *user["payment_methods"])
        yield from (order["order_id"] for order in self.orders_of(user))

    def orders_of(self, user: Row) -> list[Row]:
        """Return the user's orders, in row order."""
        return self._orders.get(user["user_id"], [])

    def menu(self, place: Row) -> list[Row]:
        """Return the restaurant's items."""
        return self._menus[place["restaurant_id"]]

    def places_of(self, city: str) -> list[Row]:
        """Return the restaurants of a city."""
        return self._cities[city]

    def near(self, user: Row) -> list[Row]:
        """Return the restaurants that take orders now and deliver to the user's home."""
        found = self._near.get(user["user_id"])
        if found is None:
            home = user["addresses"][user["default_address_id"]]
            found = [place for place in self._open.get(home["city"], ()) if within(place, home)]
            self._near[user["user_id"]] = found
        return found

    def refunded_orders(self, user: Row) -> int:
        """Return the number of the user's orders with a refund for a problem within the last 30 days."""
        return sum(any(_counts(refund) for refund in order["refunds"]) for order in self.orders_of(user))

    @cached_property
    def _orders(self) -> dict[str, list[Row]]:
        return _grouped(self.orders, "user_id")

    @cached_property
    def _menus(self) -> dict[str, list[Row]]:
        return _grouped(self.items, "restaurant_id")

    @cached_property
    def _open(self) -> dict[str, list[Row]]:
        return _grouped({key: row for key, row in self.places.items() if is_open(cast(Restaurant, row))}, "city")

    @cached_property
    def _cities(self) -> dict[str, list[Row]]:
        return _grouped(self.places, "city")


def _grouped(rows: Mapping[str, Row], name: str) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows.values():
        found.setdefault(row[name], []).append(row)
    return found


def _counts(refund: Row) -> bool:
    return refund["reason"] in MONEY_BACK and minutes_between(refund["at"], NOW) < MONTH


@dataclass(frozen=True)
class Spot(kit.Spot[Kitchens]):
    """A caller, and the order or the restaurant that a wish is about."""

    place: Row = field(default_factory=dict)
    """The restaurant: that of the order, or else that of the cart if there is one."""

    @property
    def kitchens(self) -> Kitchens:
        """The world."""
        return self.world

    @property
    def order(self) -> Row:
        """The order; empty where the wish is about none."""
        return self.row

    @property
    def cart(self) -> Row | None:
        """The cart that the caller has not ordered yet."""
        return self.kitchens.carts.get(self.user["user_id"])

    @property
    def addresses(self) -> list[Row]:
        """The caller's addresses, the default one first."""
        return list(self.user["addresses"].values())

    @property
    def in_range(self) -> list[Row]:
        """The caller's addresses to which the restaurant delivers."""
        return [address for address in self.addresses if within(self.place, address)]

    @property
    def adult(self) -> bool:
        """Whether the caller may have alcohol."""
        return age(self.user["date_of_birth"]) >= ADULT

    @property
    def open(self) -> bool:
        """Whether the restaurant takes orders now."""
        return is_open(cast(Restaurant, self.place))

    @property
    def overdue(self) -> int:
        """The order's delay in minutes. Less than 0 means no delay."""
        return minutes_between(self.order["promised_at"], self.order.get("delivered_at", NOW))

    @property
    def settleable(self) -> bool:
        """Whether the agent can still settle problems with the order: delivered recently, few complaints, and no refund
        yet.
        """
        return (
            self.order["status"] == "delivered"
            and minutes_between(self.order["delivered_at"], NOW) < WINDOW
            and self.kitchens.refunded_orders(self.user) < MOST_REFUNDED_ORDERS
            and not self.order["refunds"]
        )

    @property
    def on_credits(self) -> bool:
        """Whether the order was paid with credits. Credits might not cover more, and receive any refund."""
        methods: Mapping[str, Row] = self.user["payment_methods"]
        return bool(methods[self.order["payment_method_id"]]["source"] == "credits")

    @property
    def cancellable(self) -> bool:
        """Whether the agent may cancel the order: not picked up, not above the price limit, and not lost."""
        return (
            self.order["status"] in BEFORE_PICK_UP
            and self.order["total"] <= LARGEST_CANCELLATION
            and self.overdue < LOST
        )

    @property
    def strong(self) -> bool:
        """Whether the order holds alcohol."""
        return any(self.kitchens.items[line["item_id"]]["alcohol"] for line in self.order["lines"].values())


@dataclass(frozen=True)
class Case(kit.Case[Kitchens]):
    """A caller and the order or restaurant that one of their wishes is about."""

    @cached_property
    def at(self) -> Spot:
        """The caller, order and restaurant, as the fit tests take them."""
        return _spot(self.world, self.customer, self.subject)

    @property
    def user(self) -> Row:
        """The caller."""
        return self.customer

    @property
    def user_id(self) -> str:
        """The caller's id."""
        return str(self.customer["user_id"])

    @property
    def order(self) -> Row:
        """The order; empty where the wish is about none."""
        return self.at.order

    @property
    def order_id(self) -> str:
        """The order's id."""
        return str(self.order["order_id"])

    @property
    def place(self) -> Row:
        """The restaurant: that of the order, or else that of the cart if there is one."""
        return self.at.place

    @property
    def methods(self) -> Mapping[str, Row]:
        """The caller's payment methods."""
        methods: Mapping[str, Row] = self.user["payment_methods"]
        return methods

    def pay_with(self) -> Row:
        """Return a card or PayPal account of the caller: it covers any amount."""
        return self.rng.choice([m for m in self.methods.values() if m["source"] != "credits"])


@dataclass(frozen=True)
class Fate:
    """The outcome that the rows give to a wish: the gold of one of its two possible ends."""

    writes: tuple[GoldCall, ...] = ()
    tells: tuple[Tell, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    reason: Refusal | None = None
    """The reason for a transfer to a human agent. If set, gold includes the transfer."""

    initial: Patch = field(default_factory=dict)


def decided(
    case: Case,
    requests: tuple[Request, ...],
    goal: str,
    proof: tuple[GoldCall, ...],
    slots: dict[str, Any],
    *,
    due: Fate,
    otherwise: Fate,
) -> Wish:
    """Return a wish that the rows alone grant or refuse. All words and look-ups are the same in both cases."""
    fate = due if case.due else otherwise
    return Wish(
        requests=requests,
        goal=goal,
        proof=proof,
        writes=fate.writes,
        tells=fate.tells,
        refusals=fate.refusals,
        reason=fate.reason,
        handover=() if fate.reason is None else handover(fate.reason.says),
        initial=fate.initial,
        slots=slots,
    )


Fits = Callable[[Spot], bool]


def _spot(kitchens: Kitchens, user: Row, subject: str = "") -> Spot:
    order = kitchens.orders.get(subject, {})
    cart = kitchens.carts.get(user["user_id"], {})
    where = order.get("restaurant_id") or (subject if subject in kitchens.places else cart.get("restaurant_id", ""))
    return Spot(kitchens, user, order, kitchens.places.get(where, {}))


def _orders(kitchens: Kitchens, user: Row) -> Iterator[tuple[str, Spot]]:
    ids = (order["order_id"] for order in kitchens.orders_of(user))
    return ((order_id, _spot(kitchens, user, order_id)) for order_id in ids)


about_order = partial(kit.about, _orders)
"""`about_order(make, *tests)`: a wish about one of the caller's orders for which all `tests` hold."""

about_caller = partial(kit.about_caller, _spot)
"""`about_caller(make, *tests)`: a wish about no order and only the cart's restaurant, of callers for whom all `tests`
hold.
"""


def about_place(make: Callable[[Case], Wish], *tests: Fits) -> kit.WishKind:
    """Return a wish for food from an open restaurant.

    It fits callers with an empty cart and a home in the restaurant's range, for whom all `tests` hold.
    """

    def subjects(kitchens: Kitchens, user: Row) -> Iterator[str]:
        if user["user_id"] in kitchens.carts:
            return
        for place in kitchens.near(user):
            if all(test(Spot(kitchens, user, {}, place)) for test in tests):
                yield place["restaurant_id"]

    return kit.WishKind(make, subjects)


def has_status(*statuses: str) -> Fits:
    """Return a test for orders with one of these statuses."""
    return lambda at: at.order["status"] in statuses


def look(name: str, *compared: str, **arguments: Any) -> GoldCall:
    """Return a gold look-up. `actions` compares only the arguments named, since the others may differ."""
    return GoldCall(name=name, arguments=arguments, compare=compared)


def open_order(case: Case) -> GoldCall:
    """Return the look-up of the order."""
    return read("get_order_details", order_id=case.order_id)


def order_status(case: Case) -> GoldCall:
    """Return the look-up of an order's progress, delay and cancellation fee."""
    return read("get_order_status", order_id=case.order_id)


def open_user(case: Case) -> GoldCall:
    """Return the look-up of the caller's own details."""
    return read("get_user_details", user_id=case.user_id)


def refund_history(case: Case) -> GoldCall:
    """Return the look-up of the caller's recent refunds."""
    return look("get_refund_history", "user_id", user_id=case.user_id, days=30)


def open_menu(case: Case) -> GoldCall:
    """Return the look-up of the restaurant's menu, whole or by category."""
    return look("get_restaurant_menu", "restaurant_id", restaurant_id=case.place["restaurant_id"])


def open_cart(case: Case) -> GoldCall:
    """Return the look-up of the caller's cart, with or without a bill."""
    return look("get_cart", "user_id", user_id=case.user_id)


def open_place(case: Case, place: Row | None = None) -> GoldCall:
    """Return the look-up of a restaurant: its hours, and whether it is open."""
    return read("get_restaurant_details", restaurant_id=(case.place if place is None else place)["restaurant_id"])


def check_way(case: Case, address: Row) -> GoldCall:
    """Return the look-up of whether an address is in the restaurant's range."""
    return read(
        "check_delivery",
        restaurant_id=case.place["restaurant_id"],
        user_id=case.user_id,
        address_id=address["address_id"],
    )
