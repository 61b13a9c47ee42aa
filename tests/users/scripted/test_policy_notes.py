"""Notes on the policy beside a proposal or a question: they refuse nothing. Refusals beside them still do."""

import pytest

from env_server.domains.kit import Request, Shape, Value, WantedChange
from tests.users.scripted.test_user import CANCEL, agrees
from tests.users.talks import Talk, task_of

PLAN = "I will cancel order #W1234567."
CARDS = Request(
    ask="Please delete a card.",
    details={"card": "It is CARD-1.", "default": "CARD-2 instead."},
    values={"card": Value(says=("CARD-1",)), "default": Value(says=("CARD-2",))},
    changes=(
        WantedChange(
            plan="make CARD-2 your default",
            done="CARD-2 is your default",
            verbs=("make", "default"),
            names=("default",),
            calls=(Shape(name="set_default"),),
        ),
    ),
)


@pytest.mark.parametrize(
    "note",
    [
        "I'm only allowed to do this once, so please be sure.",
        "I can only do this once.",
        "Just so you know, I can't undo this afterwards.",
        "I cannot reverse it.",
        "I won't be able to bring it back.",
        "Unfortunately the $5 fee can't be waived.",
        "I'm not allowed to refund it anywhere but your card.",
        "The refund can only go to your original payment method.",
    ],
)
@pytest.mark.parametrize("order", ["{plan} {note} Do you confirm?", "{note} {plan} Do you confirm?"])
def test_a_note_beside_a_proposal_refuses_nothing(note: str, order: str) -> None:
    """The user completes a proposal that lacks a detail, and agrees to a whole one."""
    talk = Talk(task_of(CANCEL))
    assert CANCEL.details["reason"] in talk.agent(order.format(plan=PLAN, note=note))
    assert "insisted" not in talk.last.notes
    assert agrees(talk.agent(order.format(plan=f"{PLAN[:-1]}, no longer needed.", note=note)))


@pytest.mark.parametrize(
    "message",
    [
        "Mind you, I can only change items in an order the once, and then it can't be cancelled any more. I'd "
        "cancel order #W1234567, no longer needed. So is that good to go?",
        "It is, since cancelling can't be taken back with a click. So: out with order #W1234567, no longer needed. Is "
        "that a yes?",
        "I will cancel order #W1234567, since you no longer need it. Once gone it stays gone, mind. That suit you?",
        "I will cancel order #W1234567, no longer needed; there's a $40.00 fee, and no way round that one I'm afraid. "
        "It comes off your card. Happy with that?",
        "That's it exactly, yes, I can't take anything off your list without your word first. It'd be order #W1234567, "
        "no longer needed, to cancel. Just say the word and it's done.",
        "Right, nothing's been cancelled yet. Shall I cancel order #W1234567, as you no longer need it?",
    ],
)
def test_a_chatty_note_beside_a_proposal_refuses_nothing(message: str) -> None:
    """A warning, a fee that stays, or the need for a yes is no refusal; the user agrees."""
    assert agrees(Talk(task_of(CANCEL)).agent(message))


@pytest.mark.parametrize(
    "message",
    [
        "Which order shall I cancel, and why? A certificate won't do for this, I'm afraid.",
        "A gift card can't be used for this. Which order shall I cancel?",
        "It isn't possible without the number, sorry. Which order is it?",
    ],
)
def test_a_note_beside_a_question_for_a_detail_refuses_nothing(message: str) -> None:
    """Asked for a detail, the user tells it, however often, and accepts no refusal."""
    talk = Talk(task_of(CANCEL))
    for _ in range(3):
        assert CANCEL.details["order"] in talk.agent(message)
    assert agrees(talk.agent(f"{PLAN[:-1]}, no longer needed. Do you confirm?"))


@pytest.mark.parametrize(
    "message",
    [
        "Please note that a default cannot be removed, so first I make CARD-2 your default. You agree?",
        "The default cannot be removed, so first I make CARD-2 your default. You agree?",
        "Since a default can't be removed, I would first make CARD-2 your default. Shall I?",
    ],
)
def test_a_reason_for_a_first_step_refuses_nothing(message: str) -> None:
    """A rule that says why something comes first is a part of the proposal."""
    assert agrees(Talk(task_of(CARDS)).agent(message))


@pytest.mark.parametrize(
    "message",
    [
        f"{PLAN} Do you confirm? I can't do that.",
        f"{PLAN} I cannot do it, though. Do you confirm?",
        "I can only do this once, and yours was done in May. Is there anything else?",
        "I can't undo it. Is there anything else?",
        "It was shipped, so I can't reverse it. Any other wishes first?",
        "Order #W1234567 cannot be cancelled, so I'd return it first. Shall I?",
        "I can't reverse it now: it has been shipped. Do you want me to transfer you?",
        "I can't undo this. Shall I open a return for you instead?",
        "I cannot undo this order any more, it has shipped. Shall I look at a return?",
        "A delivered order cannot be cancelled, so first I would need you to return it. Is that okay?",
        "Since delivered orders can't be cancelled, I'd first open a return. Would you like that?",
        "I can't cancel order #W1234567. Which order shall I cancel instead?",
        "It has been shipped, so that's not allowed. Which address should I send the return label to?",
        "It was shipped, and there's no way round that I'm afraid. Is there anything else?",
        "A certificate won't do for this, I'm afraid. Is there anything else?",
        "That's not possible. Would you like me to cancel something else?",
    ],
)
def test_a_refusal_stays_one(message: str) -> None:
    """What the agent cannot do itself, or has ruled out for this user, is refused."""
    talk = Talk(task_of(CANCEL))
    talk.agent(message)
    assert talk.last.heard is not None
    assert talk.last.heard.heard.refusals == (0,)
    talk.agent(message)
    assert talk.last.stop or talk.last.notes["closed"] == {"0": "refused"}
