"""Doordash's tools: their effects, their refusals, and what they leave to the policy."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from env_server.domains.doordash import ids
from env_server.domains.doordash.addresses import MOST_ADDRESSES
from env_server.domains.doordash.clock import NOW
from env_server.domains.doordash.invariants import invariants
from env_server.domains.doordash.tables import digits
from env_server.domains.kit import READ, WRITE
from env_server.tools.dispatch import Fault
from tests.domains.doordash.town import (
    CARD,
    CREDITS,
    FAR,
    LARGE,
    ME,
    NEW,
    OLD_REFUND,
    ORDERING,
    ROWS,
    SOUP,
    Town,
    check,
)


@pytest.fixture
def town() -> Town:
    """A fresh town."""
    return Town()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("find_user_by_email", {"email": " JO.Doe@example.com"}),
        ("find_user_by_phone", {"phone": "+1 (555) 010-0001", "last_name": "DOE"}),
    ],
)
def test_users_are_found_however_it_is_written(town: Town, name: str, arguments: dict[str, str]) -> None:
    """Each way to find a user answers with the plain id, in any spelling."""
    assert town.call(name, **arguments).text == "user_1"


def test_a_phone_number_is_its_last_ten_digits() -> None:
    """Only the last ten digits of a phone number count, without signs, spaces and country code."""
    assert digits("+1 (555) 010-0001") == digits("555.010.0001") == "5550100001"


@pytest.mark.parametrize(
    ("name", "arguments", "row"),
    [
        ("get_user_details", ME, ROWS["users"][0]),
        ("get_item_details", {"item_id": "soup"}, ROWS["items"][1]),
        ("get_promo_details", {"code": "ten"}, ROWS["promos"][0]),
        ("get_order_details", {"order_id": "D1"}, ROWS["orders"][0]),
        ("get_restaurant_details", {"restaurant_id": "r2"}, ROWS["restaurants"][1] | {"open_now": False}),
    ],
)
def test_details_are_the_row(town: Town, name: str, arguments: dict[str, str], row: Any) -> None:
    """A look-up by id shows the whole row."""
    assert town.done(name, **arguments) == row


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, ["r2", "r1"]),
        ({"cuisine": "thai"}, ["r1"]),
        ({"cuisine": "greek"}, []),
        ({"price_range": "$"}, ["r2"]),
        ({"min_rating": 4.6}, ["r2"]),
        ({"dietary": "vegan"}, ["r1"]),
        ({"open_now": True}, ["r1"]),
        ({"open_now": True, "min_rating": 4.6}, []),
    ],
)
def test_a_search_keeps_to_the_city_and_what_is_asked_for(
    town: Town, filters: dict[str, Any], found: list[str]
) -> None:
    """A search shows matching restaurants of the city, the best rated first."""
    assert [r["restaurant_id"] for r in town.done("search_restaurants", city="oldham ", **filters)] == found


def test_a_menu_is_by_category(town: Town) -> None:
    """A menu is shown whole or for one category."""
    menu = town.done("get_restaurant_menu", restaurant_id="r1")
    assert {category: [i["item_id"] for i in items] for category, items in menu.items()} == {
        "main": ["curry", "gone"],
        "starter": ["soup"],
    }
    assert list(town.done("get_restaurant_menu", restaurant_id="r1", category="starter")) == ["starter"]


@pytest.mark.parametrize(
    ("address_id", "miles", "within", "fee"), [("near", 1.5, True, 1.99), ("far", 6.0, False, 4.99)]
)
def test_delivery_tells_distance_fee_and_time(
    town: Town, address_id: str, miles: float, within: bool, fee: float
) -> None:
    """One answer has all that the policy asks the agent to check: distance, fee and time."""
    shown = town.done("check_delivery", restaurant_id="r1", address_id=address_id, **ME)
    assert shown == {
        "miles": miles,
        "delivery_radius": 4.0,
        "within_radius": within,
        "delivery_fee": fee,
        "minutes": 20 + int(miles * 4),
    }


def test_a_cart_gathers_the_same_and_keeps_apart_what_differs(town: Town) -> None:
    """Equal items with equal options are one line; other options are a line with a price of its own."""
    town.filled(curries=1)
    town.done("add_item_to_cart", item_id="curry", quantity=2, **ME)
    cart = town.done("add_item_to_cart", item_id="soup", options={"heat": "hot"}, **ME)
    assert [(line["name"], line["options"], line["quantity"], line["price"]) for line in cart["lines"].values()] == [
        ("Curry", {}, 3, 27.0),
        ("Soup", LARGE, 1, 7.5),
        ("Soup", {"size": "small", "heat": "hot"}, 1, 5.5),
    ]
    assert town.done("get_cart", **ME)["subtotal"] == 40.0


def test_the_order_of_additions_does_not_matter(town: Town) -> None:
    """Carts filled in another order, or in other portions, end in the same state."""
    town.filled(curries=2)
    other = Town()
    other.done("add_item_to_cart", item_id="soup", options=dict(reversed(LARGE.items())), **ME)
    other.done("add_item_to_cart", item_id="curry", **ME)
    other.done("update_cart_item", line_id="curry", quantity=2, **ME)
    assert other.db.state.hash == town.db.state.hash
    assert town.done("create_order", **ORDERING)["order_id"] == other.done("create_order", **ORDERING)["order_id"]
    assert other.db.state.hash == town.db.state.hash


def test_a_cart_is_of_one_restaurant(town: Town) -> None:
    """An item of another restaurant needs an emptied cart, and the promo is removed."""
    town.filled()
    town.done("apply_promo", code="TEN", **ME)
    assert "replace_cart" in town.call("add_item_to_cart", item_id="pizza", **ME).text
    cart = town.done("add_item_to_cart", item_id="pizza", replace_cart=True, **ME)
    assert (cart["restaurant_id"], list(cart["lines"]), "promo_code" in cart) == ("r2", ["pizza"], False)


def test_a_cart_without_lines_is_gone(town: Town) -> None:
    """Removing the last line of a cart restores the state before the first line."""
    before = town.db.state.hash
    town.filled()
    assert list(town.done("remove_item_from_cart", line_id="curry", **ME)["lines"]) == [SOUP]
    assert town.done("remove_item_from_cart", line_id=SOUP, **ME)["lines"] == {}
    assert town.db.state.hash == before
    assert town.done("get_cart", **ME) == {**ME, "lines": {}, "subtotal": 0.0}


def test_a_promo_replaces_another_and_can_be_taken_off(town: Town) -> None:
    """A cart has one promo; whether the promo is meant for this user is not checked."""
    town.filled()
    town.done("apply_promo", code="ten", **ME)
    assert town.done("apply_promo", code="PLUS", **ME)["promo_code"] == "PLUS"
    assert "promo_code" not in town.done("remove_promo", **ME)


@pytest.mark.parametrize(
    ("code", "discount", "fee", "total"),
    [
        ("TEN", 2.55, 1.99, 33.8),
        ("CAPPED", 4.0, 1.99, 32.22),
        ("FIVE", 5.0, 1.99, 31.13),
        ("FREE", 0.0, 0.0, 34.58),
    ],
)
def test_an_order_costs_what_the_cart_told(town: Town, code: str, discount: float, fee: float, total: float) -> None:
    """The cart shows every amount of the order, and the promo's kind."""
    town.filled()
    town.done("apply_promo", code=code, **ME)
    told = town.done("get_cart", address_id="near", tip=3, **ME)
    order = town.done("create_order", **ORDERING)
    check(order)
    assert (told["discount"], told["delivery_fee"], told["total"]) == (discount, fee, total)
    assert {name: order[name] for name in told if name in order} == {
        name: value for name, value in told.items() if name in order
    }


def test_an_order_is_stored_and_takes_what_it_needs(town: Town) -> None:
    """An order uses up stock, credits and promo, empties the cart, and is due at a time by the clock."""
    town.filled()
    town.done("apply_promo", code="FIVE", **ME)
    order = town.done("create_order", **ORDERING | {"payment_method_id": CREDITS, "tip": 0.5})
    assert (order["status"], order["placed_at"], order["promised_at"]) == ("placed", NOW, "2026-03-13T18:56")
    assert (order["total"], round(30 - town.credits(), 2)) == (28.63, 28.63)
    assert town.row("orders", order["order_id"]) == order
    assert town.row("users", "user_1")["promos_used"] == ["FIVE", "ONCE"]
    assert (town.row("items", "curry")["stock"], town.row("items", "soup")["stock"]) == (28, 2)
    assert town.row("carts", "user_1") is None
    assert town.done("get_user_order_history", limit=1, **ME)[0]["order_id"] == order["order_id"]


def test_a_member_pays_less(town: Town) -> None:
    """A member has free delivery and a smaller service fee."""
    town.done("add_item_to_cart", user_id="user_2", item_id="curry", quantity=2)
    bill = town.done("get_cart", user_id="user_2", address_id="next")
    assert (bill["delivery_fee"], bill["service_fee"], bill["miles"]) == (0.0, 0.9, 3.2)


def test_what_the_policy_must_prevent_the_tools_let_through(town: Town) -> None:
    """An order below the minimum or beyond the radius is placed, with its fees: only the policy forbids it."""
    town.done("add_item_to_cart", item_id="curry", **ME)
    told = town.done("get_cart", address_id="far", **ME)
    assert (told["order_minimum"], told["within_radius"]) == (15.0, False)
    order = town.done("create_order", **ORDERING | {"address_id": "far"})
    assert (order["delivery_fee"], order["small_order_fee"], order["address"]) == (4.99, 2.5, FAR)


@pytest.mark.parametrize("order_id", ["D1", "D2", "D3", "D4"])
def test_an_order_is_changed_until_it_arrives(town: Town, order_id: str) -> None:
    """Address and instructions change, and amounts stay; whether it was picked up is left to the policy."""
    order = town.done("update_order", order_id=order_id, address_id="far", instructions="leave_at_door")
    assert (order["address"], order["instructions"], order["total"]) == (FAR, "leave_at_door", 36.57)


@pytest.mark.parametrize(
    ("order_id", "waive", "fee", "to", "method"),
    [
        ("D1", False, 0.0, "original", CARD),
        ("D2", False, 12.75, "credits", CREDITS),
        ("D3", False, 25.5, "original", CREDITS),
        ("D3", True, 0.0, "credits", CREDITS),
    ],
)
def test_cancelling_refunds_all_but_the_fee(
    town: Town, order_id: str, waive: bool, fee: float, to: str, method: str
) -> None:
    """The fee is the one that the status showed, unless it is waived; credits are returned at once."""
    told = town.done("get_order_status", order_id=order_id)["cancellation_fee"]
    order = town.done("cancel_order", order_id=order_id, reason="changed_mind", refund_to=to, waive_fee=waive)
    due = round(36.57 - fee, 2)
    assert fee == (0.0 if waive else told)
    assert (order["status"], order["cancelled_at"], order["cancellation_fee"]) == ("cancelled", NOW, fee)
    assert [(r["reason"], r["amount"], r["payment_method_id"]) for r in order["refunds"]] == [
        ("cancelled", due, method)
    ]
    assert town.credits() == round(30 + (due if method == CREDITS else 0), 2)


def test_what_was_not_begun_goes_back_into_stock(town: Town) -> None:
    """Items of a placed order return to stock; those in preparation do not."""
    for order_id, stock in (("D2", 30), ("D1", 32)):
        town.done("cancel_order", order_id=order_id, reason="changed_mind", refund_to="original")
        assert town.row("items", "curry")["stock"] == stock


@pytest.mark.parametrize(("order_id", "tip", "left"), [("D5", 5, 28.0), ("D5", 0.5, 32.5), ("D4", 10, 30.0)])
def test_a_tip_moves_the_total_and_credits(town: Town, order_id: str, tip: float, left: float) -> None:
    """The difference of a tip goes to, or comes from, what paid; changing it back leaves no trace."""
    before = town.db.state.hash
    order = town.done("adjust_tip", order_id=order_id, tip=tip)
    check(order)
    assert (order["tip"], order["total"]) == (tip, round(33.57 + tip, 2))
    assert town.credits() == left
    town.done("adjust_tip", order_id=order_id, tip=3)
    assert town.db.state.hash == before


def test_items_are_refunded_with_their_tax(town: Town) -> None:
    """The quote shows the refund; each line adds one entry, and several calls end in the same state as one."""
    items = {"curry": 1, SOUP: 1}
    quote = town.done("quote_item_refund", order_id="D5", items=items)
    assert quote == {"lines": {"curry": 9.8, SOUP: 8.16}, "amount": 17.96}
    order = town.done("report_missing_items", order_id="D5", items=items, issue="missing", refund_to="credits")
    assert [(r["line_id"], r["quantity"], r["amount"], r["at"]) for r in order["refunds"]] == [
        ("curry", 1, 9.8, NOW),
        (SOUP, 1, 8.16, NOW),
    ]
    assert town.credits() == 47.96
    other = Town()
    for line_id in reversed(items):
        one = {"order_id": "D5", "items": {line_id: 1}, "issue": "missing", "refund_to": "credits"}
        other.done("report_missing_items", **one)
    assert other.db.state.hash == town.db.state.hash


def test_a_credit_is_as_high_as_the_agent_says(town: Town) -> None:
    """The tool limits a credit only by the rest of the order; the policy sets the amount."""
    order = town.done("issue_credit", order_id="D5", reason="late", amount=36.57)
    assert (order["refunds"][0]["amount"], order["refunds"][0]["line_id"], town.credits()) == (36.57, "", 66.57)
    assert "not refunded yet" in town.call("issue_credit", order_id="D5", reason="cold_food", amount=0.01).text
    spent = {"order_id": "D5", "items": {"curry": 1}, "issue": "wrong", "refund_to": "credits"}
    assert "is left" in town.call("report_missing_items", **spent).text
    assert "not refunded yet" in town.call("adjust_tip", order_id="D5", tip=0).text


def test_refunds_are_listed_by_age(town: Town) -> None:
    """Refunds since the given day are listed with their orders, the newest first."""
    town.done("issue_credit", order_id="D5", reason="late", amount=5)
    assert [r["order_id"] for r in town.done("get_refund_history", **ME)] == ["D5"]
    assert town.done("get_refund_history", days=60, **ME)[1:] == [{"order_id": "D6", **OLD_REFUND}]


@pytest.mark.parametrize(("order_id", "late"), [("D1", 30), ("D5", 10), ("D7", 0)])
def test_a_status_tells_how_late_it_is(town: Town, order_id: str, late: int) -> None:
    """An open order's lateness is measured against the clock, a closed one's against its arrival or cancellation."""
    status = town.done("get_order_status", order_id=order_id)
    assert (status["minutes_late"], status["now"]) == (late, NOW)
    assert (status["cancellation_fee"] is None) == (order_id != "D1")


def test_a_history_is_the_newest_first(town: Town) -> None:
    """The newest orders are listed first, as many as asked for."""
    shown = town.done("get_user_order_history", limit=3, **ME)
    assert [order["order_id"] for order in shown] == ["D7", "D5", "D4"]
    assert shown[0]["items"] == {"curry": "2 x Curry", SOUP: "1 x Soup"}


def test_addresses_come_and_go(town: Town) -> None:
    """A new address can become the default, and the old one can be removed; an id follows from the address."""
    user = town.done("add_address", **ME, **NEW)
    (added,) = set(user["addresses"]) - set(ROWS["users"][0]["addresses"])
    assert user["addresses"][added]["address1"] == "5 Elm Street"
    assert user["default_address_id"] == "near"
    assert town.done("set_default_address", address_id=added, **ME)["default_address_id"] == added
    assert "near" not in town.done("remove_address", address_id="near", **ME)["addresses"]
    parts = {"address1": "5 Elm Street", "address2": "", "city": "Oldham", "state": "NY", "zip": "10002"}
    assert added == ids.address_id("user_1", parts, lambda _: False)


def test_other_names_are_understood(town: Town) -> None:
    """Models' other names for tools and arguments work, and the outcome has the tool's own names."""
    outcome = town.call(
        "refund_items", order_id="D5", missing_items={"curry": 1}, reason="missing", refund_to="credits"
    )
    assert (outcome.name, outcome.fault) == ("report_missing_items", None)


def test_every_alias_leads_somewhere() -> None:
    """Every alias names one tool and is no other tool's name; aliases of arguments name arguments."""
    names = {tool.name for tool in Town.own}
    aliases = [alias for tool in Town.own for alias in tool.aliases]
    assert len(set(aliases)) == len(aliases)
    assert not set(aliases) & names
    for tool in Town.own:
        assert set(tool.argument_aliases.values()) <= set(tool.arguments.model_fields), tool.name


def test_there_are_tools_enough() -> None:
    """There are enough tools that read and that write."""
    kinds = [tool.kind for tool in Town.own]
    assert (kinds.count(READ), kinds.count(WRITE)) == (15, 14)


WORDS = ["user_1", "user_2", "r1", "r2", "curry", "soup", SOUP, "pizza", "near", "far", "next", CARD, CREDITS]
WORDS += ["D1", "D2", "D3", "D4", "D5", "D6", "TEN", "FIVE", "PLUS", "Oldham", "10002", ""]


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Mostly well-formed arguments of a JSON schema's type, about things that exist."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([values(choice) for choice in schema["anyOf"]])
    kinds: dict[str, st.SearchStrategy[Any]] = {
        "string": st.sampled_from(WORDS),
        "integer": st.integers(-1, 4),
        "number": st.sampled_from([-1, 0, 0.5, 3, 5.25, 0.001, 50]),
        "boolean": st.booleans(),
        "object": st.sampled_from([{}, {"size": "large"}, {"curry": 1}, {SOUP: 1, "curry": 2}, {"curry": 9}]),
        "null": st.none(),
    }
    return kinds[schema["type"]]


@settings(max_examples=300)
@given(st.data())
def test_any_call_is_answered_and_the_books_balance(data: st.DataObject) -> None:
    """No call crashes, a refusal changes nothing, and the state stays consistent."""
    town = Town()
    town.filled(curries=1)
    for _ in range(8):
        tool = data.draw(st.sampled_from(Town.own))
        properties = tool.schema["function"]["parameters"]["properties"]
        town.call(tool.name, **{name: data.draw(values(schema)) for name, schema in properties.items()})
    assert list(invariants(town.db)) == []


def test_addresses_are_counted(town: Town) -> None:
    """A user may have twenty addresses; another one is refused until one is removed."""
    for number in range(MOST_ADDRESSES - 3):
        town.done("add_address", **ME, **NEW | {"address1": f"{number} Oak Street"})
    assert len(town.row("users", "user_1")["addresses"]) == MOST_ADDRESSES
    refused = town.call("add_address", **ME, **NEW)
    assert refused.fault is Fault.TOOL_ERROR
    assert "remove one" in refused.text
    town.done("remove_address", **ME, address_id="far")
    town.done("add_address", **ME, **NEW)
