"""Which wish a question is about: the one that it, or the words before it, name; and which device it is."""

import pytest

from env_server.domains.kit import OwnCheck, Request, Task, UserScript, WantedChange
from env_server.domains.telecom.instructions import orders
from env_server.users.scripted import naming, topics
from tests.users.scripted.test_user import CANCEL, PROPOSAL, agrees
from tests.users.talks import Talk, task_of

SEAT = Request(
    ask="I want another name in place of a passenger's.",
    details={"reservation": "The seat is on BBBBB2.", "passenger": "Bo Haas (born 1980-06-01) flies."},
    changes=(WantedChange(plan="replace Bo", done="Bo is on", verbs=("replac", "chang")),),
)
BAGS = Request(
    ask="I want suitcases added to my booking.",
    details={"reservation": "The suitcases go on CCCCC3.", "bag": "Two bags more.", "payment": "Use my visa card."},
    changes=(WantedChange(plan="add 2 bags", done="2 bags are added", verbs=("add", "chang")),),
)
FLIGHT = Request(
    ask="I want one of my flights moved.",
    details={"reservation": "The flight is on AAAAA1.", "flight": "KS1 it is.", "payment": "Use my gift card."},
    changes=(WantedChange(plan="move the flight to KS1", done="it is moved", verbs=("mov", "chang")),),
)


def airline() -> Talk:
    """Return a talk with a user who has brought up three wishes."""
    script = UserScript(facts={"name": "Ada Haas"}, requests=(FLIGHT, SEAT, BAGS), at_once=True)
    return Talk(Task(task_id="t", domain="airline", instruction="Do.", user=script))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Let's begin with the suitcases. Which reservation is that for?", "CCCCC3"),
        ("Now the bags. Which booking are they for?", "CCCCC3"),
        ("First, the passenger change. Which reservation is it?", "BBBBB2"),
        ("The passenger change. On which reservation is that?", "BBBBB2"),
        ("As for the luggage: which reservation is it on?", "CCCCC3"),
        ("Next, the passenger change. Happy to help. Which reservation is that on?", "BBBBB2"),
        ("Let's take the flight first. Which reservation is it?", "AAAAA1"),
        ("Let's take these one at a time. Which reservation is it?", "AAAAA1"),
        ("I can help with all of these. Which reservation is it for the flight?", "AAAAA1"),
        ("The passenger change comes later. Which reservation is the flight on?", "AAAAA1"),
    ],
)
def test_a_question_is_about_the_wish_that_the_words_before_it_name(said: str, told: str) -> None:
    """A heading names the wish of the next question; without one, the question is about the current wish."""
    answer = airline().agent(said)
    assert [code for code in ("AAAAA1", "BBBBB2", "CCCCC3") if code in answer] == [told]


def test_after_a_report_a_question_is_about_the_next_wish() -> None:
    """A message that settles the current wish and asks for a detail asks for the next wish's."""
    talk = airline()
    assert agrees(talk.agent("I will move the flight to KS1. Shall I go ahead?"))
    answer = talk.agent("Your flight has been moved to KS1. Next, the passenger change. Which reservation is it on?")
    assert "BBBBB2" in answer
    assert "AAAAA1" not in answer


def test_a_detail_of_the_current_wish_alone_is_told_under_any_heading() -> None:
    """A question for something that the named wish does not have is about a wish that has it."""
    assert "KS1 it is." in airline().agent("Now the passenger. And which flight do you want?")


def test_wishes_are_named_by_action_and_own_words() -> None:
    """An action of several wishes is told apart by the words of one; without such words it names none."""
    script, wishes = UserScript(requests=(FLIGHT, SEAT, BAGS)), (0, 1, 2)
    assert naming.named(script, wishes, "shall i change the suitcases?") == 2
    assert naming.named(script, wishes, "what would you like to change?") is None
    assert naming.another(script, wishes, 0, "which suitcases would you like to change?") == 2
    assert naming.another(script, wishes, 0, "which flights would you like to change?") is None


def test_a_traveller_is_a_passenger() -> None:
    """Words for one role in the vocabulary mean the same person."""
    for question in (
        "First name, last name, and date of birth of the new traveler?",
        "What's the new traveller's full name?",
        "Which passenger is to be replaced, and what is the date of birth of the new traveller?",
    ):
        assert Talk(task_of(SEAT)).agent(question) == SEAT.details["passenger"]


SLOW = Request(
    ask="I want fast internet on my phone.",
    details={"travel": "I am at home."},
    until=OwnCheck(name="run_speed_test", arguments={}, says="excellent"),
)


@pytest.mark.parametrize(
    "question",
    [
        "Which phone or line is it?",
        "Which line is it, or which phone are you using?",
        "What device is it about, please?",
        "Which of your lines has the trouble?",
        "Which line or phone do you mean?",
    ],
)
def test_which_device_it_is_asks_for_no_phone_number(question: str) -> None:
    """A user whose device shows the fault says that it is the one at hand, and does not identify themselves."""
    talk = Talk(task_of(SLOW, unknown=("phone",)))
    answer = talk.agent(question)
    assert answer
    assert not any(word in answer for word in ("remember", "Ada", "fast internet"))


@pytest.mark.parametrize(
    "question", ["What is the phone number on your account?", "Which phone number do you have with us?"]
)
def test_the_phone_number_is_still_asked_for(question: str) -> None:
    """A question for the number gets the usual answer."""
    assert "I do not remember my phone number." in Talk(task_of(SLOW, unknown=("phone",))).agent(question)


@pytest.mark.parametrize(
    "question",
    ["which line would you like to suspend?", "which line of the bill is it?", "which number should i call?"],
)
def test_not_every_line_is_the_device_at_hand(question: str) -> None:
    """Choices of the user, lines of a bill and numbers to call are no question for the device."""
    assert not topics.asks_which_device(question)


@pytest.mark.parametrize(
    "said",
    [
        "The refund can go to your Visa card or to your gift card. Which would you prefer?",
        "Your money can go to the visa card or the gift card. Which one would you like, and shall I proceed?",
    ],
)
def test_a_choice_is_made_between_what_was_offered(said: str) -> None:
    """The user tells the detail that the choice is about, and not another one that is left."""
    cabin = Request(
        ask="I want another cabin.", details={"flight": "Same flights.", "payment": "My visa card is the one."}
    )
    answer = Talk(task_of(cabin)).agent(said)
    assert "My visa card is the one." in answer
    assert "Same flights." not in answer


def test_a_request_for_a_detail_beside_one_for_a_yes_gets_both() -> None:
    """`Could you tell me which order it is ...? Shall I go ahead?` gets the order and the yes."""
    answer = Talk(task_of(CANCEL)).agent(f"Could you please tell me why you cancel order #W1234567? {PROPOSAL}")
    assert agrees(answer)


@pytest.mark.parametrize(
    ("said", "looks"),
    [
        ("You've got a VPN on, what does it say about its performance?", ["check_vpn_status"]),
        ("Data saver is on, what is its setting?", ["check_data_restriction_status"]),
        ("You've got a VPN on, how does that sound?", []),
        ("Your plan is unlimited, what does it say on the bill?", []),
    ],
)
def test_a_question_about_what_the_sentence_has_stated_is_a_look(said: str, looks: list[str]) -> None:
    """`It` in a question means the setting that the same sentence has stated."""
    assert [order.tool for order in orders(said)] == looks
