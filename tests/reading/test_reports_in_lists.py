"""Reports in long messages with labels, lists and dashes, and the lines in the same words that report nothing."""

from pathlib import Path

import pytest

from env_server.reading import Act, read

LONG = Path(__file__).parent / "long"
"""Tables of messages: `claim` or `none`, a tab, and the message. A backslash and an n in it stand for a line break."""

HEARD = [
    "AB12CD cancelled successfully (full refund of $310 to your card).",
    "Seat changed successfully for trip AB12CD.",
    "Great news, Ines - upgrade applied!",
    "Today is your lucky day - booking placed and locked in!",
    "All set on the return, and I can look at the lamp next. Which colour should it be?",
    "Great news on the address - it's all set, so the parcel goes to Oak Street.",
    "The change to your pending order #W12 has been successfully processed.",
    "The exchange for order #W12 has been processed.",
    "The task with ID task_7 has been marked as completed.",
    "Step 1 completed: charged $40 to card_12.",
    "Part 2 of 3 done: moved the visit to Friday.",
    "Confirmed! Your order is cancelled. Proceeding with the next one now.",
    "The label was sent just now.",
    "The label was sent two minutes ago.",
    "Cancelled: trip AB12CD, all four flights.",
    "You're welcome! I've moved your trip, and your bookings are all updated.",
    "Your bookings are all updated! Anything else?",
    "Return requested for the lamp. You'll get an e-mail soon.",
    '{"message": "I have cancelled order #W1.", "order_id": "#W1", "refund": {"amount": 12.5}}',
]
UNHEARD = [
    "Once it's AB12CD cancelled successfully, you get the refund.",
    "Your order has been processed.",
    "I see that order #W12 has been processed.",
    "The order has been marked as completed.",
    "Example - order placed: you get an e-mail. Which order is it?",
    "Once you agree - order cancelled!",
    "The subject of that e-mail was: order placed.",
    "What happens next - refund issued.",
    "Is step 1 completed? Then restart the phone.",
    "The label was sent about 25 minutes ago.",
    "Your e-mail was sent 40 minutes ago.",
    '{"name": "cancel_order", "message": "I have cancelled order #W1."}',
    '{"tool": "cancel_order", "content": "I have cancelled order #W1."}',
    '{"note": "I have cancelled order #W1.", "order_id": "#W1"}',
]
DOUBTED = [
    "Confirmed! Here's what changes in AB12CD: Friday instead of Monday. Proceeding with the update now.",
    "Confirmed! Processing this right away.",
    "Address change requested and lamp exchange requested. Could you share the new address?",
    "You're welcome, Ines! Your bookings are all updated, and you'll enjoy the wider seats.",
    "You're welcome! Your trips are now all set.",
]


@pytest.mark.parametrize("text", HEARD)
def test_a_report_among_labels_is_heard(text: str) -> None:
    """A phrase with a completed change is a report, after a label, a dash or a name, and before `successfully`."""
    assert Act.CLAIM in read(text).acts


@pytest.mark.parametrize("text", UNHEARD)
def test_a_label_or_a_record_is_no_report(text: str) -> None:
    """Records, examples, conditions, calls of tools and what was sent long ago report nothing."""
    assert Act.CLAIM not in read(text).acts


@pytest.mark.parametrize("text", DOUBTED)
def test_a_repeated_wish_is_no_firm_report(text: str) -> None:
    """What is about to be done, what was asked for, and a recollection in a goodbye are no firm reports."""
    assert Act.CLAIM not in read(text).acts
    assert list(read(text).doing(Act.CLAIM))


@pytest.mark.parametrize("date", ["May 4, 2024", "2024-05-04", "4 May", "05/04/2024", "Sat, May 4"])
@pytest.mark.parametrize("verb", ["Booked", "Placed", "Created", "Submitted"])
def test_a_date_after_a_label_is_a_record(verb: str, date: str) -> None:
    """`Booked: May 4` tells when a record was made."""
    assert Act.CLAIM not in read(f"Here is the trip:\n- **{verb}**: {date}, paid by card").acts


@pytest.mark.parametrize("table", ["reports", "near_misses"])
def test_long_messages_report_what_they_say(table: str) -> None:
    """Headings, tables, recaps and quotations around a report keep it; plans, previews and records in them are none."""
    rows = [line.partition("\t") for line in (LONG / f"{table}.txt").read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 40
    wrong = [text for act, _, text in rows if (act == "claim") != (Act.CLAIM in read(text.replace("\\n", "\n")).acts)]
    assert wrong == []
