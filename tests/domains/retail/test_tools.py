"""Retail's tools under the builtin rules: their effects and refusals."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.tools.dispatch import Fault
from tests.domains.retail.shop import HOME, MOVED, ROWS, Shop

CARD, PAYPAL, LOW, RICH = "card_1", "paypal_1", "gift_1", "gift_2"


@pytest.fixture
def shop() -> Shop:
    """A fresh shop."""
    return Shop()


def done(shop: Shop, name: str, **arguments: Any) -> Any:
    """The result of a call that must succeed."""
    outcome = shop.call(name, **arguments)
    assert outcome.fault is None, outcome.text
    return json.loads(outcome.text)


def paid(order: Any) -> list[tuple[str, float, str]]:
    """An order's payment entries in short form."""
    return [(e["transaction_type"], e["amount"], e["payment_method_id"]) for e in order["payment_history"]]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("find_user_id_by_email", {"email": "JO.Doe@example.com"}),
        ("find_user_id_by_name_zip", {"first_name": "jo", "last_name": "DOE", "zip": "80203"}),
    ],
)
def test_users_are_found_whatever_the_case(shop: Shop, name: str, arguments: dict[str, str]) -> None:
    """Each way to find a user answers with the plain id."""
    assert shop.call(name, **arguments).text == "jo_doe_1"


def test_a_moved_user_is_found_by_the_new_zip_alone(shop: Shop) -> None:
    """A look-up sees what the episode itself has changed."""
    done(shop, "modify_user_address", user_id="jo_doe_1", **MOVED)
    named = {"first_name": "Jo", "last_name": "Doe"}
    assert shop.call("find_user_id_by_name_zip", **named, zip=MOVED["zip"]).text == "jo_doe_1"
    assert shop.call("find_user_id_by_name_zip", **named, zip=HOME["zip"]).fault is Fault.TOOL_ERROR


@pytest.mark.parametrize(
    ("name", "arguments", "row"),
    [
        ("get_user_details", {"user_id": "jo_doe_1"}, ROWS["users"][0]),
        ("get_order_details", {"order_id": "#W2"}, ROWS["orders"][1]),
        ("get_product_details", {"product_id": "10"}, ROWS["products"][0]),
        ("get_item_details", {"item_id": "104"}, ROWS["products"][0]["variants"]["104"]),
    ],
)
def test_details_are_the_row(shop: Shop, name: str, arguments: dict[str, str], row: Any) -> None:
    """A look-up by id shows the whole row, without fields that are not set."""
    assert done(shop, name, **arguments) == row


def test_product_types_are_sorted_by_name(shop: Shop) -> None:
    """Product types are listed by name in alphabetical order, each with its id."""
    assert list(done(shop, "list_all_product_types").items()) == [("Jug", "20"), ("Mug", "10")]


def test_cancelling_refunds_a_gift_card_at_once(shop: Shop) -> None:
    """A cancellation marks the order, keeps the reason and refunds a gift card at once."""
    order = done(shop, "cancel_pending_order", order_id="#W3", reason="no longer needed")
    assert (order["status"], order["cancel_reason"]) == ("cancelled", "no longer needed")
    assert paid(order) == [("payment", 10.1, RICH), ("refund", 10.1, RICH)]
    assert shop.balance(RICH) == 110.1


def test_cancelling_after_a_change_of_payment_refunds_what_was_paid_on_balance(shop: Shop) -> None:
    """A cancellation does not refund again what a change of payment has already refunded."""
    done(shop, "modify_pending_order_payment", order_id="#W3", payment_method_id=PAYPAL)
    order = done(shop, "cancel_pending_order", order_id="#W3", reason="ordered by mistake")
    assert paid(order)[3:] == [("refund", 10.1, PAYPAL)]
    assert shop.balance(RICH) == 110.1


def test_an_orders_address_is_not_the_users(shop: Shop) -> None:
    """A change of the order's address leaves the user's unchanged, and the other way round."""
    assert done(shop, "modify_pending_order_address", order_id="#W1", **MOVED)["address"] == MOVED
    assert done(shop, "get_user_details", user_id="jo_doe_1")["address"] == HOME
    assert done(shop, "modify_user_address", user_id="jo_doe_1", **MOVED)["address"] == MOVED
    assert done(shop, "get_order_details", order_id="#W2")["address"] == HOME


def test_each_modified_item_becomes_its_own_variant(shop: Shop) -> None:
    """Each of several modified items gets its own price and options; the charge is in whole cents."""
    order = done(
        shop,
        "modify_pending_order_items",
        order_id="#W1",
        item_ids=["101", "102", "101"],
        new_item_ids=["102", "103", "103"],
        payment_method_id=RICH,
    )
    assert [(i["item_id"], i["price"], i["options"]["size"]) for i in order["items"]] == [
        ("102", 12.25, "M"),
        ("103", 15.4, "L"),
        ("103", 15.4, "L"),
    ]
    assert order["status"] == "pending (item modified)"
    assert paid(order)[1:] == [("payment", 10.6, RICH)]
    assert shop.balance(RICH) == 89.4


def test_a_cheaper_item_is_refunded(shop: Shop) -> None:
    """If the new items cost less, the difference is refunded, to a gift card at once."""
    changed = {"item_ids": ["102"], "new_item_ids": ["101"], "payment_method_id": LOW}
    assert paid(done(shop, "modify_pending_order_items", order_id="#W1", **changed))[1:] == [("refund", 2.15, LOW)]
    assert shop.balance(LOW) == 7.15


def test_a_modified_order_may_still_be_sent_elsewhere(shop: Shop) -> None:
    """After a change of its items, only the address of an order can be changed."""
    change = {"order_id": "#W1", "item_ids": ["102"], "new_item_ids": ["103"], "payment_method_id": CARD}
    done(shop, "modify_pending_order_items", **change)
    done(shop, "modify_pending_order_address", order_id="#W1", **MOVED)
    again = change | {"item_ids": ["103"], "new_item_ids": ["102"]}
    assert shop.call("modify_pending_order_items", **again).fault is Fault.TOOL_ERROR
    assert shop.call("cancel_pending_order", order_id="#W1", reason="no longer needed").fault is Fault.TOOL_ERROR
    assert "only once" in shop.call("modify_pending_order_payment", order_id="#W1", payment_method_id=RICH).text


def test_a_new_payment_refunds_the_first(shop: Shop) -> None:
    """The new method pays the whole order and the first is refunded; a second change is refused."""
    order = done(shop, "modify_pending_order_payment", order_id="#W1", payment_method_id=RICH)
    assert paid(order) == [("payment", 32.45, CARD), ("payment", 32.45, RICH), ("refund", 32.45, CARD)]
    assert shop.balance(RICH) == 67.55
    assert "only once" in shop.call("modify_pending_order_payment", order_id="#W1", payment_method_id=PAYPAL).text


@pytest.mark.parametrize("method", [CARD, LOW])
def test_a_return_is_refunded_to_the_original_method_or_a_gift_card(shop: Shop, method: str) -> None:
    """A return keeps its items sorted and moves no money yet."""
    order = done(
        shop, "return_delivered_order_items", order_id="#W2", item_ids=["103", "101"], payment_method_id=method
    )
    assert order["status"] == "return requested"
    assert (order["return_items"], order["return_payment_method_id"]) == (["101", "103"], method)
    assert len(paid(order)) == 1
    assert shop.balance(LOW) == 5.0


def test_an_exchange_notes_the_difference(shop: Shop) -> None:
    """An exchange keeps both lists sorted and the difference in cents, and moves no money yet."""
    order = done(
        shop,
        "exchange_delivered_order_items",
        order_id="#W2",
        item_ids=["103", "101"],
        new_item_ids=["102", "103"],
        payment_method_id=LOW,
    )
    assert order["status"] == "exchange requested"
    assert order["exchange_items"] == ["101", "103"]
    assert order["exchange_new_items"] == ["102", "103"]
    assert (order["exchange_payment_method_id"], order["exchange_price_difference"]) == (LOW, 2.15)
    assert shop.balance(LOW) == 5.0


MODIFY = {"order_id": "#W1", "item_ids": ["101"], "new_item_ids": ["102"], "payment_method_id": CARD}
EXCHANGE = {"order_id": "#W2", "item_ids": ["101"], "new_item_ids": ["102"], "payment_method_id": CARD}
RETURN = {"order_id": "#W2", "item_ids": ["101"], "payment_method_id": CARD}

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("find_user_id_by_email", {"email": "no@example.com"}, "no@example.com"),
    ("find_user_id_by_name_zip", {"first_name": "Jo", "last_name": "Doe", "zip": "1"}, "'1'"),
    ("get_user_details", {"user_id": "nobody"}, "nobody"),
    ("get_order_details", {"order_id": "W1"}, "#W"),
    ("get_product_details", {"product_id": "101"}, "list_all_product_types"),
    ("get_item_details", {"item_id": "10"}, "'10'"),
    ("cancel_pending_order", {"order_id": "#W9", "reason": "no longer needed"}, "#W9"),
    ("cancel_pending_order", {"order_id": "#W4", "reason": "no longer needed"}, "'processed'"),
    ("modify_pending_order_address", {"order_id": "#W9"} | HOME, "#W9"),
    ("modify_pending_order_address", {"order_id": "#W2"} | HOME, "'delivered'"),
    ("modify_user_address", {"user_id": "nobody"} | HOME, "nobody"),
    ("modify_pending_order_items", MODIFY | {"order_id": "#W9"}, "#W9"),
    ("modify_pending_order_items", MODIFY | {"order_id": "#W2"}, "'delivered'"),
    ("modify_pending_order_items", MODIFY | {"item_ids": [], "new_item_ids": []}, "item_ids is empty"),
    ("modify_pending_order_items", MODIFY | {"item_ids": ["103"]}, "'103'"),
    ("modify_pending_order_items", MODIFY | {"item_ids": ["102", "102"]}, "that many times"),
    ("modify_pending_order_items", MODIFY | {"new_item_ids": []}, "0 new item ids"),
    ("modify_pending_order_items", MODIFY | {"new_item_ids": ["101"]}, "already that item"),
    ("modify_pending_order_items", MODIFY | {"new_item_ids": ["201"]}, "not a variant"),
    ("modify_pending_order_items", MODIFY | {"new_item_ids": ["104"]}, "not available"),
    ("modify_pending_order_items", MODIFY | {"payment_method_id": "card_2"}, "card_1, paypal_1"),
    ("modify_pending_order_items", MODIFY | {"new_item_ids": ["103"], "payment_method_id": LOW}, "holds 5.00"),
    ("modify_pending_order_payment", {"order_id": "#W9", "payment_method_id": CARD}, "#W9"),
    ("modify_pending_order_payment", {"order_id": "#W2", "payment_method_id": PAYPAL}, "'delivered'"),
    ("modify_pending_order_payment", {"order_id": "#W1", "payment_method_id": "card_2"}, "card_2"),
    ("modify_pending_order_payment", {"order_id": "#W1", "payment_method_id": CARD}, "already paid"),
    ("modify_pending_order_payment", {"order_id": "#W1", "payment_method_id": LOW}, "32.45 is due"),
    ("return_delivered_order_items", RETURN | {"order_id": "#W9"}, "#W9"),
    ("return_delivered_order_items", RETURN | {"order_id": "#W1"}, "'pending'"),
    ("return_delivered_order_items", RETURN | {"payment_method_id": "card_2"}, "card_2"),
    ("return_delivered_order_items", RETURN | {"payment_method_id": PAYPAL}, "original"),
    ("return_delivered_order_items", RETURN | {"item_ids": []}, "item_ids is empty"),
    ("return_delivered_order_items", RETURN | {"item_ids": ["101", "101"]}, "that many times"),
    ("exchange_delivered_order_items", EXCHANGE | {"order_id": "#W9"}, "#W9"),
    ("exchange_delivered_order_items", EXCHANGE | {"order_id": "#W3"}, "'pending'"),
    ("exchange_delivered_order_items", EXCHANGE | {"item_ids": [], "new_item_ids": []}, "item_ids is empty"),
    ("exchange_delivered_order_items", EXCHANGE | {"item_ids": ["102"]}, "'102'"),
    ("exchange_delivered_order_items", EXCHANGE | {"new_item_ids": ["102", "103"]}, "2 new item ids"),
    ("exchange_delivered_order_items", EXCHANGE | {"new_item_ids": ["201"]}, "not a variant"),
    ("exchange_delivered_order_items", EXCHANGE | {"new_item_ids": ["104"]}, "not available"),
    ("exchange_delivered_order_items", EXCHANGE | {"payment_method_id": "card_2"}, "card_2"),
    ("exchange_delivered_order_items", EXCHANGE | {"new_item_ids": ["103"], "payment_method_id": LOW}, "5.30 is due"),
]


@pytest.mark.parametrize(("name", "arguments", "told"), REFUSED)
def test_what_cannot_be_done_is_refused_and_says_why(
    shop: Shop, name: str, arguments: dict[str, Any], told: str
) -> None:
    """A call that fails a check is the tool's own error, names what is wrong and changes nothing."""
    outcome = shop.call(name, **arguments)
    assert outcome.fault is Fault.TOOL_ERROR
    assert outcome.text.startswith("Error: ")
    assert told in outcome.text


def test_another_reason_is_no_argument(shop: Shop) -> None:
    """An unknown reason is refused with the two known ones."""
    outcome = shop.call("cancel_pending_order", order_id="#W1", reason="too dear")
    assert outcome.fault is Fault.BAD_ARGUMENTS
    assert "no longer needed" in outcome.text
    assert "ordered by mistake" in outcome.text


def test_other_names_are_understood(shop: Shop) -> None:
    """Models' other names for tools and arguments work, and the outcome has the tool's own names."""
    outcome = shop.call("return_items", order_id="#W2", items=["101"], payment_id=CARD)
    assert (outcome.name, outcome.fault) == ("return_delivered_order_items", None)
    assert set(outcome.arguments) == {"order_id", "item_ids", "payment_method_id"}


def test_no_alias_means_two_tools() -> None:
    """Every alias names one tool, and no alias is another tool's name."""
    tools = Shop.tools.tools
    aliases = [alias for tool in tools.values() for alias in tool.aliases]
    assert len(set(aliases)) == len(aliases)
    assert not set(aliases) & set(tools)


VALUES: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(["#W1", "#W2", "#W3", "jo_doe_1", "10", "101", CARD, LOW, RICH, "no longer needed", ""]),
    st.lists(st.sampled_from(["101", "102", "103", "104", "201"]), max_size=3),
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
)


@given(st.data())
def test_any_call_is_answered(data: st.DataObject) -> None:
    """With any arguments a call succeeds or is refused; it never crashes, and a refusal does not change the state."""
    shop = Shop()
    for _ in range(3):
        tool = data.draw(st.sampled_from(list(Shop.tools.tools.values())))
        shop.call(tool.name, **{name: data.draw(VALUES) for name in tool.argument_names})
