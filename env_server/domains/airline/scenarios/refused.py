"""Cancellations that a rule forbids because of the reservation's booking time, fare, flights or owner."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from env_server.domains.airline.clock import DAYS, NOW
from env_server.domains.airline.scenarios import details, wordings
from env_server.domains.airline.scenarios.base import (
    Carrier,
    Case,
    Row,
    Spot,
    Wish,
    about,
    about_caller,
    ahead,
    all_on_sale,
    cabin,
    changed,
    insured,
    not_,
    open_reservation,
    open_user,
    recent,
)
from env_server.domains.airline.scenarios.cancelling import CANCEL_ASKS, cancelling
from env_server.domains.airline.scenarios.flights import moving, shift, shifts
from env_server.domains.airline.scenarios.wanted import Rows, refused
from env_server.domains.kit import Patch, Refusal, WishKind, spoken

MONEY_BACK_ASKS = (
    "cancel a trip and get my money back",
    "have a trip cancelled and the money for it returned",
    "call off a booking and be paid back",
    "give up a trip and have it refunded",
    "get my money back for a reservation that I no longer want",
    "cancel a booking of mine for a refund",
    "be refunded for a trip that I call off",
    "have a booking undone and the payment returned",
    # Kept for the held-out split.
    "see my money again for a trip that I give up",
    "drop a trip and receive back what I paid",
    "hand a booking back for the money it cost",
    "be paid back for a journey that I do not want",
)


def _booked_long_ago(row: Row) -> Refusal:
    """The reservation is too old to be cancelled, as its booking date shows."""
    day = row["created_at"][:10]
    return Refusal(says=f"it was booked on {spoken(day)}, which is more than 24 hours ago", because=(day,))


def _booked_just_now(case: Case) -> Rows:
    """In the twin the reservation was booked within the last 24 hours."""
    made = (NOW - timedelta(seconds=case.rng.randrange(600, 23 * 3600))).isoformat()
    return Rows(due={"reservations": {case.subject: {"created_at": made}}})


def no_ground(case: Case) -> Wish:
    """The caller wants to cancel without a valid ground. If the reservation is insured, the insurance does not cover
    the reason.
    """
    wanted = cancelling(case, case.reservation, case.say(wordings.NOT_COVERED), asks=MONEY_BACK_ASKS)
    proof = (open_reservation(case.reservation),)
    return refused(case, wanted, _booked_long_ago(case.reservation), proof, _booked_just_now(case))


def moved_instead(case: Case) -> Wish:
    """The caller wants to cancel without a valid ground and then takes a flight on another day."""
    trip = details.trip(case, case.reservation)
    wanted = cancelling(case, case.reservation, case.say(wordings.NOT_COVERED), trip=trip)
    instead = moving(case, shift(case), case.card(), trip=trip)
    proof = (open_reservation(case.reservation),)
    return refused(case, wanted, _booked_long_ago(case.reservation), proof, _booked_just_now(case), instead)


def ill_uninsured(case: Case) -> Wish:
    """The caller wants to cancel for a reason that insurance covers, but has no insurance."""
    wanted = cancelling(case, case.reservation, case.say(wordings.COVERED), asks=MONEY_BACK_ASKS)
    reason = Refusal(
        says="the reservation has no travel insurance",
        because=(
            *(("insurance", no) for no in ("no", "not", "without", "none")),
            "not insured",
            "isn't insured",
            "uninsured",
        ),
    )
    rows = Rows(due=changed(case.reservation, insurance="yes"))
    return refused(case, wanted, reason, (open_reservation(case.reservation),), rows)


def trip_over(case: Case) -> Wish:
    """A past trip cannot be cancelled. In the twin it is still ahead, and in business class."""
    row = case.reservation
    trip = details.trip(case, row, numbered=True)
    wanted = cancelling(case, row, case.say(wordings.NOT_COVERED), asks=MONEY_BACK_ASKS, trip=trip)
    rows = Rows(refused=_earlier(row, case.rng.choice(_past_shifts(case.spot))))
    legs = rows.refused["reservations"][case.subject] or {}
    days = [leg["date"] for leg in legs["flights"]]
    reason = Refusal(
        says=f"the trip is over: its last flight landed on {spoken(days[-1])}",
        because=(*days, "landed", "flown", "is over", "in the past", "taken place", "completed", "already over"),
    )
    return refused(case, wanted, reason, (open_reservation(row),), rows)


def _past_shifts(at: Spot) -> list[int]:
    """Return the numbers of days by which the trip can move earlier so that all its flights have landed."""
    legs = at.reservation["flights"]
    return [
        days
        for days in range(1, len(DAYS))
        if all(_status(at.world, leg, _before(leg["date"], days)) == "landed" for leg in legs)
    ]


def _status(world: Carrier, leg: Row, day: str) -> str:
    on: Mapping[str, Any] = world.flights[leg["flight_number"]]["dates"].get(day, {})
    return str(on.get("status"))


def _before(day: str, days: int) -> str:
    return (date.fromisoformat(day[:10]) - timedelta(days=days)).isoformat() + day[10:]


def _earlier(row: Row, days: int) -> Patch:
    """Return the reservation with all its dates, the booking date included, moved this many days earlier."""
    legs = [{**leg, "date": _before(leg["date"], days)} for leg in row["flights"]]
    return {"reservations": {row["reservation_id"]: {"flights": legs, "created_at": _before(row["created_at"], days)}}}


def friends_trip(case: Case) -> Wish:
    """The caller wants to cancel another person's reservation, which the profile does not list."""
    peers = (case.world.customers[p] for p in case.peers if p != case.customer["user_id"])
    foreign = case.rng.choice([row for other in peers for row in _free_to_cancel(case.world, other)])
    owner, number, user_id = foreign["user_id"], foreign["reservation_id"], case.customer["user_id"]
    trip = details.trip(case, foreign, numbered=True)
    wanted = cancelling(case, foreign, case.say(wordings.NOT_COVERED), trip=trip)
    reason = Refusal(
        says=f"reservation {number} is not listed in your profile",
        because=(
            "not listed", "not in your profile", "not among", "not yours", "another customer", "someone else",
            "somebody else", "isn't listed", "isn't in your profile", "isn't among", "not one of yours", "not belong",
            "doesn't belong", "different customer", "another user", "not part of your", "not on your", "not under your",
            "not associated", "isn't associated", "not linked", "different account", "another account",
            "different user", "different profile", "isn't under your", "isn't part of your", "isn't on your",
        ),
    )  # fmt: skip
    theirs = [key for key in case.world.customers[owner]["reservations"] if key != number]
    own = changed(foreign, user_id=user_id, paid_by=case.card()["id"])
    lists = {owner: {"reservations": theirs}, user_id: {"reservations": [*case.customer["reservations"], number]}}
    return refused(case, wanted, reason, (open_user(case.customer),), Rows(due={**own, "users": lists}))


IMPOSTOR = "impostor"
"""The subject of a wish by a caller whose date of birth does not match the profile."""


def impostor(case: Case) -> Wish:
    """A caller with a wrong date of birth wants to cancel a trip. In the twin the profile has that date of birth."""
    row = case.rng.choice(_free_to_cancel(case.world, case.customer))
    trip = details.trip(case, row, numbered=True)
    wanted = cancelling(case, row, case.say(wordings.NOT_COVERED), asks=CANCEL_ASKS, trip=trip)
    reason = Refusal(
        says="the date of birth that you gave is not the one in the profile",
        because=("date of birth", "birth", "birthday", "dob", "identity"),
        about=("request", "account", "help", "reservation", "profile", "assist", "identity"),
    )
    return refused(case, wanted, reason, (open_user(case.customer),), Rows())


def _free_to_cancel(world: Carrier, user: Row) -> list[Row]:
    """Return the user's reservations that may be cancelled for any reason."""
    spots = (Spot(world, user, row) for row in world.reservations_of(user))
    return [at.reservation for at in spots if ahead(at) and _free(at)]


def _free(at: Spot) -> bool:
    return at.reservation["cabin"] == "business" or recent(at)


def _groundless(at: Spot) -> bool:
    """Return whether the trip is more than a day ahead and can be cancelled, if at all, only for a covered reason."""
    return all_on_sale(at) and not _free(at)


NO_GROUND = about(no_ground, _groundless)
MOVED_INSTEAD = about(moved_instead, _groundless, shifts, cabin("economy"))
ILL_UNINSURED = about(ill_uninsured, _groundless, not_(insured))
TRIP_OVER = about(trip_over, all_on_sale, cabin("business"), lambda at: bool(_past_shifts(at)))
FRIENDS_TRIP = about_caller(friends_trip)
IMPOSTORS = WishKind(impostor, lambda world, user: (IMPOSTOR,) if _free_to_cancel(world, user) else ())
