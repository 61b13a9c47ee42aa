"""Wishes to cancel a reservation that may be cancelled."""

from env_server.domains.airline.scenarios import changes, details, wordings
from env_server.domains.airline.scenarios.base import (
    Case,
    Row,
    Spot,
    Wish,
    about,
    ahead,
    insured,
    open_reservation,
    recent,
    write,
)
from env_server.domains.airline.scenarios.wanted import Wanted, granted
from env_server.domains.kit import GoldCall, Known, Tell, Want, told

CANCEL_ASKS = (
    "cancel a reservation",
    "cancel one of my trips",
    "have a trip of mine cancelled",
    "call off a trip that I booked",
    "give up a booking of mine",
    "have one of my bookings cancelled",
    "get a trip of mine called off",
    "cancel something that I booked",
    # Kept for the held-out split.
    "drop a journey that I have booked",
    "have a reservation of mine called off",
    "be let out of one of my bookings",
    "undo a booking that I made",
)
CANCEL_AND_HEAR_ASKS = (
    "cancel a reservation and know how much money I get back",
    "cancel one of my trips and hear what the refund is",
    "call off a trip of mine and learn the amount that comes back",
    "have a booking cancelled and be told what is refunded",
    "give up one of my bookings and know the refund",
    "have a trip called off and hear how much is returned to me",
    # Kept for the held-out split.
    "drop a journey of mine and find out what money I see again",
    "undo a booking and be told the sum that I am given back",
    "be let out of a reservation and hear the exact refund for it",
)


def cancel_call(reservation: Row) -> GoldCall:
    """Return the write that cancels a reservation."""
    return write("cancel_reservation", reservation_id=reservation["reservation_id"])


def reason(case: Case) -> str:
    """Return a true reason to cancel under which the reservation can be cancelled."""
    reservation = case.reservation
    if "cancelled" in case.world.statuses(reservation):
        return case.say(wordings.GROUNDED)
    free = recent(case.spot) or reservation["cabin"] == "business"
    return case.say(wordings.NOT_COVERED if free and case.rng.random() < 0.7 else wordings.COVERED)


def cancelling(
    case: Case,
    row: Row,
    why: str,
    *,
    asks: tuple[str, ...] = CANCEL_ASKS,
    trip: details.Trip | None = None,
    wants: tuple[tuple[Want, Tell], ...] = (),
) -> Wanted:
    """Return the wish to cancel `row` for the reason `why`."""
    trip = trip or details.trip(case, row)
    known: dict[str, Known | str] = {"reservation": trip.known, "reason": why}
    slots = {"reservation": row["reservation_id"], "reason": why}
    return Wanted(asks, known, changes.cancelled(trip), (cancel_call(row),), slots, wants)


def cancel(case: Case) -> Wish:
    """Cancel a reservation that may be cancelled."""
    wanted = cancelling(case, case.reservation, reason(case))
    return granted(case, wanted, reads=(open_reservation(case.reservation),))


def cancel_and_hear(case: Case) -> Wish:
    """Cancel a reservation and hear the refund."""
    amount = str(sum(entry["amount"] for entry in case.reservation["payment_history"]))
    value = told(
        amount, f"Your refund comes to ${amount}.", "refund", "refunded", "get back", "back", "returned", "return",
        "reimbursed", "reimbursement", "credited",
    )  # fmt: skip
    wanted = cancelling(case, case.reservation, reason(case), asks=CANCEL_AND_HEAR_ASKS, wants=(value,))
    return granted(case, wanted, proof=(open_reservation(case.reservation),))


def may_cancel(at: Spot) -> bool:
    """Return whether a valid ground to cancel exists. A ground that rests on the insurance needs a covered reason."""
    grounds = (recent(at), at.reservation["cabin"] == "business", "cancelled" in at.statuses, insured(at))
    return ahead(at) and any(grounds)


CANCEL = about(cancel, may_cancel)
CANCEL_AND_HEAR = about(cancel_and_hear, may_cancel)
