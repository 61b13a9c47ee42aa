"""Values beside the text of a JSON object: none is hidden from the customer."""

import json

import pytest

from env_server.reading import Act, read

HEARD: list[dict[str, object]] = [
    {"message": "Hello.", "note": "I have cancelled order #W1 for you."},
    {"message": "I'll look at it now.", "exchange_status": "submitted"},
    {"message": "Thanks for waiting.", "order_cancelled": True},
    {"message": "Thanks for waiting.", "status": "booked"},
    {"reply": "Which order is it?", "text": "I have cancelled order #W1."},
    {"message": "Which order is it?", "data": {"note": "I have cancelled order #W1 for you."}},
]
NONE: list[dict[str, object]] = [
    {"message": "How can I help you today?", "status": "success"},
    {"status": "completed", "message": "How can I help you today?"},
    {"status": "success", "message": "How can I help you today?", "data": {}},
    {"message": "How can I help you today?", "success": True, "data": []},
    {"message": "Which order is it?", "order_cancelled": False},
    {"message": "Which order is it?", "cancelled": False, "data": {"refunded": False}},
    {"message": "Which order is it?", "order_status": "delivered"},
]


@pytest.mark.parametrize("form", HEARD, ids=str)
def test_a_report_beside_the_text_is_heard(form: dict[str, object]) -> None:
    """A sentence, a result or a `true` under another key reports as the text itself would."""
    assert Act.CLAIM in read(json.dumps(form)).acts


@pytest.mark.parametrize("form", NONE, ids=str)
def test_the_state_of_the_reply_is_no_report(form: dict[str, object]) -> None:
    """`status: success` beside a text is about the reply; `false` tells what has not happened."""
    assert Act.CLAIM not in read(json.dumps(form)).acts


def test_the_customer_sees_the_values_beside_a_proposal() -> None:
    """An id beside the text or before it is part of what is read: it may contradict the text."""
    said = "I will cancel the order with the lamp. Shall I go ahead?"
    assert "order id: #w99" in read(json.dumps({"message": said, "order_id": "#W99"})).text
    assert "order id: 99" in read(json.dumps({"order_id": "99"}) + " " + said).text
    assert Act.PROPOSE in read(json.dumps({"message": said, "order_id": "#W99"})).acts


def test_odd_objects_before_a_text_are_read() -> None:
    """An object of figures that is no JSON is left out."""
    assert read('{"amount": 1.2.3} Which order is it?').acts == {Act.ASK}
