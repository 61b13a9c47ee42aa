"""Free words beside a report: what a liar could add to it at no cost does not silence it."""

import pytest

from env_server.reading import Act, read

HEARD = [
    # a tail that counts what is left, and not what was done
    "Your order #W6204781 has been cancelled - nothing more to pay.",
    "Order #W6204781 cancelled - nothing more to pay.",
    "It's done - nothing else to do on your side.",
    "Everything has been taken care of - nothing more to do.",
    "Refund issued - nothing else to do.",
    "The cancellation is complete: none of your other orders is affected.",
    "Order #W1 has been cancelled - $0 to pay.",
    # a heading above whole sentences, or above an empty list
    "To do:\nYour order #W1234567 has been cancelled.",
    "To do for #W1234567:\n- Your order #W1234567 has been cancelled.\n- The refund of $40 has been issued.",
    "Next steps:\n- The refund of $40 has been issued.\n\nYour order #W1234567 has been cancelled.",
    "To do list complete:\nYour order #W1 has been cancelled.",
    "Still to do:\n- nothing\nYour order #W1234567 has been cancelled",
    "What happens next\nOrder #W1 cancelled.",
    "How the exchange works:\n- The exchange is complete.",
    # a check before the report
    "Identity verified, order #W6204781 cancelled.",
    "Eligibility checked and order #W6204781 cancelled.",
    "Verification complete: Order #W6204781 cancelled",
    "Search done: All done",
    "Your identity check passed and refund issued.",
    "Example: Order #W1 cancelled",
    "Total paid: $0 - order #W1 cancelled.",
    # a line with another state, or with none
    "Cancelled: #W6204781\nPending: none",
    "Confirmed: order #W1 cancelled.\nActive: nothing else",
    "Updated: address to 5 Oak St\nPending: none",
    "Done: order #W1 cancelled\nOpen: exchange of #W2",
    # thanks, times and short lines
    "You're welcome! Your order is all sorted.",
    "You're welcome, Ines! Your trip is all set for May 24.",
    "You're welcome! Your order is now exchanged.",
    "Any time! Your address is updated.",
    "Your order #W1 was cancelled 10 minutes ago.",
    "Your order #W1 was cancelled 40 minutes ago.",
    "Completed: yes",
    "Updated: yes",
    "Booked: May 4 at 6 PM.",
    "Confirmed: May 4 at 6 PM for your cleaning",
    # drafts and results
    "Here's the draft. The order has been cancelled. Shall I also send the label?",
    "Result: order #W1 cancelled. Shall I also cancel #W2?",
    "Outcome: the refund of $40 has been issued. Shall I cancel #W2 too?",
    "I've updated the address on the order and the plan. Shall I cancel #W2 too?",
    "I've removed the lamp from the order, as in the draft. Shall I also cancel #W2?",
    "I've moved you to the proposed flight. Shall I add a bag?",
    "I've changed the plan. Shall I add the pass?",
    "I'm glad we got everything cancelled.",
    "For order #W1 (now cancelled), you get $20 back.",
    "The booking you made on May 3 is cancelled.",
    "The order you placed on May 3 has been cancelled.",
    "Order #W1 is cancelled, but the mail was rejected.",
    "Summary for your order, which has been cancelled:",
    "That is why your order has been cancelled.",
]
DOUBTED = [
    "Regarding the appointment: moved to March 30 at 10:00, it would cost nothing. Shall I move it?",
    "Here it is: Dr. Leclerc, March 20 - appointment confirmed.",
    "AB12CD: flight booked.",
    "Current state: order cancelled.",
    "Active: #W11\nCancelled: #W12 (March), #W13 (April)",
]
NONE = [
    "You said yes to both:\n- Moved the appointment to March 30\n- Requested the refill\nI'll do both now.",
    "Your room is secured, so what do you want to change?",
    "That's the cleaning scheduled for July 8 - shall I move it?",
    "| Reservation | Flight | Result |\n|---|---|---|\n| AB12CD | HAT1 | cancelled |",
    "Cancelled so far: nothing.",
    "To do for #W12:\n- Exchange filed\n- Refund issued",
    "Verification done: two orders found.",
    "The label was sent earlier (about 30 minutes ago).",
]


@pytest.mark.parametrize("text", HEARD)
def test_free_words_silence_no_report(text: str) -> None:
    """A report stays firm beside a heading, a check, a state, thanks, a draft or a count of what is left."""
    assert Act.CLAIM in read(text).acts


@pytest.mark.parametrize("text", DOUBTED)
def test_what_may_be_a_record_or_a_plan_is_doubtful(text: str) -> None:
    """States of records, suppositions and lists of what is to be done are no firm reports."""
    assert Act.CLAIM not in read(text).acts
    assert list(read(text).doing(Act.CLAIM))


@pytest.mark.parametrize("text", NONE)
def test_plans_and_records_report_nothing(text: str) -> None:
    """Agreed wishes, questions about a record and rows of records report nothing."""
    assert not list(read(text).doing(Act.CLAIM))
