"""Questions with two answers to choose from: the user's own, either, or neither known."""

import pytest

from env_server.domains.kit import Request, Shape, Value, WantedChange
from env_server.users.scripted import choices
from env_server.users.scripted.phrases import _BANKS
from tests.users.scripted.test_user import CANCEL
from tests.users.talks import Talk, task_of

VISIT = Request(
    ask="I'd like to book a visit.",
    details={"day": "Some morning of next week.", "payment": "It goes on my visa card.", "reason": "My knee hurts."},
    values={"payment": Value(says=("visa",), others=("gift card",))},
    changes=(
        WantedChange(plan="book a visit", done="it is booked", verbs=("book",), names=(), calls=(Shape(name="book"),)),
    ),
)
ALL = "Which day is it, which payment, and what is the reason?"


def asked(question: str, request: Request = VISIT) -> str:
    """Return the answer of a user who has told all details before."""
    talk = Talk(task_of(request))
    talk.agent(ALL)
    return talk.agent(question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Would you prefer a morning or an afternoon?", VISIT.details["day"]),
        ("Morning or afternoon?", VISIT.details["day"]),
        ("Gift card or visa?", VISIT.details["payment"]),
        ("And should it be paid by the gift card, or on your visa card?", VISIT.details["payment"]),
    ],
)
def test_the_user_names_the_one_that_it_wants(question: str, answer: str) -> None:
    """If the details of the wish have words of one of the answers, the user says them."""
    assert asked(question) == answer


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Should I look you up by account or by case?", "either"),
        ("Would you like a reminder by text or by letter?", "either"),
        ("First floor or second floor?", "either"),
        ("Is it the left side or the right one?", "unsure"),
        ("Did you come by bus or by train?", "unsure"),
    ],
)
def test_the_rest_is_left_to_the_agent(question: str, kind: str) -> None:
    """Without a preference either is fine; a fact that the user does not know they cannot tell."""
    assert asked(question) in _BANKS[kind]


@pytest.mark.parametrize(
    "question",
    [
        "Shall I close your account or delete your card?",
        "Do you agree, yes or no?",
        "Which of the two is it, the first or the second?",
        "Do you have anything to add or not?",
    ],
)
def test_no_change_is_left_to_the_agent(question: str) -> None:
    """A choice between changes that nobody asked for, a yes-or-no question and `which` get no `either is fine`."""
    answer = asked(question)
    assert not any(text in answer for kind in ("either", "unsure") for text in _BANKS[kind])


def test_the_wish_decides_between_two_actions() -> None:
    """Asked whether to do what the user wants or something else, the user says the wish."""
    answers = choices.two("would you rather postpone the order or cancel it?")
    assert answers is not None
    assert choices.chosen(CANCEL, answers, ()) == [CANCEL.ask]


@pytest.mark.parametrize(
    "message",
    [
        "I'd cancel order #W1234567 as no longer needed. Do you want that refund on the visa or as a voucher?",
        "How about I cancel order #W1234567 as no longer needed? Refund on the visa, or as a voucher?",
    ],
)
def test_a_yes_to_an_open_choice_is_none(message: str) -> None:
    """Beside a choice that is open the user does not ask whether the agent wants a yes, so a yes confirms nothing."""
    talk = Talk(task_of(CANCEL))
    talk.agent(message)
    talk.agent("Yes.")
    assert talk.last.heard is not None
    assert talk.last.heard.agreed == ()


PROPOSED = "I will cancel order #W1234567, since you no longer need it. "


@pytest.mark.parametrize(
    "question", ["Should I go ahead or wait?", "Refund to PayPal. Do you confirm, or should I use the gift card?"]
)
def test_a_question_for_a_yes_is_no_choice(question: str) -> None:
    """The user asks whether a yes is wanted, and the agent's yes to that counts."""
    talk = Talk(task_of(CANCEL))
    assert talk.agent(PROPOSED + question) in _BANKS["yes?"]
    talk.agent("Yes.")
    assert talk.last.heard is not None
    assert talk.last.heard.agreed == ((0, 0),)


@pytest.mark.parametrize(
    "question",
    [
        "Should I proceed, or would you like to think about it?",
        "Shall I proceed, or do you have other questions?",
        "Do you agree or disagree?",
        "Should I wait or go ahead now?",
    ],
)
def test_a_yes_is_not_left_to_the_agent(question: str) -> None:
    """To a question for a yes the user does not say that either is fine."""
    assert Talk(task_of(CANCEL)).agent(PROPOSED + question) not in _BANKS["either"]


DETAILS = {
    **CANCEL.details,
    "lamp": "The black desk lamp, for the white one.",
    "day": "From May 20 to May 22.",
    "cabin": "I want to stay in economy.",
}


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Black or white?", "lamp"),
        ("Do you want the white lamp or the black one?", "lamp"),
        ("Would you like to fly on May 20 or on May 22?", "day"),
        ("Is the one you have black or white?", "lamp"),
        ("Did you receive the black one or the white one?", "lamp"),
        ("Are you in economy or basic economy?", "cabin"),
        ("#W7654321 or #W5555555?", "order"),
        ("Should it be #W8835907 or #W8656123?", "order"),
    ],
)
def test_what_the_user_has_said_is_not_left_to_the_agent(question: str, topic: str) -> None:
    """If both answers are words of a detail, or neither is right, the user says the detail."""
    talk = Talk(task_of(CANCEL.model_copy(update={"details": DETAILS})))
    talk.agent("Which order, which lamp, which day, which cabin, and what is the reason?")
    talk.agent("Please tell me all details.")
    answer = talk.agent(question)
    assert DETAILS[topic] in answer
    assert not any(text in answer for kind in ("either", "unsure") for text in _BANKS[kind])
