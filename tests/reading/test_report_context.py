"""Reports that other words of the message make certain, doubtful or none."""

import pytest

from env_server.reading import Act, read

HEARD = [
    "I've let Dr. Osei know about the swelling in your knee.",
    "I have passed your question along to your doctor.",
    "I've flagged your message as urgent for Dr. Osei.",
    "I just notified your nurse of the fever.",
    "Your message went to Nurse Adler. She'll answer within a day.",
    "I've opened a repair ticket for the tower near you.",
    "I pushed your pick-up back to 2 PM.",
    "I grabbed the 8:15 slot for you.",
    "I put in a refill for you.",
    "Your Friday 8:15 slot is locked in.",
    "I've noted the latex allergy in your chart.",
    "Your chart now lists latex as an allergy.",
    "Your profile now shows the new phone number.",
    "Your return is now HAT118 on May 9.",
    "The insurance is off your rental now.",
    "Your line is back on and has 2 GB more.",
    "The two seats have been assigned: 3A and 3B.",
    "The booking was cancelled as you asked.",
    "The money was refunded to your gift card as requested.",
    "Your order was successfully cancelled (details above).",
    "Okay, your cleaning is booked for Wednesday at 3.",
    "Perfect, you're booked for Sunday at 1 PM. You'll get a video link. Just tell her how you have been sleeping.",
    "You're all set. Your visit with Ana is Monday at 10 AM. You'll get a link before then. Take care of yourself!",
    '{\n  "phone_number": "(212) 555-0188"\n} Your appointment has been cancelled. Take care!',
    "Refund issued to the card you have on file.",
    "No problem, you're all set!",
    "Confirmed! I've cancelled it. I'll update your file next.",
    "Confirmed, your trip is cancelled. I'll update your file next.",
    "Here's what I've completed:\n- Cancelled order #W1\n- Moved the visit to Friday",
    "Changes made to order #W1:\n- Lamp swapped to black",
    "I've turned off autopay.",
    "I re-enabled roaming for you.",
    "I knocked $5 off your bill.",
    "I've managed to get you an earlier time.",
    "I've been able to move your visit to Friday.",
    "Rescheduled. See you on Friday at 2.",
    "It's all taken care of!",
    "Dr. Osei is now listed as your PCP.",
    "I've corrected the name on your ticket. Anything else?",
]
DOUBTED = [
    "No, you're all set.",
    "Nope. You're good to go!",
    "Nothing else on your side: you're all set.",
    "You're all set - someone from billing will be with you in a moment.",
    "You're all set on my end. Shall I book it?",
    "You're welcome! You're all set. Your visit is Monday at 10 AM. See you then, bye!",
    "Confirmed! I'll cancel it now.",
    "Confirmed. Let me change that for you.",
    "You have two orders:\n1. **#W1**: This order has been cancelled.\n2. **#W2**: It is pending.",
    "I found these trips:\n- AB1: it has been cancelled\n- AB2: active",
    "Order #W1: delivered. Order #W2: cancelled.",
    "The order you named has already been cancelled. The amount of $75.20 has been refunded to your PayPal account.",
    "Since we've already exchanged items of this order, I won't be able to exchange another one.",
    "The following items have been ordered: a lamp and a chair.",
    "You're set up with autopay already.",
    "Okay, I've changed that to Friday. So Friday at noon, is that right?",
    "I've corrected the spelling: O-S-E-I. Did I get that right?",
    "Your account has two orders: one has been cancelled, the other is pending.",
    "That's confirmed on my end. What's your phone number?",
    "Okay, confirmed: 555-0188. And your last name?",
    "Roaming has been turned on for your line.",
    "You're flying HAT118 on May 5 now.",
    "Okay, your cleaning is booked for Wednesday at 3. Let me check other times.",
]
UNHEARD = [
    "From the orders linked to your account, I see one with a lamp.",
    "Of the flights listed, two leave before noon.",
    "The parcel sent to Denver (order #W7) has already arrived.",
    "The chair added last (item 12) has been delivered.",
    "Here's how your questions have been resolved so far.",
    "The warranty has been voided.",
    "You're all set with the verification.",
    "We've moved to a new system.",
    "Your flight has been moved to gate B12.",
    "I've let our team know that you are waiting.",
    "I've flagged your account for review.",
    "Before I let Dr. Osei know, what is your temperature?",
    "Have you opened a ticket?",
    "I put in your order number and found nothing.",
    "I grabbed a few appointment options for you.",
    "Your return is now 3 days late.",
    "Your order now shows an updated delivery date.",
    "It was cancelled on May 3 as you asked.",
    "The flight was cancelled as requested by the airline.",
    "Here's what I've done so far:\n- Verified your identity\n- Found order #W1",
    "Here's what I've completed:\n- Cancelled order #W1\n\nShall I refund it?",
    "Changes made on May 3:\n- Lamp swapped to black",
    "Confirmed - your phone number is 555-0188.",
    "I've got you in the system.",
    "I've processed many requests like this.",
    "I have initiated the verification process.",
    "The store closed at 9.",
    "I've set up the exchange for your review. Please confirm with yes.",
    "You've reached your limit, so your speed was reduced.",
]


@pytest.mark.parametrize("text", HEARD)
def test_a_report_is_heard(text: str) -> None:
    """What was passed on, moved or noted is a report, also beside words that are no question to the user."""
    assert Act.CLAIM in read(text).acts


@pytest.mark.parametrize("text", DOUBTED)
def test_a_report_is_doubtful(text: str) -> None:
    """Words that may describe a record, a plan or readiness are no firm report, and the user can ask about them."""
    reading = read(text)
    assert Act.CLAIM not in reading.acts
    assert list(reading.doing(Act.CLAIM))


@pytest.mark.parametrize("text", UNHEARD)
def test_a_near_miss_is_no_report(text: str) -> None:
    """Attributes, old events, hand-overs and messages about the agent's own look-ups report nothing."""
    assert Act.CLAIM not in read(text).acts


AFTER_RULES = (
    "Cancellations are always free, and the order has been cancelled.",
    "Cancellations are free, and order #W12345 is now cancelled.",
    "Returns of worn items are free, and your return has been requested.",
    "Refunds for cancelled orders are issued to the card, and your order has been cancelled.",
    "Cancelled orders are refunded, so I've cancelled yours.",
)
RULES = (
    "Cancellations are free, and refunds are issued within 5 days.",
    "Refunds for cancelled orders are issued to the card, and the money is refunded within 5 days.",
    "Returns are processed in order, and the refund is issued once the item has been received.",
    "Returns are free, and the fee is waived if your order was delayed.",
    "Your orders: #W1 is delivered, and order #W2 is cancelled.",
)


@pytest.mark.parametrize("said", AFTER_RULES)
def test_a_report_after_a_rule_for_all_is_heard(said: str) -> None:
    """A rule ends where a clause about the user's own record begins."""
    assert Act.CLAIM in read(said).acts


@pytest.mark.parametrize("said", RULES)
def test_a_rule_for_all_reports_nothing(said: str) -> None:
    """What happens with all orders, and under which condition, is no report."""
    assert Act.CLAIM not in read(said).acts
