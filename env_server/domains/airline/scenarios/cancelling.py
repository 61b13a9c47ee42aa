"""Wishes to cancel a reservation that may be cancelled."""

from env_server.domains.airline.scenarios import phrases
from env_server.domains.airline.scenarios.base import (
    Case,
    Part,
    Row,
    Spot,
    about,
    ahead,
    insured,
    open_reservation,
    recent,
    write,
)
from env_server.domains.kit import GoldCall, Request

COVERED = ("I have fallen ill and cannot travel.", "A storm is forecast there, and I will not fly into that.")
NOT_COVERED = ("My plans have changed.", "I found a cheaper flight.", "A meeting of mine was called off.")
"""Reasons to cancel that the insurance covers, and does not."""


def cancel_call(reservation: Row) -> GoldCall:
    """The write that cancels a reservation."""
    return write("cancel_reservation", reservation_id=reservation["reservation_id"])


def reason(case: Case) -> str:
    """A true reason to cancel, one with which the reservation can be."""
    reservation = case.reservation
    if "cancelled" in case.world.statuses(reservation):
        return "The airline has cancelled one of my flights."
    free = recent(case.spot) or reservation["cabin"] == "business"
    return case.rng.choice(NOT_COVERED if free and case.rng.random() < 0.7 else COVERED)


def cancel(case: Case) -> Part:
    """Cancel a reservation that may be cancelled."""
    details = {"reservation": phrases.reservation(case, case.reservation), "reason": reason(case)}
    ask = phrases.one_of(
        case.rng, "I need to cancel a reservation.", "Please cancel one of my trips.", "I want a trip cancelled."
    )
    return Part(
        requests=(Request(ask=ask, details=details),),
        goal=f"You want to cancel a reservation. {phrases.told(details)}",
        reads=(open_reservation(case.reservation),),
        writes=(cancel_call(case.reservation),),
        slots={"reservation": case.subject, "reason": details["reason"]},
    )


def cancel_and_hear(case: Case) -> Part:
    """Cancel a reservation and hear what comes back."""
    details = {"reservation": phrases.reservation(case, case.reservation), "reason": reason(case)}
    amount = str(sum(entry["amount"] for entry in case.reservation["payment_history"]))
    ask = "I need to cancel a reservation, and I want to know how much money I get back."
    return Part(
        requests=(Request(ask=ask, details=details, wants=(amount,)),),
        goal=f"You want to cancel a reservation and to be told the refund. {phrases.told(details)}",
        proof=(open_reservation(case.reservation),),
        writes=(cancel_call(case.reservation),),
        outputs=(amount,),
        slots={"reservation": case.subject, "reason": details["reason"]},
    )


def may_cancel(at: Spot) -> bool:
    """Whether there is a ground to cancel (with a covered reason, where it rests on the insurance)."""
    grounds = (recent(at), at.reservation["cabin"] == "business", "cancelled" in at.statuses, insured(at))
    return ahead(at) and any(grounds)


CANCEL = about(cancel, may_cancel)
CANCEL_AND_HEAR = about(cancel_and_hear, may_cancel)
