"""Messages without a verb: what the user asks about them fits."""

import pytest

from env_server.users.scripted.phrases import _BANKS
from tests.users.scripted.test_user import CANCEL, PROPOSAL
from tests.users.talks import Talk, task_of

THROUGH = "Yes, please put me through."
TO_PEOPLE = CANCEL.model_copy(update={"details": {**CANCEL.details, "transfer": THROUGH}})


@pytest.mark.parametrize(
    "message",
    ["-> human agent", "Order #W1234567 shipped -> human agent.", "Transfer: yes", "Next: transfer to human agent."],
)
def test_the_user_asks_about_a_transfer(message: str) -> None:
    """A fragment about people gets the question whether it is a transfer, and a plain yes to it is the announcement."""
    wants, stays = Talk(task_of(TO_PEOPLE)), Talk(task_of(CANCEL))
    for talk in (wants, stays):
        assert talk.agent(message) in _BANKS["transfer?"]
    assert THROUGH in wants.agent("Yes.")
    assert stays.agent("Yes.") in _BANKS["stay"]


def test_the_question_about_a_transfer_holds_for_one_message() -> None:
    """After another message a yes is about nothing."""
    talk = Talk(task_of(TO_PEOPLE))
    talk.agent("-> human agent")
    talk.agent("Your order is pending.")
    assert THROUGH not in talk.agent("Yes.")


@pytest.mark.parametrize("message", ["Transfer -> human agent?", "Human agent: ok?", "Transfer you to a human agent?"])
def test_a_question_in_a_fragment_offers_a_transfer(message: str) -> None:
    """The user says at once whether they want it."""
    assert THROUGH in Talk(task_of(TO_PEOPLE)).agent(message)
    assert Talk(task_of(CANCEL)).agent(message) in _BANKS["stay"]


@pytest.mark.parametrize("message", ["#W1234567 -> cancelled.", "Status: pending -> cancelled"])
def test_the_user_asks_whether_what_it_agreed_to_is_done(message: str) -> None:
    """After the yes, a fragment with the action of the change gets the question whether it is done; before it, none."""
    talk = Talk(task_of(CANCEL))
    assert talk.agent(message) not in _BANKS["done?"]
    talk.agent(PROPOSAL)
    assert talk.agent(message) in _BANKS["done?"]
    talk.agent("Yes.")
    assert talk.last.stop


@pytest.mark.parametrize(
    "message",
    [
        "I am cancelling it now.",
        "The cancellation failed, sorry.",
        "Thanks! Cancelling it means a refund of $40.",
        "Great! Cancelling order #W1234567...",
        "The cancellation of order #W1234567 is next.",
        "Order #W1234567 will be cancelled soon.",
        "The cancellation of order #W1234567 did not go through.",
    ],
)
def test_a_plan_or_a_failure_is_no_report_to_ask_about(message: str) -> None:
    """The user does not ask whether it is done, and a yes that follows reports nothing."""
    talk = Talk(task_of(CANCEL))
    talk.agent(PROPOSAL)
    assert talk.agent(message) not in _BANKS["done?"]
    talk.agent("Certainly, let me check that.")
    assert not talk.last.stop


@pytest.mark.parametrize(
    "message",
    [
        "Cancellations are only possible while an order is pending, and yours is delivered.",
        "It has been delivered, which rules a cancellation out.",
        "Delivered on May 6, so the window for cancelling has closed.",
    ],
)
def test_the_user_does_not_ask_whether_a_refused_change_is_done(message: str) -> None:
    """After the yes, words that may refuse the change get no question whether it worked."""
    talk = Talk(task_of(CANCEL))
    talk.agent(PROPOSAL)
    assert talk.agent(message) not in _BANKS["done?"]


NOT_DONE = (
    "Yes, I'm on it.",
    "Certainly, let me check that.",
    "Of course! One moment.",
    "Yes, it's being processed.",
    "Yes, please hold.",
    "Yes, I am cancelling it.",
    "Yes, in a minute.",
    "Yes, it failed.",
    "Correct, it failed.",
    "That's right, it was refused.",
    "I'm afraid so.",
    "Absolutely impossible.",
    "Yes, it was delivered, so it cannot be cancelled.",
    "Yes. Unfortunately it did not work.",
    "Yes, if you confirm.",
    "Yes, your order can be cancelled.",
    "Yes, it will be.",
)


@pytest.mark.parametrize("answer", NOT_DONE)
def test_a_yes_that_is_no_report_settles_nothing(answer: str) -> None:
    """To the question whether it is done, an answer that means not done, or not yet, is no report."""
    talk = Talk(task_of(CANCEL))
    talk.agent(PROPOSAL)
    assert talk.agent("#W1234567 -> cancelled.") in _BANKS["done?"]
    talk.agent(answer)
    assert talk.last.heard is not None
    assert not talk.last.stop
    assert not (*talk.last.heard.confirmed, *talk.last.heard.heard.claims)


@pytest.mark.parametrize(
    "answer",
    ["Yes, that worked.", "It worked.", "Yes, all good.", "Yes. The refund will come soon.", "It has just been done."],
)
def test_a_plain_yes_or_a_report_settles_the_change(answer: str) -> None:
    """To the question whether it is done."""
    talk = Talk(task_of(CANCEL))
    talk.agent(PROPOSAL)
    talk.agent("#W1234567 -> cancelled.")
    talk.agent(answer)
    assert talk.last.stop


SCRATCHED = (
    "#W1234567, no longer needed -> gone. ok?",
    "So I'd scratch #W1234567 for you, as it is no longer needed. Happy with that?",
    "Order #W1234567 then comes off the books, no longer needed. Do you confirm?",
)


@pytest.mark.parametrize("message", SCRATCHED)
def test_the_user_asks_about_a_change_in_unknown_words(message: str) -> None:
    """All values of the wish, and a question for a yes, without its verb: a plain yes to the user's question counts."""
    talk = Talk(task_of(CANCEL))
    assert talk.agent(message) in _BANKS["yes?"]
    assert talk.agent("Yes.") in _BANKS["yes"]


@pytest.mark.parametrize(
    "message",
    [
        "#W7654321, no longer needed -> gone. ok?",
        "Shall I return #W1234567 as no longer needed?",
        "I wouldn't scratch #W1234567, no longer needed. Okay?",
        "Perhaps we scratch #W1234567, no longer needed, if it were possible. Okay?",
    ],
)
def test_another_value_or_action_is_no_change_in_unknown_words(message: str) -> None:
    """The user does not ask whether a yes is needed, and a plain yes of the agent moves nothing."""
    talk = Talk(task_of(CANCEL))
    assert talk.agent(message) not in _BANKS["yes?"]
    assert talk.agent("Yes.") not in _BANKS["yes"]


@pytest.mark.parametrize(
    "again",
    [
        "yes, your ok needed. #W1234567, no longer needed, scratch it. do it?",
        "It is, yes, a plain yes from you and I'll see to it: #W1234567, no longer needed.",
        "Yes, waiting for your yes: #W1234567.",
    ],
)
def test_a_yes_to_the_question_may_name_the_change_again(again: str) -> None:
    """An answer that begins with a yes and has only values of the wish is one."""
    talk = Talk(task_of(CANCEL))
    talk.agent(SCRATCHED[1])
    assert talk.agent(again) in _BANKS["yes"]


@pytest.mark.parametrize(
    "again",
    [
        "Yes, but for #W7654321 rather than #W1234567.",
        "Yes, and I will also return #W1234567.",
        "Yes, one moment.",
        "Sorry, I can't scratch #W1234567 after all.",
    ],
)
def test_a_yes_with_another_value_or_action_is_none(again: str) -> None:
    """Another code, another action, or none of the values: the user does not agree."""
    talk = Talk(task_of(CANCEL))
    talk.agent(SCRATCHED[1])
    assert talk.agent(again) not in _BANKS["yes"]


@pytest.mark.parametrize(
    "message",
    [
        "You no longer need order #W1234567. Is that right?",
        "Order #W1234567, no longer needed, will still be delivered. Do you agree?",
    ],
)
def test_what_stays_as_it_is_is_no_change(message: str) -> None:
    """A statement about the present, or about what will stay, announces nothing."""
    assert Talk(task_of(CANCEL)).agent(message) not in _BANKS["yes?"]
