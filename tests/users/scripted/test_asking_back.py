"""Acts in doubt: the user asks whether the agent wants a yes, has done it, or means no."""

import pytest

from env_server.reading import Act, read
from tests.users.scripted.test_user import CANCEL, agrees
from tests.users.talks import Talk, task_of

IN_DOUBT = (
    "cancelling #W1234567 - no longer needed, nod?",
    "Waiting for your word to cancel order #W1234567, no longer needed.",
    "Cancelling #W1234567 because it is no longer needed - nod?",
)
FILLED = (
    "I'd cancel order {} because it is no longer needed. Shall I go ahead? How about the subtotal? Any options were"
    " checked. Look up anything you need or ask about which was done already."
)
"""A proposal that the rules hear, with words around it that speak against one."""


def asked(message: str) -> Talk:
    """Return a conversation after a proposal in doubt, to which the user has not agreed."""
    assert Act.PROPOSE in read(message).doubted
    talk = Talk(task_of(CANCEL))
    assert not agrees(talk.agent(message))
    assert talk.last.notes["asked_yes"] == [[0, 0]]
    return talk


@pytest.mark.parametrize("message", IN_DOUBT)
@pytest.mark.parametrize(
    "answer",
    [
        *("Yes, please.", "Yes.", "Correct, I need your yes.", "That's right.", "Okay.", "Sorry, yes.", "I do."),
        *("Shall I go ahead?", "Yes. May I proceed?", "Yes, I need your explicit confirmation to proceed."),
    ],
)
def test_the_user_agrees_when_the_agent_says_so(message: str, answer: str) -> None:
    """A plain yes to the question, or a bare question for a yes, gets a yes."""
    assert agrees(asked(message).agent(answer))


@pytest.mark.parametrize(
    "answer",
    [
        "Certainly not.",
        "Of course I don't.",
        "Yes, no.",
        "It is sunny today.",
        "Yes, but for order #W7654321.",
        "Yes, with a fee of $40.",
        "Yes, and I will also cancel order #W7654321.",
        "Confirmed customers get 5% off.",
        "Yes. Could you tell me your zip code first?",
        "I am sorry.",
        "I would like to thank you.",
        "Are you sure?",
    ],
)
def test_only_a_plain_yes_is_one(answer: str) -> None:
    """What begins with a yes and goes on, or only begins like one, gets no yes."""
    assert not agrees(asked(IN_DOUBT[0]).agent(answer))


@pytest.mark.parametrize("message", IN_DOUBT)
def test_a_repeated_message_is_no_answer(message: str) -> None:
    """What the rules do not hear gets no yes by being sent again, and the user gives up in the end."""
    talk = asked(message)
    answers = [talk.agent(message) for _ in range(3)]
    assert not any(map(agrees, answers))
    assert Talk(task_of(CANCEL)).until_stop(lambda _: message) < 10


def test_a_proposal_that_the_rules_hear_twice_gets_a_yes() -> None:
    """A proposal that only the words of the message speak against is agreed to when it comes again."""
    message = FILLED.format("#W1234567")
    assert Act.PROPOSE in read(message).opposed
    assert agrees(asked(message).agent(message))


def test_words_around_a_wrong_proposal_hide_nothing() -> None:
    """A wrong value that the rules hear is corrected, and counts as a contradiction."""
    talk = Talk(task_of(CANCEL))
    for _ in range(3):
        assert talk.agent(FILLED.format("#W7654321")).startswith("No")
    assert talk.last.heard is not None
    assert talk.last.heard.contradicted


@pytest.mark.parametrize("message", IN_DOUBT)
@pytest.mark.parametrize(
    "between", ["Yes. Could you tell me your zip code first?", "Sorry, I can't cancel it after all."]
)
@pytest.mark.parametrize("then", ["Yes.", "Shall I go ahead?", "Is that OK?"])
def test_the_question_holds_for_one_message(message: str, between: str, then: str) -> None:
    """After another message neither a bare yes nor a bare question is about the proposal of before."""
    talk = asked(message)
    assert not agrees(talk.agent(between))
    assert "asked_yes" not in talk.last.notes
    assert not agrees(talk.agent(then))


@pytest.mark.parametrize("message", IN_DOUBT)
def test_a_wrong_value_is_not_asked_about(message: str) -> None:
    """A proposal in doubt of another order gets no yes, also not when it is repeated."""
    talk = Talk(task_of(CANCEL))
    for _ in range(2):
        assert not agrees(talk.agent(message.replace("1234567", "7654321")))
        assert "asked_yes" not in talk.last.notes


@pytest.mark.parametrize("idle", [1, 4])
def test_doubts_keep_no_conversation_alive(idle: int) -> None:
    """Messages in doubt with nothing between them move a wish once only."""
    cycle = [IN_DOUBT[0], *["It may rain."] * idle]
    assert Talk(task_of(CANCEL)).until_stop(lambda n: cycle[n % len(cycle)]) < 14


def test_reports_in_doubt_keep_none_alive() -> None:
    """The same holds for reports after a yes."""
    talk = Talk(task_of(CANCEL))
    assert agrees(talk.agent("I'd cancel order #W1234567 because you no longer need it. Shall I go ahead?"))
    cycle = ["gone from the system now, refund of $20 on its way", "It may rain."]
    assert talk.until_stop(lambda n: cycle[n % 2]) < 14


@pytest.mark.parametrize(
    ("answer", "done"),
    [
        ("Yes, it is.", True),
        ("Yes, no problem, it is done.", True),
        ("It is not done yet.", False),
        ("It is still pending.", False),
        ("All done? No.", False),
        ("Gone from the system, yes, but the refund isn't made yet.", False),
    ],
)
def test_only_a_yes_confirms_a_report(answer: str, done: bool) -> None:
    """A no to the question whether it is done settles nothing."""
    talk = Talk(task_of(CANCEL))
    assert agrees(talk.agent("I'd cancel order #W1234567 because you no longer need it. Shall I go ahead?"))
    assert "done" in talk.agent("gone from the system now, refund of $20 on its way").lower()
    talk.agent(answer)
    assert (talk.last.stop or talk.last.notes.get("closed") == {"0": "done"}) == done


def test_a_proposal_in_doubt_is_no_report_of_the_same() -> None:
    """A message that describes what would happen and is in doubt reports nothing: the user asks back."""
    talk = Talk(task_of(CANCEL))
    plan = "I will cancel order #W1234567 because it is no longer needed. It is cancelled right away, and the refund"
    filler = FILLED.partition("ahead? ")[2]
    talk.agent(f"{plan} is issued in 5 days. Do you confirm? {filler}")
    assert "closed" not in talk.last.notes
    assert not talk.last.stop


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


@pytest.mark.parametrize("answer", ["Yes.", "Correct.", "Unfortunately, yes."])
def test_a_yes_means_no(answer: str) -> None:
    """After the question whether that is a no, a plain yes is a refusal without a reason."""
    talk = Talk(task_of(CANCEL))
    talk.agent(NO_IN_DOUBT[1])
    talk.agent(answer)
    assert talk.last.notes["insisted"] == [0]
