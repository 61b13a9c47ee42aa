"""Messages in the form of a JSON object, and reports in drafts, recaps and headings."""

import json

import pytest

from env_server.reading import Act, read

RESULTS = [
    {"exchange_status": "submitted", "order_id": "#W1", "items": ["lamp"], "note": "You get an e-mail with a label."},
    {"status": "booked", "trip": {"from": "Rome", "to": "Oslo"}, "note": "Please be at the gate thirty minutes early."},
    {"status": "return_submitted", "order": {"id": "#W1"}, "note": "You get an e-mail with a label soon."},
    {"addressUpdateStatus": "success", "new": {"city": "Rome"}, "next": "If you want anything else, just tell me."},
    {"trip_id": "AB12CD", "trip": {"confirmation": "Your trip has been moved to Friday, the fifth of May."}},
]
"""Objects with the result of a change, or with a sentence that reports one."""

RECORDS = [
    {"order_id": "#W1", "status": "cancelled", "items": ["lamp"], "note": "You can ask for a copy of the bill."},
    {"order_status": "delivered", "items": ["lamp"], "note": "You can ask for a copy of the bill."},
    {"name": "note", "arguments": {"text": "The order has been cancelled for the customer."}, "status": "success"},
    {"exchange_status": "submitted", "items": ["lamp"]},
    {"exchange_status": "not_submitted", "items": ["lamp"], "note": "You can ask for a copy of the bill."},
    {"if_you_agree": {"exchange_status": "submitted"}, "note": "You can ask for a copy of the bill."},
]
"""Objects with a record, with a call of a tool, without a sentence, or with what has not happened."""

HEARD = [
    "AB12CD is now economy class.",
    "The new trip has been booked with the details below.",
    "Your order has been cancelled, but I failed to send the e-mail.",
    "Order #W1 confirmed as cancelled: I've cancelled it just now. Is there a second one?",
    "You're welcome! I've moved the visit as well.",
    "You're welcome! Your order has been cancelled.",
    "I've changed the plan on line 2 to Basic. Shall I also add the pass?",
    "Gift sums are limited to the card, and your order has been cancelled.",
    "I'm glad to help: your order has been cancelled.",
    "Here's the summary of the changes I've made: trip AB12CD cancelled.",
]
DOUBTED = [
    "This draft has the lamp only. The bottle has been removed. Reply YES to submit it.",
    "I've switched the proposed seat to 12A. Shall I book it?",
    "Cancel order #W1. Result: order cancelled and refunded. Reply YES to proceed.",
    "Great, order #W12 confirmed. Which item should go back?",
    "Thanks, Ines. Order #W12 (delivered) is confirmed. Would you like to return the lamp?",
    "Understood - all three requests confirmed. Which one comes first?",
    "Verified and confirmed! Which trip is it?",
    "Yes, confirmed - the new total is $310.",
    "Upon your yes: order cancelled, refund issued.",
    "Glad we got that sorted out.",
    "For the lamp in #W12 (now exchanged and pending), you can ask again in May.",
    "The exchange you made on May 3 is complete.",
]
NONE = [
    "I'm happy we could get it all cleared up - no trouble at all.",
    "Total paid: $503 with the card.",
    "Total refunded: $0.",
    "You're all set with the name Ines Roth and the card that ends in 12.",
    "Retry of the booking processed, but it failed: the card was declined.",
    "There may be an error in how the order was recorded.",
    "Certificates are limited to delays, and are issued as a credit.",
    "Exchange summary for order #W12 (delivered, exchange requested):",
    "Seat mismatch noted, but the rules say the same.",
    "Your delivery address confirmed: 5 Oak St.",
    "I've updated the return details based on your choice.",
    "Order #W12 is confirmed active with the new lamp.",
]


@pytest.mark.parametrize("form", RESULTS, ids=str)
def test_a_form_reports_its_result(form: dict[str, object]) -> None:
    """The result of a change in an object with sentences is a report, and so is a sentence in it."""
    assert Act.CLAIM in read(json.dumps(form, indent=1)).acts


@pytest.mark.parametrize("form", RECORDS, ids=str)
def test_a_record_in_a_form_is_no_report(form: dict[str, object]) -> None:
    """The state of a record is no report. Calls, and objects without sentences, are not read."""
    assert Act.CLAIM not in read(json.dumps(form, indent=1)).acts


def test_a_form_proposes_and_refuses() -> None:
    """A form is read as headings and entries: its question for a yes is heard, and what cannot be done."""
    form = {
        "note": "A single item of a pending order cannot be cancelled.",
        "plan": {"action": "cancel", "order": "#W12", "refund": 12.5},
        "question": "Shall I cancel order #W12 as it was ordered by mistake?",
    }
    assert {Act.PROPOSE, Act.REFUSE} <= read(json.dumps(form)).acts


def test_deep_and_odd_forms_are_read() -> None:
    """Keys without letters, deep objects and empty lists raise nothing."""
    deep: object = "I have cancelled order #W1 for you."
    for _ in range(200):
        deep = {"a": [deep]}
    assert Act.CLAIM not in read(json.dumps({"": None, "_": [], "b": {}, "c": deep, "n": "Here is all I have."})).acts


@pytest.mark.parametrize("text", HEARD)
def test_reports_near_drafts_and_thanks_are_heard(text: str) -> None:
    """A report with its own doer, or with `been`, stays one beside thanks, plans and general words."""
    assert Act.CLAIM in read(text).acts


@pytest.mark.parametrize("text", DOUBTED)
def test_drafts_recaps_and_confirmed_facts_are_doubtful(text: str) -> None:
    """What a draft holds, what is recalled after thanks, and a record that is confirmed are no firm report."""
    reading = read(text)
    assert Act.CLAIM not in reading.acts
    assert any(Act.CLAIM in sentence.acts for sentence in reading.sentences)


@pytest.mark.parametrize("text", NONE)
def test_facts_and_headings_report_nothing(text: str) -> None:
    """Sums that were paid, confirmed facts, failures, rules and headings report no change."""
    assert not any(Act.CLAIM in sentence.acts for sentence in read(text).sentences)
