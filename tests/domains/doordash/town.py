"""A small town: two restaurants, a user with an order of each status, and a neighbour."""

import json
from typing import Any

from env_server.domains.doordash import ids, pricing, tools
from env_server.domains.doordash.clock import WEEKDAYS
from env_server.domains.doordash.dialects import DIALECTS
from env_server.domains.doordash.tables import TABLES
from env_server.domains.kit import Tool, tools_of
from env_server.state import Db, Snapshot, State
from env_server.tools.dispatch import CallOutcome, Toolset

EVERY_DAY = {day: {"opens": "11:00", "closes": "23:00"} for day in WEEKDAYS}
OPTIONS = {"size": {"small": 0.0, "large": 2.5}, "heat": {"mild": 0.0, "hot": 0.5}}
LARGE = {"size": "large", "heat": "mild"}
SOUP = ids.line_id("soup", LARGE)
CARD, CREDITS = "card_1", "credits_1"
ME = {"user_id": "user_1"}
ORDERING = {**ME, "address_id": "near", "payment_method_id": CARD, "tip": 3}
NEW = {"label": "work", "address1": "5 Elm  Street ", "city": "Oldham", "state": "NY", "zip": "10002"}


def restaurant(restaurant_id: str, name: str, **changed: Any) -> dict[str, Any]:
    """A restaurant that is open every evening."""
    return {
        "restaurant_id": restaurant_id,
        "name": name,
        "cuisine": "thai",
        "city": "Oldham",
        "zip": "10001",
        "phone": "555-010-0001",
        "price_range": "$$",
        "rating": 4.5,
        "dietary": ["vegan"],
        "hours": EVERY_DAY,
        "accepting_orders": True,
        "order_minimum": 15.0,
        "prep_minutes": 20,
        "delivery_radius": 4.0,
        "miles": {"10001": 1.5, "10002": 3.2, "10003": 6.0},
        "tax_rate": 8.875,
        **changed,
    }


def item(item_id: str, restaurant_id: str, name: str, price: float, **changed: Any) -> dict[str, Any]:
    """An item of a menu, with plenty in stock."""
    return {
        "item_id": item_id,
        "restaurant_id": restaurant_id,
        "name": name,
        "category": "main",
        "price": price,
        "stock": 30,
        "dietary": [],
        "alcohol": False,
        "options": {},
        **changed,
    }


def promo(code: str, kind: str, value: float, **changed: Any) -> dict[str, Any]:
    """A valid promo for everybody."""
    return {
        "code": code,
        "kind": kind,
        "value": value,
        "minimum_subtotal": 10.0,
        "expires_at": "2026-03-13T18:30",
        "audience": "everyone",
        **changed,
    }


def address(address_id: str, zip_code: str) -> dict[str, Any]:
    """An address in Oldham."""
    return {
        "address_id": address_id,
        "label": "home",
        "address1": f"1 {address_id} Street",
        "address2": "",
        "city": "Oldham",
        "state": "NY",
        "zip": zip_code,
    }


def user(number: int, first: str, last: str, *addresses: dict[str, Any], **changed: Any) -> dict[str, Any]:
    """A user with a card, PayPal and credits."""
    methods: list[dict[str, Any]] = [
        {"source": "credit_card", "id": f"card_{number}", "brand": "visa", "last_four": "1234"},
        {"source": "paypal", "id": f"paypal_{number}"},
        {"source": "credits", "id": f"credits_{number}", "balance": 30.0},
    ]
    return {
        "user_id": f"user_{number}",
        "name": {"first_name": first, "last_name": last},
        "email": f"{first}.{last}@example.com".lower(),
        "phone": f"555-010-000{number}",
        "date_of_birth": "1990-05-01",
        "membership": "none",
        "addresses": {a["address_id"]: a for a in addresses},
        "default_address_id": addresses[0]["address_id"],
        "payment_methods": {m["id"]: m for m in methods},
        "promos_used": ["ONCE"],
        **changed,
    }


HOME, FAR, AWAY = address("near", "10001"), address("far", "10003"), address("away", "90001")


def order(order_id: str, status: str, *, paid: str = CARD, **changed: Any) -> dict[str, Any]:
    """An order of Jo: two curries and a large soup; the food is 25.50 and the total 36.57."""
    lines = {
        "curry": ("curry", "Curry", {}, 2, 9.0, 18.0),
        SOUP: ("soup", "Soup", LARGE, 1, 7.5, 7.5),
    }
    names = ("item_id", "name", "options", "quantity", "unit_price", "price")
    return {
        "order_id": order_id,
        "user_id": "user_1",
        "restaurant_id": "r1",
        "restaurant": "Orchid",
        "status": status,
        "lines": {key: {"line_id": key, **dict(zip(names, line, strict=True))} for key, line in lines.items()},
        "address": HOME,
        "instructions": "hand_to_me",
        "subtotal": 25.5,
        "discount": 0.0,
        "delivery_fee": 1.99,
        "service_fee": 3.82,
        "small_order_fee": 0.0,
        "tax": 2.26,
        "tip": 3.0,
        "total": 36.57,
        "payment_method_id": paid,
        "placed_at": f"2026-03-13T17:0{order_id[-1]}",
        "promised_at": "2026-03-13T18:00",
        **({"picked_up_at": "2026-03-13T17:50"} if status in ("picked_up", "delivered") else {}),
        **({"delivered_at": "2026-03-13T18:10"} if status == "delivered" else {}),
        "refunds": [],
        **changed,
    }


OLD_REFUND = {
    "reason": "missing",
    "line_id": "curry",
    "quantity": 1,
    "amount": 9.79,
    "payment_method_id": CREDITS,
    "at": "2026-02-01T12:00",
}

ROWS: dict[str, list[dict[str, Any]]] = {
    "restaurants": [
        restaurant("r1", "Orchid"),
        restaurant("r2", "Forno", cuisine="italian", rating=4.8, price_range="$", dietary=[], accepting_orders=False),
        restaurant("r3", "Acacia", cuisine="ethiopian", rating=4.5, city="Newham", miles={"20001": 1.0}),
    ],
    "items": [
        item("curry", "r1", "Curry", 9.0),
        item("soup", "r1", "Soup", 5.0, category="starter", stock=3, options=OPTIONS),
        item("gone", "r1", "Duck", 20.0, stock=0),
        item("pizza", "r2", "Pizza", 12.0),
    ],
    "promos": [
        promo("TEN", "percentage", 10.0),
        promo("CAPPED", "percentage", 50.0, max_discount=4.0),
        promo("FIVE", "amount_off", 5.0, minimum_subtotal=20.0),
        promo("FREE", "free_delivery", 0.0),
        promo("LATE", "amount_off", 5.0, expires_at="2026-03-13T18:29"),
        promo("ONCE", "amount_off", 5.0),
        promo("FORNO", "amount_off", 5.0, restaurant_id="r2"),
        promo("PLUS", "amount_off", 5.0, audience="members"),
    ],
    "users": [user(1, "Jo", "Doe", HOME, FAR, AWAY), user(2, "Al", "Roe", address("next", "10002"), membership="plus")],
    "carts": [],
    "orders": [
        order("D1", "placed"),
        order("D2", "preparing"),
        order("D3", "ready", paid=CREDITS),
        order("D4", "picked_up"),
        order("D5", "delivered", paid=CREDITS),
        order("D6", "delivered", refunds=[OLD_REFUND], placed_at="2026-02-01T11:00"),
        order("D7", "cancelled", cancelled_at="2026-03-13T17:20"),
    ],
}


class Town:
    """The town of one episode, and its tools, called as an agent calls them."""

    base = Snapshot(TABLES, ROWS)
    own: tuple[Tool, ...] = tools_of(tools)
    tools = Toolset({t.name: t for t in own}, DIALECTS["builtin"])

    def __init__(self) -> None:
        """Open a fresh town."""
        self.db = Db(State.at(self.base), DIALECTS["builtin"])

    def call(self, name: str, **arguments: Any) -> CallOutcome:
        """Call a tool. A failed call, and any read, must leave the state unchanged."""
        before = self.db.state.hash
        outcome = self.tools.call(self.db, name, arguments)
        if outcome.fault is not None or (outcome.tool and outcome.tool.kind == "read"):
            assert self.db.state.hash == before
        return outcome

    def done(self, name: str, **arguments: Any) -> Any:
        """The result of a call that must succeed."""
        outcome = self.call(name, **arguments)
        assert outcome.fault is None, outcome.text
        return json.loads(outcome.text)

    def row(self, table: str, key: str) -> Any:
        """The present row, or None."""
        return self.db.state.overlay.get(table, key)

    def credits(self) -> float:
        """The amount of Jo's credits."""
        balance: float = self.row("users", "user_1")["payment_methods"][CREDITS]["balance"]
        return balance

    def filled(self, curries: int = 2) -> Any:
        """Put some curries and one large soup into Jo's cart: 7.50 and 9.00 each."""
        self.done("add_item_to_cart", user_id="user_1", item_id="curry", quantity=curries)
        return self.done("add_item_to_cart", user_id="user_1", item_id="soup", options={"size": "large"})


def check(order: Any) -> None:
    """Check that an order's amounts add up, and that no more was refunded than paid."""
    cents = {name: pricing.cents(order[name]) for name in pricing.Bill.__annotations__}
    parts = ("subtotal", "delivery_fee", "service_fee", "small_order_fee", "tax", "tip")
    assert cents["total"] == sum(cents[name] for name in parts) - cents["discount"]
    assert sum(pricing.cents(refund["amount"]) for refund in order["refunds"]) <= cents["total"]
