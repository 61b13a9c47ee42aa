"""Rules that hold for all and are given before anything was looked up, and sentences that refuse a wish."""

import time
from collections.abc import Callable

import pytest

from env_server.reading import Act, read
from env_server.reading.sentences.patterns import words_of
from env_server.reading.sentences.refusals import remarks
from env_server.reading.sentences.refusals.limits import without_lookalikes
from env_server.reading.sentences.refusals.refused import general, refuses

NO_REFUSALS = (
    (
        "Happy to book that. I need:\n1. Your user ID\n7. Checked bags: how many?\n8. Travel insurance: yes or no "
        "(it costs $25, and it can only be bought with the booking)"
    ),
    "8. Travel insurance: yes or no (it costs $25, and it can only be bought with the booking)",
    "Please list all of them, since a return can only be started once per order.",
    (
        "Which items do you want to send back? Please list all of them, since a return can only be started once per "
        "order. And what is your email?"
    ),
    "An order can only be cancelled while it's still pending, and only as a whole. I'll check the status first.",
    (
        "Sure. An order can only be cancelled while it's still pending, and only as a whole. I'll check the status "
        "first. What's your user ID?"
    ),
    "You can change the passengers' names; only their number has to stay the same. Who should fly?",
    "I can change names on a booking, only their number has to stay the same. What are the new names?",
    (
        "Keep in mind that a pending order can be changed only a single time, so please tell me everything you want "
        "changed. What's your email?"
    ),
    "Do you want insurance? It's $30 per person and has to be added when booking, not later.",
    "Payment: which card? (One certificate at most per booking.)",
    "How would you like to pay? Only one certificate can be used per booking.",
    "Please name every item you want to swap, because exchanges are a one-time thing per order.",
    (
        "To check whether your booking can be cancelled, I need its number. Basic economy can only be cancelled "
        "within 24 hours or with insurance."
    ),
    "Is the order delivered? Only delivered orders can be returned.",
    "I'll look at the status first, because only pending orders can be changed.",
    "Which reason applies: no longer needed, or ordered by mistake? No other reasons are possible.",
    'To cancel, I need a reason. Only "no longer needed" or "ordered by mistake" are accepted.',
    "Without your booking number I can't see or change anything. What is it?",
    "If the flight has already left, it can't be cancelled. What's your reservation number?",
    "Note: refunds can only go to the original payment method or a gift card. Which one would you like?",
    "Before I start: changes can't be undone afterwards. What's your name and zip code?",
    (
        "The new item has to be the same type of product, only colour, size and material can differ. Which one would "
        "you like?"
    ),
    "Bags can be added later but not removed. How many do you want?",
    "Without it I can't see or open your orders. What is your email?",
    "None of the legs have been touched so far, so a full refund is possible. Shall I cancel?",
    "Your booking is eligible for a change outside the 24-hour window. Shall I move it to May 3 for $30?",
    "Both are outside the refund window but qualify through the insurance. Shall I cancel ABC123?",
    "These restrictions don't apply to business class. Shall I upgrade ABC123 to business for $300?",
    "Our product data doesn't mention the material of the cord. Which lamp would you like?",
    "Since prices for the old flight aren't available, I'll use today's. Shall I look?",
    "Leaves at 10:00 and arrives the same day, but not nonstop. Does it suit you?",
    "Our checkout is set up differently, sorry for the trouble. Which card?",
    "Once added, bags cannot be taken off again. Shall I add one to ABC123 for $50?",
    "It may not be exchangeable any more. What's the order number?",
    "Out of stock:\n- red kettle\nIn stock:\n- blue kettle\nWhich one would you like?",
    "The remaining $20 are not refundable. Shall I book HAT001 with the certificate?",
    (
        "It sounds like the delivered order is the one you mean, since returns are only possible for delivered ones. "
        "Is it #W1234567?"
    ),
    "If the lamp has been shipped already, we can't change it. May I have your order number?",
    (
        "Changes are only possible for pending orders, so if yours has been shipped, I can't make them. What's the "
        "number?"
    ),
    "All tickets must be the same class, so moving up would apply to every leg. What's your user ID?",
    (
        "I've changed the lamp in order #W1234567 to the black one. After a swap of items, we won't be able to "
        "change this again."
    ),
    "The prices are the same, so no extra charge or refund is needed. Shall I swap the lamp for the black one?",
    "Is it one way or both ways, and do you want to move only the return on May 17?",
    "Please check whether any leg has been flown, as we can only cancel unused trips. Which booking is it?",
    "Our system doesn't show any matching booking for that day. What's the booking number?",
    "I've booked HAT001. There are no trains of that kind other than this one.",
    "The order is being packed, so no delivery date is available yet. Anything else?",
    (
        "Note: flight times and durations are not available in the booking details. Shall I move ABC123 to May 3 for "
        "$30?"
    ),
    "Your exchange won't be delayed by that. Anything else?",
    "Your other orders are still pending, so returns aren't possible on those. Shall I return the lamp for $30?",
    ("Your gift card isn't enough for the total, so we would need to charge the rest to your Visa. Is that alright?"),
    "There are no cheaper options. Shall I book HAT001 for $30?",
)
REFUSALS = (
    "Cancellation of ABC123 declined: it was booked a week ago.",
    "Your refund request was denied, since the fare is basic.",
    "No upgrades possible on basic fares like this.",
    "The two cancellations weren't possible under the rules.",
    "Your membership is regular, so this wouldn't qualify.",
    "The order is locked, which blocks further changes.",
    "The update failed because the gift card has too little on it.",
    "Basic economy bookings cannot change flights.",
    ("Please note that our policy does not offer refunds for that. I can send a certificate for $50 instead. Shall I?"),
    "Note that basic fares like yours can't be moved. What would you like to do?",
    "If a flight is basic economy, it can't be changed, and yours is. Anything else?",
    "If you want it in red, I'm afraid we have none. Which other colour?",
    "Only pending orders can be cancelled, and yours was delivered. Would you like to return it?",
    "Sorry, exchanges are only possible for delivered orders. May I have the order number all the same?",
    "It's not possible to cancel only one item of an order. Which order is it?",
    "Unfortunately only unused tickets can be refunded. What's your booking number?",
    "We can't exchange a lamp for a chair. Could you give me the order number?",
    "The window of 30 days has passed.",
    "Returns can only be made to the same card, not to another one. What's the order number?",
    "Order #W1234567: pending (not delivered, so a return is not possible). What would you like instead?",
    (
        "Note that the new one must be of the same kind, so a lamp can't be swapped for a chair. What is your order "
        "number?"
    ),
    "The exchange of the lamp (1234567890) cannot go through now, as a return was requested.",
    "The status no longer allows exchanges.",
    "That prevents me from making the second change.",
    "No lamps under $40 exist in our stock.",
    "No kettles of that size are available for less than $30.",
    "I couldn't find any direct or one-stop flights on May 3.",
    "A return trip on the same day isn't feasible.",
    "The second change failed because the first one locked further changes.",
    "The upgrade failed: not enough balance on the gift card.",
    "Order #W1234567: could not change the address after the swap.",
    (
        "Cannot take just Ann off the trip - the number of passengers cannot be changed. Shall I cancel ABC123 for a "
        "refund of $300?"
    ),
)


@pytest.mark.parametrize("message", NO_REFUSALS)
def test_a_rule_before_a_look_up_and_what_resembles_a_refusal_refuse_nothing(message: str) -> None:
    """A rule that the agent gives as it asks for data, and a part that only sounds like a refusal, are none."""
    assert Act.REFUSE not in read(message).acts


@pytest.mark.parametrize("message", REFUSALS)
def test_a_rule_that_the_agent_applies_and_a_wish_it_turns_down_are_refusals(message: str) -> None:
    """A rule with the case of the user, and the agent's own no, stay refusals beside a question for data."""
    assert Act.REFUSE in read(message).acts


def _refuses(view: str) -> bool:
    return refuses(view, words_of(view), entry=False)


def _closes(view: str) -> bool:
    return remarks.closes(view, [view], [view])


@pytest.mark.parametrize(
    "search",
    [
        *(remarks.aside, remarks.rule, remarks.supposes, remarks.checks, remarks.beside),
        _closes,
        general,
        without_lookalikes,
        _refuses,
    ],
)
@pytest.mark.parametrize(
    "phrase",
    [
        "without the ",
        "your orders ",
        "if so, ",
        "number of count ",
        "only can ",
        "but outside the ",
        "a1",
        "so if ",
        "no other than ",
        "so a ",
        "prevents from ",
        "failed ",
    ],
)
def test_long_messages_take_linear_time(search: Callable[[str], object], phrase: str) -> None:
    """Ten times the text takes less than forty times as long, where the square would take a hundred times."""

    def seconds(times: int) -> float:
        text = phrase * times
        begun = time.process_time()
        search(text)
        return time.process_time() - begun

    search(phrase)
    short = min(seconds(500) for _ in range(3))
    long = min(seconds(5000) for _ in range(3))
    assert long < 40 * short + 0.05
