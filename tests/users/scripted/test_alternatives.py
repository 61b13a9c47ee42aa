"""The scripted user's replies to refusals beside proposals, to summaries, and to announced transfers."""

import re

import pytest

from agent_env_schemas import USER_STOP as STOP
from tests.users.scripted.test_user import CANCEL, MOVE, MOVED, PROPOSAL, agrees, brings_up
from tests.users.talks import Talk, task_of


def test_what_a_refusal_offers_instead_is_taken_at_once() -> None:
    """A refusal with its reason, and with the right alternative proposed, gets a yes to the alternative."""
    instead = MOVE.model_copy(update={"instead": True})
    refusal = "I cannot cancel the order, because it was delivered. "
    answer = Talk(task_of(CANCEL, instead)).agent(refusal + MOVED)
    assert brings_up(answer, MOVE)
    assert any(agrees(part) for part in re.split(r"(?<=[.?]) ", answer))
    other = Talk(task_of(CANCEL, instead)).agent(refusal + MOVED.replace("1 Elm Lane", "9 Oak Lane"))
    assert brings_up(other, MOVE)
    assert not any(agrees(part) for part in re.split(r"(?<=[.?]) ", other))


def test_a_limit_of_what_is_proposed_is_no_refusal() -> None:
    """A stated limit beside a proposal is no refusal: a right proposal gets a yes, a wrong one an objection."""
    limit = "I can only cancel an order as a whole, so the lamp would be cancelled, too. "
    assert agrees(Talk(task_of(CANCEL)).agent(limit + PROPOSAL))
    assert not agrees(Talk(task_of(CANCEL)).agent(limit + PROPOSAL.replace("#W1234567", "#W7654321")))
    refused = Talk(task_of(CANCEL))
    refused.agent("I can only cancel orders that are pending, and yours was delivered.")
    assert refused.agent("I am sorry, I can only cancel orders that are pending.") == STOP


def test_a_report_names_what_is_left_by_its_values() -> None:
    """A report in the verb of another, settled wish counts for the wish whose value it names."""
    talk = Talk(task_of(CANCEL, MOVE))
    talk.agent(PROPOSAL)
    talk.agent("Order #W1234567 has been cancelled.")
    talk.agent(MOVED)
    summary = "All of it is done: the address is now 1 Elm Lane, 89501, and order #W1234567 is cancelled."
    assert talk.agent(summary) == STOP


def test_the_line_is_held_for_a_transfer_that_is_announced() -> None:
    """A user whose wishes are settled waits once if the agent announces a transfer."""
    talk = Talk(task_of(CANCEL))
    talk.agent("I cannot cancel it, because it was delivered.")
    assert talk.agent("I cannot, it was delivered. I will transfer you to a human agent now.") != STOP
    assert talk.agent("I am transferring you now.") == STOP


def test_a_report_of_what_is_settled_says_nothing_of_what_is_agreed() -> None:
    """A report in the settled wish's verb does not settle the other wish, though it names a value of both."""
    order = {"order": CANCEL.values["order"], "address": MOVE.values["address"]}
    change = MOVE.changes[0].model_copy(update={"names": ("order", "address")})
    move = MOVE.model_copy(update={"values": order, "changes": (change,)})
    talk = Talk(task_of(CANCEL, move))
    talk.agent(PROPOSAL)
    talk.agent("Order #W1234567 has been cancelled.")
    talk.agent("I will change the address of order #W1234567 to 1 Elm Lane, Reno, NV, USA, 89501. Do you confirm?")
    assert talk.agent("To be clear: order #W1234567 has been cancelled, as you asked. One moment, please.") != STOP


def test_what_cannot_be_done_stands_beside_what_can() -> None:
    """`I can't do A, but I can do B` refuses A and does not refuse B."""
    talk = Talk(task_of(CANCEL, MOVE.model_copy(update={"instead": False})))
    both = "I can't cancel it because it was delivered, but I can change your address to 1 Elm Lane, Reno, 89501. Okay?"
    talk.agent(both)
    talk.agent(both)
    assert agrees(talk.agent(MOVED))


def test_a_rule_and_the_case_beside_it_are_a_refusal() -> None:
    """A message that applies a limit to the user's case, and proposes the change, both refuses and grants it."""
    applied = "I can only cancel orders that are pending, and yours was delivered. "
    assert not agrees(Talk(task_of(CANCEL)).agent(applied + PROPOSAL))


HANDED = CANCEL.model_copy(update={"details": {**CANCEL.details, "transfer": "Yes, put me through."}})
WHY = "Order #W1234567 was delivered, so only a colleague can decide on it. "
ANNOUNCED = (
    "I'd hand you over. Is there anything else before I do?",
    "I'll hand you over for that. Before I do: is there anything else I should take care of first?",
    "I'd now hand you over to a colleague. Do you need anything else from me before that?",
    "Is there anything else you need before I transfer you to them?",
    "I'd pass you on to them. Is that all right?",
    "I'd have to put you through to one of my colleagues. Okay?",
)


@pytest.mark.parametrize("announced", ANNOUNCED)
@pytest.mark.parametrize("reason", [WHY, "I cannot cancel order #W1234567, because it was delivered. "])
def test_an_announced_transfer_is_accepted_and_awaited(reason: str, announced: str) -> None:
    """A user asks to be put through, holds the line once, and leaves if no transfer comes."""
    talk = Talk(task_of(HANDED))
    answer = talk.agent(reason + announced)
    assert "put me through" in answer
    assert not any(detail in answer for topic, detail in CANCEL.details.items() if topic != "transfer")
    assert not brings_up(answer, CANCEL)
    assert talk.agent("I am connecting you with a colleague now.") != STOP
    assert talk.agent("I am connecting you with a colleague now.") == STOP
    assert talk.last.heard is None or not talk.last.heard.gave_up


def test_the_next_wish_comes_before_an_announced_transfer() -> None:
    """Asked what else there is before a transfer, users bring up their next wish, and are put through after it."""
    talk = Talk(task_of(HANDED, MOVE))
    answer = talk.agent(WHY + ANNOUNCED[0])
    assert brings_up(answer, MOVE)
    assert "put me through" not in answer
    talk.agent(MOVED)
    assert "put me through" in talk.agent("Your address has been changed to 1 Elm Lane. Anything else?")
    assert talk.agent("Anything else?") == STOP


@pytest.mark.parametrize("announced", ANNOUNCED[:5])
def test_a_user_who_wants_no_transfer_keeps_the_wish(announced: str) -> None:
    """An announced transfer settles nothing for users who would not be transferred, without a refusal."""
    talk = Talk(task_of(CANCEL))
    answer = talk.agent(WHY.replace("only a colleague can", "a colleague has to") + announced)
    assert "transfer" in answer or "pass me on" in answer
    assert agrees(talk.agent(PROPOSAL))


@pytest.mark.parametrize(
    "other",
    [
        "If that fails, I'd hand you over to a colleague. ",
        "I won't hand you over to a colleague for that. ",
        "You said a colleague would hand you over to me. ",
    ],
)
def test_a_transfer_that_is_not_announced_settles_nothing(other: str) -> None:
    """A conditional, negated or reported transfer leaves the wish open."""
    talk = Talk(task_of(HANDED))
    assert "put me through" not in talk.agent(other + "The order was placed on May 3, because you wanted it.")
    assert agrees(talk.agent(PROPOSAL))
