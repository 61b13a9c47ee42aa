"""Proposals that hold more than the user asked for: the user agrees to its own part only."""

import pytest

from env_server.domains.kit import Request
from tests.users.scripted.test_user import CANCEL, MOVE, agrees, brings_up
from tests.users.talks import Talk, task_of

PLAN = "I will cancel order #W1234567, since you no longer need it"


@pytest.mark.parametrize(
    "proposal",
    [
        f"{PLAN}, and I will also change your address to 5 Elm Road. Shall I go ahead?",
        f"{PLAN}, plus change your address to 5 Elm Road. Shall I go ahead?",
        f"{PLAN} & set your address to 5 Elm Road. Shall I go ahead?",
        f"{PLAN}, along with changing your address to 5 Elm Road. Shall I go ahead?",
        f"{PLAN}, and your address will be changed to 5 Elm Road. Shall I go ahead?",
        f"{PLAN}, with your address changed to 5 Elm Road. Shall I go ahead?",
        f"{PLAN}. I will also exchange the lamp for a chair. Shall I go ahead?",
        f"{PLAN}. In addition, I'd remove your card. Shall I go ahead?",
        f"{PLAN}, plus I'll add travel insurance. Shall I go ahead?",
        f"{PLAN}, and upgrade you to gold for $40. Shall I go ahead?",
        f"{PLAN} and cancel order #W7777777. Shall I go ahead?",
        f"{PLAN} while also closing your account. Shall I go ahead?",
        "I will:\n1. Cancel order #W1234567, as no longer needed\n2. Return order #W7777777\n\nShall I go ahead?",
        "Shall I cancel order #W1234567, no longer needed, and also change your address to 5 Elm Road?",
        f"{PLAN}, and change the payment to your gift card. Shall I go ahead?",
        f"{PLAN}, and remove your payment method. Shall I go ahead?",
        f"{PLAN}, and I can also remove your card. Shall I go ahead?",
    ],
)
@pytest.mark.parametrize("wishes", [(CANCEL,), (CANCEL, MOVE)])
def test_the_user_agrees_to_its_own_part_only(proposal: str, wishes: tuple[Request, ...]) -> None:
    """Beside a change that nobody asked for, the user names the wish to which it says yes."""
    talk = Talk(task_of(*wishes))
    answer = talk.agent(proposal)
    assert not agrees(answer)
    assert brings_up(answer, CANCEL)
    assert talk.last.heard is not None
    assert talk.last.heard.agreed == ((0, 0),)


@pytest.mark.parametrize(
    "proposal",
    [
        f"{PLAN}, and refund $40 to your card. Shall I go ahead?",
        f"{PLAN} and charge the fee of $40 to your visa card. Shall I go ahead?",
        f"{PLAN}, and send you a confirmation by e-mail. Shall I go ahead?",
        f"{PLAN}, and update the status of the order. Shall I go ahead?",
        f"{PLAN}. The amount will be paid back within 5 days. Note that this can't be undone. Shall I go ahead?",
        f"{PLAN}. Your address will not be changed. Shall I go ahead?",
        f"{PLAN} and remove it from your order list. Shall I go ahead?",
        f"{PLAN}, and stop the shipment. Shall I go ahead?",
        f"{PLAN}. I'll also add a note to your profile about it. Shall I go ahead?",
        f"{PLAN}. The two lamps in it will be returned to stock. Shall I go ahead?",
        f"{PLAN}, and the order will be removed from your account. Shall I go ahead?",
        f"{PLAN} and apply the $40 back to your card. Shall I go ahead?",
        f"{PLAN}. The payment of $40 will be returned to your Mastercard. Shall I go ahead?",
        f"{PLAN}. Your gift card will be topped up with $40. Shall I go ahead?",
        f"{PLAN} and add $40 to your gift card. Shall I go ahead?",
        f"{PLAN}, and switch the refund to your PayPal. Shall I go ahead?",
        f"{PLAN} and void the payment. Shall I go ahead?",
        f"{PLAN}. To cancel it, I'll change its status to cancelled. Shall I go ahead?",
        f"{PLAN}. Then we can exchange the lamp in the other order. Shall I go ahead?",
        f"{PLAN}. Then I'd move on to your next question. Shall I go ahead?",
        "I will submit a cancellation for order #W1234567 as no longer needed, and process the refund. Shall I do it?",
        f"{PLAN}, remove the old one, and send a confirmation. Shall I go ahead?",
    ],
)
def test_what_goes_with_a_change_is_no_second_one(proposal: str) -> None:
    """Money that moves, messages and records belong to the change; the user cannot know prices."""
    assert agrees(Talk(task_of(CANCEL)).agent(proposal))


def test_two_wishes_may_stand_in_one_sentence() -> None:
    """Two wishes with the right values get one yes."""
    talk = Talk(task_of(CANCEL, MOVE))
    move = "change your address to 1 Elm Lane, Unit 2, Reno, NV, USA, 89501"
    assert agrees(talk.agent(f"{PLAN}, and I will also {move}. Shall I go ahead?"))
    assert talk.last.heard is not None
    assert talk.last.heard.agreed == ((0, 0), (1, 0))


def test_a_changed_mind_is_said_without_a_no() -> None:
    """A user who changes their mind says only that."""
    request = CANCEL.model_copy(update={"revise": "Wait, it is order #W7654321."})
    answer = Talk(task_of(request)).agent(f"{PLAN}, and upgrade you to gold. Shall I go ahead?")
    assert answer == "Wait, it is order #W7654321."
