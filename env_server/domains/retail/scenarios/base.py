"""What scenarios are made of: the shop they look at, moves (one wish each) and templates (moves of one caller)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from random import Random
from typing import Any

from env_server.domains.kit import GoldCall, Request
from env_server.state import Snapshot

Row = dict[str, Any]


class Shop:
    """The rows of a base snapshot as scenarios look things up in them."""

    def __init__(self, base: Snapshot) -> None:
        """Read `base`; rows stay shared and frozen."""
        self.products: dict[str, Row] = {k: dict(v) for k, v in base.tables["products"].rows.items()}
        self.users: dict[str, Row] = {k: dict(v) for k, v in base.tables["users"].rows.items()}
        self.orders: dict[str, Row] = {k: dict(v) for k, v in base.tables["orders"].rows.items()}

    def orders_of(self, user: Row) -> list[Row]:
        """The user's orders, in the order the user row lists them."""
        return [self.orders[order_id] for order_id in user["orders"]]

    def others(self, item: Row, *, available: bool = True) -> list[Row]:
        """The other variants of an item's product that are (or are not) in stock."""
        variants = self.products[item["product_id"]]["variants"].values()
        return [v for v in variants if v["available"] is available and v["item_id"] != item["item_id"]]

    @cached_property
    def exotic(self) -> dict[str, str]:
        """Product id -> the name of another product, which one may not exchange it for."""
        ids = list(self.products)
        return {one: self.products[two]["name"] for one, two in zip(ids, ids[1:] + ids[:1], strict=True)}


@dataclass(frozen=True)
class Spot:
    """A caller and the order a move is about."""

    shop: Shop
    user: Row
    order: Row
    """Empty where the move is about no order."""


@dataclass(frozen=True)
class Case(Spot):
    """A spot with all that a move draws from."""

    rng: Random
    peers: tuple[str, ...]
    """Ids of the users of the same split."""

    @property
    def methods(self) -> dict[str, Row]:
        """The caller's ways to pay."""
        methods: dict[str, Row] = self.user["payment_methods"]
        return methods

    def pay_with(self) -> str:
        """A card or PayPal account of the caller: it covers any amount."""
        return self.rng.choice(solid(self.user))


@dataclass(frozen=True)
class Part:
    """One wish of the caller: what is said, and the gold that settles it."""

    requests: tuple[Request, ...]
    goal: str
    """The wish in prose, in the second person."""

    writes: tuple[GoldCall, ...] = ()
    reads: tuple[GoldCall, ...] = ()
    """Look-ups that an honest agent makes but may make otherwise; they are left out of gold beside any `proof`."""

    proof: tuple[GoldCall, ...] = ()
    """Look-ups without which a refusal, a transfer or a told value is a guess; they put `actions` into the basis."""

    handover: tuple[GoldCall, ...] = ()
    """The transfer, where it is the answer; it ends the conversation."""

    outputs: tuple[str, ...] = ()
    slots: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Move:
    """One kind of wish: whom and which order it fits, and how it is filled in."""

    make: Callable[[Case], Part]
    fits: Callable[[Spot], bool]
    """Whether `make` can fill it in there."""

    on_order: bool = True


@dataclass(frozen=True)
class Template:
    """A conversation: its moves in order, each about an order of its own."""

    name: str
    difficulty: int
    moves: tuple[Move, ...]
    chain: bool = False
    """Whether the moves are all about one and the same order."""

    def anchors(self, shop: Shop, user_ids: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
        """Every (user, orders of the moves) that the template can be filled with; "" where no order is needed."""
        return [(u, ids) for u in user_ids for ids in self._choices(shop, shop.users[u])]

    def _choices(self, shop: Shop, user: Row) -> list[tuple[str, ...]]:
        width = 1 if self.chain else sum(move.on_order for move in self.moves)
        found: list[tuple[str, ...]] = []
        for picked in permutations(user["orders"], width):
            rest = iter(picked * len(self.moves) if self.chain else picked)
            ids = tuple(next(rest) if move.on_order else "" for move in self.moves)
            pairs = zip(self.moves, ids, strict=True)
            if all(move.fits(Spot(shop, user, shop.orders.get(order_id, {}))) for move, order_id in pairs):
                found.append(ids)
        return found


def solid(user: Row) -> list[str]:
    """The user's payment methods other than gift cards."""
    return [k for k, method in user["payment_methods"].items() if method["source"] != "gift_card"]


def gift_cards(user: Row) -> list[str]:
    """The user's gift cards."""
    return [k for k, method in user["payment_methods"].items() if method["source"] == "gift_card"]


def paid_with(order: Row) -> str:
    """The method the order was first paid with."""
    return str(order["payment_history"][0]["payment_method_id"])


def total(order: Row) -> float:
    """What the order cost, in dollars."""
    return float(order["payment_history"][0]["amount"])


def has_status(status: str) -> Callable[[Spot], bool]:
    """Fits orders with this status."""
    return lambda at: bool(at.order["status"] == status)


def anywhere(at: Spot) -> bool:
    """Fits every caller."""
    return bool(at.user)


def read(name: str, **arguments: Any) -> GoldCall:
    """A gold look-up, which `actions` compares by all its arguments."""
    return GoldCall(name=name, arguments=arguments)


def write(name: str, **arguments: Any) -> GoldCall:
    """A gold write; `actions` compares what it is about (the first argument), `state` the rest."""
    return GoldCall(name=name, arguments=arguments, compare=(next(iter(arguments)),))


def open_order(order: Row) -> GoldCall:
    """The look-up of an order."""
    return read("get_order_details", order_id=order["order_id"])


def open_user(user: Row) -> GoldCall:
    """The look-up of the caller's own details: address, ways to pay with balances, and orders."""
    return read("get_user_details", user_id=user["user_id"])


def open_products(items: list[Row]) -> tuple[GoldCall, ...]:
    """The look-ups of the items' products."""
    return tuple(read("get_product_details", product_id=item["product_id"]) for item in items)
