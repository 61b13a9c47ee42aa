"""The values of a task that a message tells, or takes back."""

import pytest

from env_server.domains.kit import Due, Gold, Request, Shape, Task, UserScript, Value, WantedChange
from env_server.reading import read
from env_server.understanding import ChangePlace, hear, shown
from env_server.understanding.ear import Ear


def order(verb: str, id: str) -> Request:
    """Return the wish to do something with an order."""
    change = WantedChange(
        plan=f"{verb} order {id}", done="", verbs=(verb,), calls=(Shape(name=verb),), names=("order",)
    )
    return Request(ask=f"I want to {verb} an order.", values={"order": Value(says=(id,))}, changes=(change,))


SCRIPT = UserScript(requests=(order("exchange", "#W1"), order("cancel", "#W2")))
TASK = Task(
    task_id="t",
    domain="retail",
    instruction="Do.",
    user=SCRIPT,
    gold=Gold(),
    dues=(Due(wish=0, kind="tell", about=("difference", "refund"), value="16.47"),),
)


def told(message: str) -> bool | None:
    """Return True if the message tells the difference, False if it takes it back, None if it does neither."""
    found = shown(TASK, hear(Ear(SCRIPT, 0, (0, 1)), read(message)))
    return True if found.told else False if found.untold else None


@pytest.mark.parametrize(
    "message",
    [
        "The difference is $16.47.",
        "The price difference is 16 dollars and 47 cents.",
        "Order #W1 is exchanged.\n- **Price difference:** $16.47 more, charged to your Visa ending in 4211",
    ],
)
def test_a_value_is_told_in_any_notation(message: str) -> None:
    """The amount counts in digits, as it is spoken, and in a list."""
    assert told(message) is True


def test_another_value_takes_it_back() -> None:
    """Another amount for the same thing is told in its place."""
    assert told("The difference is $12.10.") is False
    assert told("The difference is 12 dollars and 10 cents.") is False


def test_the_amounts_of_another_wish_take_nothing_back() -> None:
    """The refund of a second order is about that order, in a proposal and in a report."""
    proposal = "To confirm, I would:\n- **Cancel:** order #W2\n- **Refund:** $92.33\n\nWould you like me to cancel it?"
    assert told(proposal) is None
    assert told("I have cancelled order #W2.\n- **Refund:** $92.33") is None
    assert told(proposal.replace("#W2", "#W1").replace("ancel", "xchange")) is False


def test_what_cannot_be_done_beside_a_report_is_something_else() -> None:
    """A refusal without a wish is not about the wish whose change the message reports."""
    aside = "Unfortunately, I am unable to tell you where our office is."
    ear = Ear(SCRIPT, 0, (0, 1), agreed=frozenset({ChangePlace(0, 0)}))
    heard = hear(ear, read(f"I have exchanged your order #W1. {aside}"))
    assert (heard.claims, heard.refusals) == ((ChangePlace(0, 0),), ())
    assert hear(ear, read(aside)).refusals == (0,)
