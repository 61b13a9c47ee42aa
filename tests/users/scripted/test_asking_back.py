"""Acts in doubt: the user asks whether the agent wants a yes, or means no."""

import pytest

from env_server.reading import Act, read
from tests.users.scripted.test_user import CANCEL, agrees
from tests.users.talks import Talk, task_of

IN_DOUBT = (
    "yes to cancel #W1234567 as no longer needed?",
    "Waiting for your word to cancel order #W1234567, no longer needed.",
    "Cancelling #W1234567 because it is no longer needed - nod?",
)


def asked(message: str) -> Talk:
    """Return a conversation after a proposal in doubt, to which the user has not agreed."""
    assert Act.PROPOSE in read(message).doubted
    talk = Talk(task_of(CANCEL))
    assert not agrees(talk.agent(message))
    assert talk.last.notes["asked_yes"] == [[0, 0]]
    return talk


@pytest.mark.parametrize("message", IN_DOUBT)
@pytest.mark.parametrize("answer", ["Yes, please.", "Yes.", "Correct, I need your yes.", "Shall I go ahead?", None])
def test_the_user_agrees_when_the_agent_says_so(message: str, answer: str | None) -> None:
    """A yes to the question, a question for a yes, or the same proposal again (None) gets a yes."""
    assert agrees(asked(message).agent(answer or message))


@pytest.mark.parametrize("message", IN_DOUBT)
def test_the_question_holds_for_one_message(message: str) -> None:
    """After another question a bare yes is none to the question of long ago."""
    talk = asked(message)
    assert not agrees(talk.agent("Yes. Could you tell me your zip code first?"))
    assert "asked_yes" not in talk.last.notes
    assert not agrees(talk.agent("Yes."))


@pytest.mark.parametrize("message", IN_DOUBT)
def test_a_wrong_value_is_not_asked_about(message: str) -> None:
    """A proposal in doubt of another order gets no yes, also not when it is repeated."""
    talk = Talk(task_of(CANCEL))
    for _ in range(2):
        assert not agrees(talk.agent(message.replace("1234567", "7654321")))
        assert "asked_yes" not in talk.last.notes


NO_IN_DOUBT = (
    "I'm sorry, but order #W1234567 has already shipped.",
    "Unfortunately the cancellation window ended an hour ago.",
)


@pytest.mark.parametrize("message", NO_IN_DOUBT)
def test_the_user_asks_whether_it_is_a_no(message: str) -> None:
    """A refusal in doubt is none: the user asks about it, and takes the plain refusal that follows as the first."""
    assert Act.REFUSE in read(message).doubted
    talk = Talk(task_of(CANCEL))
    assert "?" in talk.agent(message)
    assert "closed" not in talk.last.notes
    talk.agent("Right, it can't be cancelled because it has shipped.")
    assert "closed" not in talk.last.notes
    talk.agent("I'm afraid not: it can't be cancelled because it has shipped.")
    assert talk.last.stop or talk.last.notes["closed"] == {"0": "refused"}


@pytest.mark.parametrize("message", NO_IN_DOUBT)
def test_a_no_in_doubt_for_ever_ends_the_conversation(message: str) -> None:
    """The user gives up if the agent says nothing plainer."""
    assert Talk(task_of(CANCEL)).until_stop(lambda _: message) < 10
