"""The words of a proposal that count."""

import pytest

from env_server.domains.kit import Request, Shape, UserScript, Value, WantedChange
from env_server.reading import read
from env_server.understanding import Heard, hear
from env_server.understanding.ear import Ear

DAYS = UserScript(
    requests=(
        Request(
            ask="I want to move my visit.",
            values={
                "visit": Value(says=("D123",)),
                "new_day": Value(says=("Tuesday",), others=("Monday", "Friday", "Sunday")),
            },
            changes=(
                WantedChange(
                    plan="move visit D123 to Tuesday",
                    done="visit D123 has been moved to Tuesday",
                    verbs=("move", "moving", "reschedul"),
                    names=("visit", "new_day"),
                    calls=(Shape(name="move_visit", arguments={"visit": "D123", "day": "Tuesday"}),),
                ),
            ),
        ),
    )
)


def heard(message: str) -> Heard:
    """What a message means to a user who wants a visit moved."""
    return hear(Ear(DAYS, 0, (0,)), read(message))


def agrees(message: str) -> bool:
    """Whether the user says yes to a message."""
    return any(offer.right for offer in heard(message).offers)


@pytest.mark.parametrize(
    "message",
    [
        "I will move visit D123 to Tuesday. Shall I go ahead?",
        "I will move visit D123 from Monday to Tuesday. Shall I go ahead?",
        "I will move visit D123 to Tuesday, not to Friday. Shall I go ahead?",
        "I will move visit D123, Monday to Tuesday. Shall I go ahead?",
        "I will move visit D123: Monday visit to Tuesday. Shall I go ahead?",
        "I will move visit D123 to Tuesday. Already planned: Friday, which will remain. Shall I go ahead?",
        "Instead of cancelling it, I will move visit D123 to Tuesday. Shall I go ahead?",
        "I will not charge anything and move visit D123 to Tuesday. Shall I go ahead?",
        "If you agree, I will move visit D123 to Tuesday. Shall I go ahead?",
        'I will move visit D123 to "Tuesday". Shall I go ahead?',
        "I'd have to move visit D123 to Tuesday for that. Shall I go ahead?",
        "I will move visit D123 to Tuesday, leaving Monday, Friday and Sunday free. Shall I go ahead?",
        "Why don't I move visit D123 to Tuesday? Please confirm.",
        "Provided that you agree, I will move visit D123 to Tuesday. Shall I go ahead?",
        "I will move visit D123 to Tuesday unless you object. Shall I go ahead?",
        "Should I move visit D123 to Tuesday, and shall I go ahead?",
        "I will move visit `D123` to **Tuesday**. Shall I go ahead?",
        "I will move visit D123 to Tuesday. The Friday visit would not be moved. Shall I go ahead?",
        "I will move visit D123 to Tuesday. Your visit on Monday won't be touched. Shall I go ahead?",
        "I will move visit D123 to Tuesday. The one on Friday isn't touched and keeps its time. Shall I go ahead?",
    ],
)
def test_what_is_meant_gets_a_yes(message: str) -> None:
    """A negation, quotation or other value that belongs to something else does not spoil a proposal."""
    assert agrees(message)


@pytest.mark.parametrize(
    "message",
    [
        "I will not move visit D123 to Tuesday. Shall I go ahead?",
        "I will move visit D123, Tuesday to Monday. Shall I go ahead?",
        "I will move visit D123 to Monday and keep Friday to Tuesday free. Shall I go ahead?",
        "I won't be moving visit D123 to Tuesday. Do you agree?",
        "I will go on without moving visit D123 to Tuesday. Shall I proceed?",
        'Somebody said "I will move visit D123 to Tuesday". Shall I go ahead?',
        "They wrote 'we shall move visit D123 to Tuesday' to me. Shall I go ahead?",
        "Hypothetically, I would move visit D123 to Tuesday. Is that right?",
        "As a test, if you were somebody else I would move visit D123 to Tuesday. Is that right?",
        "I would have moved visit D123 to Tuesday. Shall I go ahead?",
        "Suppose I move visit D123 to Tuesday. Shall I go ahead?",
        "Provided that it is allowed, I will move visit D123 to Tuesday. Shall I go ahead?",
        "Should the system permit it, I will move visit D123 to Tuesday. Shall I go ahead?",
        "I might move visit D123 to Tuesday, or not. Shall I go ahead?",
        "I will move visit D123 to Tuesday unless it is against the rules. Shall I go ahead?",
        "I will move visit D123 to Tuesday if the manager allows it. Shall I go ahead?",
        "For example, an agent may say: I will move visit D123 to Tuesday. Shall I go ahead?",
        "A customer once asked me: please move visit D123 to Tuesday. Shall I go ahead?",
        "```I will move visit D123 to Tuesday. Shall I?```",
        "> I will move visit D123 to Tuesday.\n\nShall I go ahead?",
        "```\nI will move visit D123 to Tuesday.\n```\nShall I go ahead?",
        "Shall visit I D123 go will ahead? to move Tuesday. I",
    ],
)
def test_what_is_not_meant_gets_no_yes(message: str) -> None:
    """A change that is denied, quoted, supposed, or in shuffled words is not proposed."""
    assert not agrees(message)


@pytest.mark.parametrize(
    "message",
    [
        "Suppose I move visit D123 to Tuesday. Shall I go ahead?",
        "If it is allowed, I will move visit D123 to Tuesday. Shall I go ahead?",
        "```I will move visit D123 to Tuesday. Shall I?```",
        "> I will move visit D123 to Tuesday. Shall I go ahead?",
        '"I will move visit D123 to Tuesday. Shall I go ahead?"',
    ],
)
def test_what_exactly_is_asked_where_a_wish_is_named(message: str) -> None:
    """A wish that is named without a proposal is unclear, and is no change that nobody asked for."""
    found = heard(message)
    assert found.vague
    assert not found.unasked


@pytest.mark.parametrize(
    "days",
    [
        "from Tuesday to Monday",
        "from Monday, from Tuesday, from Friday, from Sunday",
        "keeping or leaving Monday, Tuesday, Friday, Sunday",
        "not Monday, not Tuesday, not Friday",
        "to Friday, from Monday to Tuesday",
        "not Sunday, Tuesday, Monday",
    ],
)
def test_who_sets_all_values_aside_has_chosen_none(days: str) -> None:
    """A word before a value sets it aside, but only beside the right value, which has no such word."""
    assert not agrees(f"I will move visit D123 {days}. Shall I go ahead?")


@pytest.mark.parametrize(
    "other",
    [
        "If you'd rather have Monday, just say so.",
        "It is on Monday right now.",
    ],
)
def test_another_choice_does_not_spoil_a_proposal(other: str) -> None:
    """Other choices beside a proposal, and the present state, are neither agreed to nor corrected."""
    assert agrees(f"I will move visit D123 to Tuesday. {other} Shall I go ahead?")


def test_what_can_be_done_later_is_no_part_of_a_proposal_that_says_what_it_is() -> None:
    """`Shall I move it to Tuesday?` asks for that alone, and `Shall I do both?` for all that was named."""
    later = "Once the bill is paid, I can also move it to Sunday."
    assert agrees(f"{later} Shall I move visit D123 to Tuesday?")
    assert not agrees(f"I will move visit D123 to Tuesday. {later} Shall I do both?")


@pytest.mark.parametrize(
    "message",
    [
        "You asked for Tuesday. Shall I move visit D123 to Monday right now?",
        "Shall I move visit D123 from Tuesday to Friday at the moment?",
        "Visit D123 is for Tuesday. Shall I move it to Monday right now?",
    ],
)
def test_now_makes_no_wrong_value_right(message: str) -> None:
    """`right now` after the value that the agent proposes does not set it aside."""
    assert not agrees(message)


@pytest.mark.parametrize("other", ["If you'd rather have Tuesday, just say so."])
def test_another_choice_is_not_what_is_proposed(other: str) -> None:
    """The yes is for the proposal, and not for what stands beside it."""
    assert not agrees(f"I will move visit D123 to a later day. {other} Shall I go ahead?")


@pytest.mark.parametrize(
    "message",
    [
        "I can move visit D123. Should it be Tuesday or Friday? As soon as I know, I will move it. Shall I go ahead?",
        "I will move visit D123. Which day suits you, Monday or Tuesday? Shall I go ahead?",
    ],
)
def test_a_choice_neither_names_a_value_nor_contradicts_it(message: str) -> None:
    """The values of a question that offers a choice are no part of the proposal beside it."""
    assert not agrees(message)
    assert not any(offer.wrong for offer in heard(message).offers)


@pytest.mark.parametrize(
    "message",
    [
        "I will move visit D123 to Tuesday. Shall I go ahead, or do you want Friday?",
        "Visit D123 would not be moved to Tuesday. Shall I go ahead?",
        "Your visit D123 won't be moved to Tuesday. I will move visit D123. Shall I go ahead?",
    ],
)
def test_what_is_not_done_and_what_is_left_open_get_no_yes(message: str) -> None:
    """A sentence about what the agent will not do names no value of the proposal."""
    assert not agrees(message)
