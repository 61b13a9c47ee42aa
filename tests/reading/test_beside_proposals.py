"""What stands beside a fixed proposal takes its yes away only if it leaves open what the yes would begin."""

import time

import pytest

from env_server.reading import Act, read
from env_server.reading.sentences import proposals
from env_server.reading.sentences.consent import asked, choices, later, lookups, other_questions
from env_server.reading.sentences.patterns import words_of

PLAN = "I'd move trip ABC123 to March 30 at 10:00. Shall I go ahead?"
NAMED = "Shall I cancel the order with the brass lamp?"

AFTERWARDS = [
    "I'd like to confirm this with you before proceeding.",
    "I'll share the confirmation with you afterwards.",
    "Once you give me the go-ahead, I'll confirm the details by email.",
    "Once you tell me yes, I'll confirm all details by email.",
    "Then I'll request the prior authorization for you.",
    "I'll process it and then go over the refill with you.",
    "After this one I'll present the refill for your approval.",
    "I'll send the return label to you to print.",
    "I'll check with you if anything goes wrong.",
    "I'll do it and confirm it with you.",
    "I'll get your confirmation and then process it.",
    "I'll send you the receipt for your review.",
    "Then I'd ask for your approval of the second change.",
    "After that, I'll search for options for the other trip.",
]
OTHER_QUESTIONS = [
    "Pick one and reply: YES or NO.",
    "Simply reply with your choice: yes or no.",
    "Which request would you like to do next?",
    "Which one would you like to tackle next?",
    "What would you like to change in the other order?",
    "What would you like to do after that?",
    "What shall we look at next?",
    "Should I check your other request after that?",
    "Would you like me to check anything else?",
    "Do you agree? Or do you have questions?",
    "Or would you like me to stop here?",
    "Or do you need more time?",
    "Or would you rather I didn't?",
    "Or would you like to hear the other options first?",
    "Or shall we skip it?",
    "I'd use one of your cards (e.g., Visa 1234).",
    "Should the refund go to your card or to your gift card?",
    "Do you want the refund on your card or as credit?",
]
FIXED = [
    "I'll list the details and ask for your confirmation. I'd move trip ABC123 to May 4. Shall I go ahead?",
    "I'll deliver order #W123 to your preferred address, 5 Oak St. Okay?",
    "I'll move the visit to your preferred time, May 5 at 10 AM. Shall I go ahead?",
    "I'll put you on your selected flight, HAT001 on May 5. Shall I book it?",
    "I'll send your chosen lamp, brass (1234567890). Shall I order it?",
    "I'd move ABC123 to May 4 for $20. Should I charge your card or your account, and shall I make the change?",
    "I'd move ABC123 to May 4 for $20. To which card should I charge it, and shall I go ahead?",
    "I'll change the lamp in #W1 to brass. These are its only items, so I take it that the list is complete. OK?",
]
OPEN_AFTER = [
    "Or which flight would you like?",
    "Otherwise, which flight would you like?",
    "Or would you rather exchange it?",
    "Or should I exchange it instead?",
    "Would you like a refund or an exchange?",
    "What would you like to do next?",
    "Which of the other options would you like?",
    "I'll list the exact total and get your approval before proceeding.",
]
OPEN = [
    "Should I take the first flight or refund it to your card, and shall I go ahead?",
    "Should it be an exchange or a refund to your card, and shall I go ahead?",
    "Should I charge the card or cancel it, and shall I go ahead?",
    "What should I change for the refund, and shall I go ahead?",
    "Once you confirm, I'll do it. Please tell me the reason and which flight you want.",
    "Once you confirm, I'll do it. Should I cancel it for a refund or change it?",
    "Once you confirm, I'll do it. HAT001 or HAT002 - same refund either way?",
    "Once you confirm, I'll do it. Shall the refund be for the lamp or the kettle?",
    "Please send:\n- HAT001 or HAT002\n- Reply YES to confirm",
    "Please send:\n- what departure suits you\n- yes to proceed",
    "Please send:\n- Reply YES to confirm\n- Your preferred flight",
]


@pytest.mark.parametrize("said", [*AFTERWARDS, *OTHER_QUESTIONS])
@pytest.mark.parametrize("proposal", [PLAN, NAMED])
def test_what_follows_the_change_takes_no_yes_away(proposal: str, said: str) -> None:
    """What the agent will do afterwards, another wish, the payment and the opposite answer leave the change fixed."""
    assert Act.PROPOSE in read(f"{proposal} {said}").acts


@pytest.mark.parametrize("message", FIXED)
def test_what_is_named_after_all_is_fixed(message: str) -> None:
    """A preferred thing with its value is no choice, and neither is one of several ways to pay."""
    assert Act.PROPOSE in read(message).acts


@pytest.mark.parametrize("said", OPEN_AFTER)
def test_what_opens_the_change_again_takes_the_yes_away(said: str) -> None:
    """Another change as the other answer, a choice or a further yes before the change."""
    assert Act.PROPOSE not in read(f"{PLAN} {said}").acts


@pytest.mark.parametrize("said", OPEN)
def test_the_payment_or_the_reason_hides_no_choice(said: str) -> None:
    """A question that mentions the card, the refund or the reason may still ask for the change."""
    assert Act.PROPOSE not in read(f"I can change the flight in ABC123 to HAT001 on May 5. {said}").acts


def test_values_beside_a_message_are_part_of_its_text() -> None:
    """A value that contradicts the message cannot stand beside it unseen, and questions there are heard."""
    said = read('{"message": "I will cancel the order with the lamp. Shall I go ahead?", "order_id": "#W9999999"}')
    assert Act.PROPOSE in said.acts
    assert "#w9999999" in said.text
    asks = '{"message": "I will cancel order #W1. Shall I go ahead?", "question": "Which item would you like instead?"}'
    assert Act.PROPOSE not in read(asks).acts
    done = read('{"message": "I have cancelled order #W1.", "order_id": "#W1", "note": "The refund takes some days."}')
    assert Act.CLAIM in done.acts


@pytest.mark.parametrize(
    "part",
    ["or would you ", "or which flight ", "which card should i charge ", "how would you like to pay ", "refund or ",
     "your preferred time, ", "your chosen a b ", "i'll get your yes before ", "after that ", "in the other ",
     "a refund or an exchange ", "the reason and which ", "shall i cancel the ", "which next ", "hat001 or ",
     "should i charge a or "],
)  # fmt: skip
def test_long_repetitions_are_read_in_linear_time(part: str) -> None:
    """Four times the text takes less than eight times as long, beside a hundredth of a second."""

    def spent(length: int) -> float:
        view = (part * length)[:length]
        words = words_of(view)
        best = 9.0
        for _ in range(3):
            began = time.process_time()
            later.asks_again(view, exact=True)
            choices.of_next_wish(view)
            choices.or_else(view + "?")
            choices.unsettled(view)
            other_questions.either(view + "?")
            proposals.reasoned(view + "?")
            lookups.asked(view + "?")
            asked.asks_for_yes(view + "?", words)
            best = min(best, time.process_time() - began)
        return best

    assert spent(8000) < 8 * spent(2000) + 0.01
