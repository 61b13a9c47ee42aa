from collections import Counter
from functools import cache
from itertools import product
from typing import Any

import pytest

from env_server.domains.doordash import ids, pricing
from env_server.domains.doordash.clock import NOW, age, is_open, later, minutes_between
from env_server.domains.doordash.dialects import DIALECTS
from env_server.domains.doordash.invariants import invariants
from env_server.domains.doordash.tables import CARTS, ITEMS, ORDERS, RESTAURANTS, TABLES, USERS
from env_server.domains.doordash.world import ORDERS as ORDER_COUNT
from env_server.domains.doordash.world import USERS as USER_COUNT
from env_server.domains.doordash.world import world
from env_server.state import Db, Snapshot, State
from tests.domains.made import pack


def base() -> Snapshot:
    """Return the builtin base."""
    return pack("doordash").snapshot


@cache
def rows(table: str) -> dict[str, Any]:
    """Return the rows of a table by key."""
    return {key: dict(row) for key, row in base().tables[table].rows.items()}


def fresh() -> Db[Any]:
    """A copy of the base that may be changed."""
    return Db(State.at(base()), DIALECTS["builtin"])


def test_sizes_at_the_default() -> None:
    """The world has at least 500 users, 100 restaurants with 12 items and more each, and 1,200 orders."""
    sizes = {table: len(made) for table, made in world().items()}
    assert sizes["users"] == USER_COUNT >= 500
    assert sizes["orders"] == ORDER_COUNT >= 1200
    assert sizes["restaurants"] == 100
    assert min(Counter(item["restaurant_id"] for item in rows("items").values()).values()) >= 12
    assert len(rows("carts")) > 150


def test_scale_multiplies_users_and_leaves_restaurants() -> None:
    """Twice the scale has twice the users and orders, the same restaurants and menus, and no fault."""
    double = world(scale=2)
    assert [len(double[t]) for t in ("users", "orders")] == [2 * USER_COUNT, 2 * ORDER_COUNT]
    assert [double[t] for t in ("restaurants", "items", "promos")] == [
        world()[t] for t in ("restaurants", "items", "promos")
    ]
    assert list(invariants(Db(State.at(Snapshot(TABLES, double)), DIALECTS["builtin"]))) == []


@pytest.mark.parametrize(
    ("table", "change"),
    [
        (ORDERS, {"total": 1.0}),
        (ORDERS, {"subtotal": 0.01}),
        (ORDERS, {"user_id": "nobody"}),
        (ORDERS, {"restaurant_id": "rest_0"}),
        (ORDERS, {"payment_method_id": "paypal_0"}),
        (ORDERS, {"promo_code": "NONE"}),
        (ORDERS, {"status": "cancelled"}),
        (ORDERS, {"placed_at": "2026-12-31T00:00", "picked_up_at": NOW}),
        (ITEMS, {"stock": -1}),
        (ITEMS, {"restaurant_id": "rest_0"}),
        (CARTS, {"lines": {}}),
        (CARTS, {"promo_code": "NONE"}),
        (USERS, {"default_address_id": "addr_0"}),
        (USERS, {"payment_methods": {}}),
        (USERS, {"promos_used": ["TENOFF", "FEAST20"]}),
    ],
)
def test_each_fault_is_named(table: Any, change: dict[str, Any]) -> None:
    """For a key that does not resolve, and for amounts or times that do not fit, an invariant says so."""
    db = fresh()
    first = next(iter(db[table]))
    db[table].put({**first, **change})
    assert list(invariants(db))


def test_a_line_under_another_id_is_named() -> None:
    """A line's id must be the one that its item and options give."""
    db = fresh()
    with_options = (row for row in db[CARTS] if any(line["options"] for line in row["lines"].values()))
    cart = db[CARTS].edit(next(with_options)["user_id"])
    key = next(key for key, line in cart["lines"].items() if line["options"])
    cart["lines"][key + "0"] = {**cart["lines"].pop(key), "line_id": key + "0"}
    db[CARTS].put(cart)
    assert any(f"{key}0" in fault for fault in invariants(db))


def test_every_choice_of_options_has_an_id_of_its_own() -> None:
    """Neither two combinations of an item's options, nor two items, get the same id of a line."""
    made: list[str] = []
    for item in rows("items").values():
        names = list(item["options"])
        chosen = [dict(zip(names, choices, strict=True)) for choices in product(*item["options"].values())]
        made += [ids.line_id(item["item_id"], options) for options in chosen]
    assert len(made) == len(set(made)) > 10_000


def test_users_can_be_told_apart() -> None:
    """Emails and phone numbers are unique, names are not; some users are under 21, some are members."""
    users = list(rows("users").values())
    assert len({u["email"] for u in users}) == len({u["phone"] for u in users}) == len(users)
    assert len({tuple(u["name"].values()) for u in users}) < len(users)
    assert 40 < sum(age(u["date_of_birth"]) < 21 for u in users) < 150
    assert 150 < sum(u["membership"] == "plus" for u in users) < 280
    assert sum(len(u["addresses"]) > 1 for u in users) > 300


def test_orders_went_where_the_restaurant_delivers_and_while_it_was_open() -> None:
    """Every order was placed in opening hours, above the minimum, in range, and without alcohol for minors."""
    places, users, items = rows("restaurants"), rows("users"), rows("items")
    for order in rows("orders").values():
        place = places[order["restaurant_id"]] | {"accepting_orders": True}
        assert place["miles"][order["address"]["zip"]] <= place["delivery_radius"]
        assert order["subtotal"] >= place["order_minimum"]
        assert is_open(place, order["placed_at"])
        strong = any(items[line["item_id"]]["alcohol"] for line in order["lines"].values())
        assert not strong or age(users[order["user_id"]]["date_of_birth"]) >= 21
        assert not strong or order["instructions"] == "hand_to_me"


def test_times_are_past_and_fit_the_clock() -> None:
    """No time is in the future, and an order was promised after the time that it takes."""
    places = rows("restaurants")
    for order in rows("orders").values():
        place = places[order["restaurant_id"]]
        needed = pricing.minutes_to_deliver(place, place["miles"][order["address"]["zip"]])
        assert order["promised_at"] == later(order["placed_at"], needed)
        times = [order[t] for t in ("placed_at", "picked_up_at", "delivered_at", "cancelled_at") if t in order]
        assert max(*times, *(refund["at"] for refund in order["refunds"]), "") <= NOW


def test_no_order_is_near_a_limit_of_the_policy() -> None:
    """Delays are clear of 30 and 60 minutes, and deliveries clear of 48 hours ago, so that no case is doubtful."""
    for order in rows("orders").values():
        late = minutes_between(order["promised_at"], order.get("delivered_at", NOW))
        assert order["status"] == "cancelled" or late not in (29, 30)
        if order["status"] == "delivered":
            assert late not in (59, 60)
            assert abs(minutes_between(order["delivered_at"], NOW) - 48 * 60) > 120


def test_every_status_and_kind_of_restaurant_is_common_enough() -> None:
    """There are orders of each status, closed restaurants, sold-out items, and users who complain often."""
    counts = Counter(order["status"] for order in rows("orders").values())
    assert set(counts) == {"placed", "preparing", "ready", "picked_up", "delivered", "cancelled"}
    assert min(counts.values()) > 60
    assert 10 < sum(not is_open(place) for place in rows("restaurants").values()) < 50
    assert sum(item["stock"] == 0 for item in rows("items").values()) > 80
    refunded = Counter(order["user_id"] for order in rows("orders").values() if order["refunds"])
    assert sum(count >= 3 for count in refunded.values()) > 40


def test_restaurants_have_names_of_their_own() -> None:
    """Restaurants have unique names, and so have the items of a menu."""
    names = [place["name"] for place in rows("restaurants").values()]
    assert len(set(names)) == len(names)
    assert len({(i["restaurant_id"], i["name"]) for i in rows("items").values()}) == len(rows("items"))
    assert RESTAURANTS.name == "restaurants"
