"""The refusals of doordash's tools, and their messages."""

from typing import Any

import pytest

from env_server.tools.dispatch import Fault
from tests.domains.doordash.town import CREDITS, ME, NEW, ORDERING, SOUP, Town


@pytest.fixture
def town() -> Town:
    """A fresh town."""
    return Town()


CANCEL = {"reason": "changed_mind", "refund_to": "original"}
MISSING = {"order_id": "D5", "items": {"curry": 1}, "issue": "missing", "refund_to": "credits"}

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("find_user_by_email", {"email": "no@example.com"}, "no@example.com"),
    ("find_user_by_phone", {"phone": "555-010-0001", "last_name": "Roe"}, "Roe"),
    ("get_user_details", {"user_id": "nobody"}, "nobody"),
    ("get_restaurant_details", {"restaurant_id": "r9"}, "search_restaurants"),
    ("get_restaurant_menu", {"restaurant_id": "r9"}, "r9"),
    ("get_item_details", {"item_id": "i9"}, "get_restaurant_menu"),
    ("get_promo_details", {"code": "NONE"}, "NONE"),
    ("get_order_details", {"order_id": "D9"}, "get_user_order_history"),
    ("check_delivery", {**ME, "restaurant_id": "r1", "address_id": "next"}, "near, far, away"),
    ("check_delivery", {**ME, "restaurant_id": "r1", "address_id": "away"}, "90001"),
    ("get_cart", {"user_id": "nobody"}, "nobody"),
    ("get_user_order_history", {"user_id": "nobody"}, "nobody"),
    ("get_refund_history", {"user_id": "nobody"}, "nobody"),
    ("add_item_to_cart", {"user_id": "nobody", "item_id": "curry"}, "nobody"),
    ("add_item_to_cart", {**ME, "item_id": "i9"}, "i9"),
    ("add_item_to_cart", {**ME, "item_id": "gone"}, "0 left"),
    ("add_item_to_cart", {**ME, "item_id": "soup", "quantity": 4}, "3 left"),
    ("add_item_to_cart", {**ME, "item_id": "soup", "options": {"cut": "thin"}}, "'size', 'heat'"),
    ("add_item_to_cart", {**ME, "item_id": "soup", "options": {"size": "huge"}}, "'small', 'large'"),
    ("add_item_to_cart", {**ME, "item_id": "curry", "options": {"size": "large"}}, "none"),
    ("update_cart_item", {**ME, "line_id": "curry", "quantity": 1}, "is empty"),
    ("remove_item_from_cart", {**ME, "line_id": "curry"}, "is empty"),
    ("apply_promo", {**ME, "code": "TEN"}, "is empty"),
    ("remove_promo", ME, "is empty"),
    ("create_order", ORDERING, "is empty"),
    ("update_order", {"order_id": "D1"}, "nothing changes"),
    ("update_order", {"order_id": "D1", "address_id": "near", "instructions": "hand_to_me"}, "nothing changes"),
    ("update_order", {"order_id": "D1", "address_id": "next"}, "'next'"),
    ("update_order", {"order_id": "D1", "address_id": "away"}, "90001"),
    ("update_order", {"order_id": "D5", "address_id": "far"}, "delivered"),
    ("update_order", {"order_id": "D7", "address_id": "far"}, "cancelled"),
    ("cancel_order", {"order_id": "D9", **CANCEL}, "D9"),
    ("cancel_order", {"order_id": "D4", **CANCEL}, "picked_up"),
    ("cancel_order", {"order_id": "D5", **CANCEL}, "delivered"),
    ("cancel_order", {"order_id": "D7", **CANCEL}, "is cancelled"),
    ("cancel_order", {"order_id": "D1", **CANCEL, "waive_fee": True}, "no fee"),
    ("adjust_tip", {"order_id": "D9", "tip": 1}, "D9"),
    ("adjust_tip", {"order_id": "D7", "tip": 1}, "is cancelled"),
    ("adjust_tip", {"order_id": "D1", "tip": 3}, "already"),
    ("adjust_tip", {"order_id": "D1", "tip": 3.005}, "whole cents"),
    ("adjust_tip", {"order_id": "D3", "tip": 33.01}, "30.00"),
    ("report_missing_items", MISSING | {"order_id": "D4"}, "picked_up"),
    ("report_missing_items", MISSING | {"items": {}}, "items is empty"),
    ("report_missing_items", MISSING | {"items": {"soup": 1}}, SOUP),
    ("report_missing_items", MISSING | {"items": {"curry": 3}}, "holds 2"),
    ("report_missing_items", MISSING | {"items": {"curry": 0}}, "not 0"),
    ("report_missing_items", MISSING | {"order_id": "D6"}, "refunded already"),
    ("quote_item_refund", {"order_id": "D6", "items": {"curry": 1}}, "refunded already"),
    ("issue_credit", {"order_id": "D4", "reason": "late", "amount": 5}, "picked_up"),
    ("issue_credit", {"order_id": "D5", "reason": "late", "amount": 36.58}, "36.57"),
    ("issue_credit", {"order_id": "D5", "reason": "late", "amount": 0.001}, "whole cents"),
    ("add_address", {**ME, **NEW, "address1": "1 near  Street", "zip": "10001"}, "'near'"),
    ("add_address", {**NEW, "user_id": "nobody"}, "nobody"),
    ("remove_address", {**ME, "address_id": "near"}, "default"),
    ("remove_address", {**ME, "address_id": "next"}, "'next'"),
    ("set_default_address", {**ME, "address_id": "near"}, "already"),
    ("set_default_address", {**ME, "address_id": "next"}, "'next'"),
]


@pytest.mark.parametrize(("name", "arguments", "told"), REFUSED)
def test_what_cannot_be_done_is_refused_and_says_why(
    town: Town, name: str, arguments: dict[str, Any], told: str
) -> None:
    """A call that fails a check is the tool's own error, names what is wrong and changes nothing."""
    outcome = town.call(name, **arguments)
    assert outcome.fault is Fault.TOOL_ERROR
    assert told in outcome.text


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("update_cart_item", {"line_id": "curry", "quantity": 2}, "already holds 2"),
        ("update_cart_item", {"line_id": SOUP, "quantity": 4}, "3 left"),
        ("update_cart_item", {"line_id": "soup", "quantity": 2}, SOUP),
        ("add_item_to_cart", {"item_id": "curry", "quantity": 19}, "at most 20"),
        ("add_item_to_cart", {"item_id": "soup", "quantity": 3}, "4 wanted"),
        ("remove_item_from_cart", {"line_id": "soup"}, SOUP),
        ("apply_promo", {"code": "NONE"}, "NONE"),
        ("apply_promo", {"code": "LATE"}, "expired"),
        ("apply_promo", {"code": "ONCE"}, "already used"),
        ("apply_promo", {"code": "FORNO"}, "r2"),
        ("remove_promo", {}, "no promo code"),
        ("create_order", ORDERING | {"address_id": "next"}, "'next'"),
        ("create_order", ORDERING | {"address_id": "away"}, "90001"),
        ("create_order", ORDERING | {"payment_method_id": "card_2"}, "card_1, paypal_1, credits_1"),
        ("create_order", ORDERING | {"payment_method_id": CREDITS}, "hold 30.00"),
        ("create_order", ORDERING | {"tip": 0.001}, "whole cents"),
    ],
)
def test_a_cart_refuses_what_does_not_fit(town: Town, name: str, arguments: dict[str, Any], told: str) -> None:
    """A refused item leaves a cart of two curries and a soup unchanged."""
    town.filled()
    outcome = town.call(name, **ME | arguments)
    assert outcome.fault is Fault.TOOL_ERROR
    assert told in outcome.text


def test_a_promo_holds_until_the_order(town: Town) -> None:
    """A cart that is now below the promo's minimum cannot be ordered with it, and a used promo cannot be used again."""
    town.filled()
    town.done("apply_promo", code="FIVE", **ME)
    assert "already on" in town.call("apply_promo", code="five", **ME).text
    town.done("remove_item_from_cart", line_id=SOUP, **ME)
    assert "needs a subtotal of 20.00" in town.call("get_cart", address_id="near", **ME).text
    assert "needs a subtotal of 20.00" in town.call("create_order", **ORDERING).text
    town.done("update_cart_item", line_id="curry", quantity=3, **ME)
    town.done("create_order", **ORDERING)
    town.filled()
    assert "already used" in town.call("apply_promo", code="FIVE", **ME).text


def test_a_closed_restaurant_takes_no_order(town: Town) -> None:
    """A closed restaurant's cart can be filled, but not ordered."""
    town.done("add_item_to_cart", item_id="pizza", quantity=2, **ME)
    assert "takes no orders now" in town.call("create_order", **ORDERING).text


def test_stock_sold_meanwhile_is_missed(town: Town) -> None:
    """Two carts may hold the last items; the second order is refused."""
    for user_id in ("user_1", "user_2"):
        town.done("add_item_to_cart", user_id=user_id, item_id="soup", quantity=2)
    town.done("create_order", user_id="user_2", address_id="next", payment_method_id="card_2", tip=0)
    assert "1 left" in town.call("create_order", **ORDERING).text


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("cancel_order", {"order_id": "D1", "reason": "bored", "refund_to": "original"}, "changed_mind"),
        ("adjust_tip", {"order_id": "D1", "tip": -1}, "tip"),
        ("adjust_tip", {"order_id": "D1", "tip": float("inf")}, "tip"),
        ("add_item_to_cart", {**ME, "item_id": "curry", "quantity": 0}, "quantity"),
        ("add_address", {**ME, **NEW, "zip": "1000"}, "zip"),
        ("search_restaurants", {"city": "Oldham", "cuisine": "fusion"}, "thai"),
    ],
)
def test_arguments_are_checked_before_anything(town: Town, name: str, arguments: dict[str, Any], told: str) -> None:
    """A value of the wrong type is refused first."""
    outcome = town.call(name, **arguments)
    assert outcome.fault is Fault.BAD_ARGUMENTS
    assert told in outcome.text
