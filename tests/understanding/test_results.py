"""Descriptions of the new state after a change, once the user has agreed to it."""

import pytest

from env_server.domains.kit import Request, Shape, UserScript, Value, WantedChange
from env_server.reading import read
from env_server.understanding import ChangePlace, hear
from env_server.understanding.ear import Ear


def wish(verbs: tuple[str, ...], **values: tuple[str, ...]) -> Request:
    """A wish for one change, whose values all have to be named."""
    return Request(
        ask="Please change it.",
        values={topic: Value(says=says) for topic, says in values.items()},
        changes=(
            WantedChange(
                plan="change it", done="it is changed", verbs=verbs, names=tuple(values), calls=(Shape(name="change"),)
            ),
        ),
    )


ROAMING_ON = wish(("enabl", "turn on", "switch on"), line=("L407508",))
ROAMING_OFF = wish(("disable", "turn off", "switch off"), line=("L407508",))
PAY = wish(("charg", "pay"), bill=("B589406",), payment=("2017", "Credit Card"))
PLAN = wish(("chang", "switch", "mov"), line=("L374641",), plan=("Lake 45",))
BAGS = wish(("add", "include"), reservation=("7WBA93",), bags=("5",))
SUSPEND = wish(("suspend", "pause", "put on hold"), line=("L407508",))
CANCEL = wish(("cancel", "call off"), reservation=("XX56Q9",))
VISIT = wish(("book", "schedule"), doctor=("Acheson",), time=("9:00",))


def reported(request: Request, message: str, *, agreed: bool = True) -> bool:
    """Whether a message reports the wish as done, to a user who has agreed to it or not."""
    places = [ChangePlace(0, 0)] if agreed else []
    return bool(hear(Ear(UserScript(requests=(request,)), 0, (0,), agreed=places), read(message)).claims)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (ROAMING_ON, "Roaming is on for L407508. Anything else for today?"),
        (ROAMING_ON, "Roaming is enabled for L407508 now."),
        (ROAMING_OFF, "Roaming is off for L407508."),
        (PAY, "B589406 is paid: $209.99 from your credit card ending in 2017."),
        (PAY, "Paid!"),
        (PLAN, "Your line L374641 is on Lake 45 from today, at $63.20 per month."),
        (BAGS, "Five bags are on 7WBA93 now."),
        (VISIT, "You're booked with Dr. Acheson for March 16 at 9:00."),
    ],
)
def test_the_new_state_is_a_report_once_the_user_has_agreed(request_: Request, message: str) -> None:
    """After the yes, a description of the new state is a report."""
    assert reported(request_, message)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (ROAMING_OFF, "Roaming is on for L407508."),
        (ROAMING_ON, "Roaming is off for L407508."),
        (ROAMING_OFF, "Roaming is still off for L407508 until I have your yes."),
        (ROAMING_ON, "Roaming will be on for L407508."),
        (ROAMING_ON, "Is roaming on for L407508?"),
        (ROAMING_ON, "Once roaming is on for L407508, please restart your phone."),
        (ROAMING_ON, "Roaming is not on for L407508."),
        (PAY, "B589406 is not paid yet."),
        (PAY, "If B589406 is paid, the line is resumed."),
        (PLAN, "Lake 45 is a plan with 45 GB."),
        (PAY, "Bills are paid within a minute."),
        (PAY, "Credit Card 2017 is on file."),
        (PAY, "B589406 is charged to your PayPal account."),
        (PAY, "No payment for B589406 is on file."),
        (SUSPEND, "Line L407508 is active."),
        (ROAMING_ON, "Line L407508 is on hold."),
        (CANCEL, "Reservation XX56Q9 is in basic economy."),
        (CANCEL, "Money for reservations that are cancelled goes back to the card."),
        (VISIT, "Dr. Acheson is in Reno, and 9:00 is in the morning."),
    ],
)
def test_another_state_is_no_report(request_: Request, message: str) -> None:
    """The opposite state, a question, a condition, a denial and a future state report nothing."""
    assert not reported(request_, message)


def test_without_a_yes_a_state_is_a_record() -> None:
    """Before the yes, a description of a state is what the records show."""
    assert not reported(ROAMING_ON, "Roaming is on for L407508.", agreed=False)
