"""Users whom the agent asks whether it has understood their wish say so, or say the wish again."""

import pytest

from env_server.reading import Act, read
from tests.users.scripted.test_user import CANCEL, PRICE
from tests.users.talks import Talk, task_of

RIGHT = ("right", "correct", "my wish", "understood me", "came for", "the matter", "it is about")


def affirms(answer: str) -> bool:
    """Return whether an answer says that the agent has understood."""
    return any(word in answer.lower().split(". ")[0] for word in RIGHT) and not answer.startswith("No")


@pytest.mark.parametrize(
    "check",
    [
        "You're looking to cancel an order, correct?",
        "Just so I know, you're trying to cancel order #W1234567, right?",
        "It sounds like you're hoping to cancel your order. Is that right?",
        "You're calling to cancel an order, is that correct?",
    ],
)
def test_an_assumption_that_is_right_is_affirmed(check: str) -> None:
    """The user says that it is right, and tells no details; it is no yes to a change."""
    reading = read(check)
    assert not reading.consent
    assert Act.PROPOSE not in reading.acts
    for seed in range(5):
        answer = Talk(task_of(CANCEL), seed=seed).agent(check)
        assert affirms(answer)
        assert "go ahead" not in answer
        assert "longer need" not in answer


@pytest.mark.parametrize(
    ("check", "told"),
    [
        ("You're looking to return a lamp, correct?", "cancel an order"),
        ("You're looking to cancel order #W7654321, correct?", "#W1234567"),
        ("It sounds like you're trying to cancel order #W5555555. Is that right?", "#W1234567"),
    ],
)
def test_an_assumption_that_is_wrong_is_corrected(check: str, told: str) -> None:
    """The user says that it is wrong, and what is right."""
    answer = Talk(task_of(CANCEL)).agent(check)
    assert answer.startswith("No")
    assert told in answer


def test_questions_beside_an_assumption_are_answered() -> None:
    """The user affirms, and tells what else was asked."""
    talk = Talk(task_of(CANCEL))
    answer = talk.agent("You're looking to cancel an order, right? Could you tell me your full name and zip code?")
    assert affirms(answer)
    assert "Ada Haas" in answer
    assert "12345" in answer
    assert "#W1234567" not in answer


def test_a_question_is_a_wish_too() -> None:
    """A user who only has a question affirms that this is what they want to know."""
    assert affirms(Talk(task_of(PRICE)).agent("You're asking about the price of the blue lamp, correct?"))


def test_after_the_affirmation_the_change_still_needs_a_yes() -> None:
    """The user agrees to the proposal that follows, and to nothing before."""
    talk = Talk(task_of(CANCEL))
    talk.agent("You're looking to cancel order #W1234567, correct?")
    assert talk.last.heard is not None
    assert not talk.last.heard.agreed
    answer = talk.agent("I will cancel order #W1234567, since you no longer need it. Shall I go ahead?")
    assert answer.startswith("Yes")
    assert talk.last.heard.agreed


@pytest.mark.parametrize(
    "check",
    [
        "You're interested in a new order, right?",
        "You're hoping to get a better price, correct?",
        "You're calling about an appointment, is that correct?",
        "You're looking to cancel the order of May 5, correct?",
        "You're looking to cancel the order with the lamp, correct?",
    ],
)
def test_an_assumption_in_other_words_is_not_affirmed(check: str) -> None:
    """The user affirms nothing that has words or figures of its own. They tell what it is about."""
    assert not affirms(Talk(task_of(CANCEL)).agent(check))
