"""The scripted user's replies to refusals beside proposals, to summaries, and to announced transfers."""

import re

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
