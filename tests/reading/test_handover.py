"""Announcements of a transfer, in the future or as the next step, and sentences that only resemble them."""

import pytest

from env_server.reading import Act, read

ANNOUNCED = (
    "I'll hand you over for that.",
    "I'd now hand you over to a colleague who takes care of it.",
    "In that case a colleague has to decide, so I'd hand you over.",
    "I'd be passing you on to a colleague.",
    "People have to settle that, so I'm handing you over now.",
    "Once an order is two hours late, a colleague has to sort it out, so I'd hand you over.",
    "I'll pass you to a colleague for the second flight.",
    "A human agent has to take care of it, and I'll transfer you.",
    "That's for my colleagues, and I'll transfer you to them.",
    "I would put you through to somebody from our team.",
    "I'd have to transfer you to a human agent for that.",
    "I'll need to escalate this to a supervisor.",
    "You'd be handed over to a colleague.",
    "I'd pass it on to one of my colleagues.",
    "I can't do that myself, so let me get a colleague to take over.",
    "This is one for my colleagues, and I'd put you in touch with them.",
    "I'd like to hand this over to a specialist.",
    "It takes a person to sort that out; I'll connect you right away.",
    "We'd hand your case to a colleague.",
)
NOT_ANNOUNCED = (
    "I won't hand you over.",
    "I'd rather not hand you over to a colleague.",
    "There's no need to hand you over.",
    "If it fails, I'd hand you over to a colleague.",
    "First I'll verify you, then I'll put you through to them.",
    "I'll hand you over to them once your bag is sorted.",
    "How should the courier hand it over?",
    "I'd put you on Dr. Adams's waitlist.",
    "I'd be putting you down with Dr. Lilja Reinholt.",
    "Are you happy for me to put that through?",
    "You said I'd hand you over to a colleague.",
    "A colleague handed you over to me.",
    "I'll transfer the points to your account.",
    "I'd move you over to flight KS1.",
    "I'll send it to your agent.",
    "I'd put you up for the later visit with the nurse.",
    "I'll get you through this.",
    "I'll get a colleague's discount in for you.",
    "I'd bring the colleague a note.",
    "A colleague will take over the parcel's delivery.",
    "I'll send your request to the clinic team.",
    "I'll send it to the pharmacy team.",
    "I'll send you over a receipt by e-mail.",
    "I'd get you through to Seattle on time.",
    "I'd get you over to the new one right away.",
    "I'd get you across town in time.",
    "I'd bring in a person to handle the boxes.",
    "I'd send it on to the person you named.",
    "I'd pass the note along to the kitchen team.",
    "I'd get you along cheaper.",
    'The note says "I\'d hand you over to a colleague".',
)
MORE = (
    "Is there anything else before I hand you over?",
    "Before I do: is there anything else I should take care of first?",
    "Do you need anything else from me before that?",
    "Anything else before I do that?",
    "Before I do, is there anything else you need?",
)


@pytest.mark.parametrize("said", ANNOUNCED)
def test_a_transfer_as_the_next_step_is_read(said: str) -> None:
    """A transfer is announced in many words, and the question before it is for further wishes."""
    assert read(said).hands_over
    for question in MORE:
        reading = read(f"{said} {question}")
        assert reading.hands_over
        assert reading.acts & {Act.CLOSE, Act.ASK} == {Act.CLOSE}
    assert read(f"{said} Is that all right?").offers_transfer


def test_a_question_for_a_transfer_needs_no_people() -> None:
    """`Shall I put you through?` offers a transfer, and `Shall I put you on the list?` does not."""
    for question in (
        "Shall I put you through?",
        "Would you like me to hand you over?",
        "Should I pass you on to them?",
    ):
        assert read(question).offers_transfer
    for question in ("Shall I put you on the waitlist?", "Shall I put that through?", "Shall I hand it over?"):
        assert not read(question).offers_transfer


@pytest.mark.parametrize("said", NOT_ANNOUNCED)
def test_no_transfer_is_imagined(said: str) -> None:
    """Conditions, negations, quotations, the past and other things that are handed over announce no transfer."""
    assert not read(said).hands_over


def test_a_question_before_another_step_is_no_question_before_a_transfer() -> None:
    """`Before I do that` is about the proposal beside it, if there is no transfer."""
    reading = read("I will cancel order #W1. Is there anything you would like to add before I do that?")
    assert not reading.hands_over
    assert Act.CLOSE not in reading.acts


@pytest.mark.parametrize(
    "said",
    [
        "I'll send your request to the clinic team.",
        "I'll forward this to the kitchen team.",
        "I'll send you over a receipt by e-mail.",
        "I'd get you through to Seattle on time.",
        "I'd get you over to the new one right away.",
        "I'd bring in a person to handle the boxes.",
    ],
)
def test_a_question_for_a_yes_to_a_change_stays_one(said: str) -> None:
    """A sentence that hands something over does not make the question for a change one for a transfer."""
    reading = read(f"I will cancel order #W1. {said} Shall I go ahead?")
    assert reading.consent
    assert Act.PROPOSE in reading.acts
    assert not reading.offers_transfer
    assert not reading.hands_over
    reading = read("I'm not able to change that myself. I'd hand you over to a colleague. Shall I go ahead?")
    assert reading.offers_transfer
    assert not reading.consent


@pytest.mark.parametrize(
    ("said", "waits"),
    [
        ("If one of you stays home, or you'd like four on this one, just tell me who and I'll get on with it.", False),
        ("Let me know which one, and I'll check it.", False),
        ("I'll get on with it now.", True),
        ("Just tell me which one and I'll check it. One moment.", True),
        ("One moment, I'll check it and let you know.", True),
    ],
)
def test_what_follows_an_answer_asks_for_no_patience(said: str, waits: bool) -> None:
    """An agent that first needs an answer does not ask the user to wait."""
    assert read(said).waits is waits
