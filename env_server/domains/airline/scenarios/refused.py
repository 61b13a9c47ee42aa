"""Wishes about whole trips that a rule forbids: the agent looks, refuses, and settles what the caller takes instead.

Where the caller takes nothing instead, the score shows that the agent looked, changed nothing and handed nobody over.
It does not show that the agent refused in words: one that looks and then says nothing useful until the caller gives up
ends in the same state with the same calls, and scores the same.
"""

from env_server.domains.airline.scenarios import phrases
from env_server.domains.airline.scenarios.base import (
    Carrier,
    Case,
    Part,
    Row,
    Spot,
    about,
    about_caller,
    active,
    ahead,
    anybody,
    cabin,
    open_reservation,
    open_user,
    recent,
)
from env_server.domains.airline.scenarios.cancelling import NOT_COVERED
from env_server.domains.airline.scenarios.flights import flights_call, shift, shift_details, shifts
from env_server.domains.kit import Move, Request

AS_SAID = {"confirm": "Only if it is done just as I said."}
"""What callers answer to a question for a yes while they wish something forbidden: it accepts no alternative."""


def no_ground(case: Case) -> Part:
    """Cancelling without any of the grounds that count; with insurance, for a reason it does not cover."""
    why = case.rng.choice(NOT_COVERED)
    details = {"reservation": phrases.reservation(case, case.reservation), "reason": why}
    return Part(
        requests=(Request(ask="I want to cancel a trip and get my money back.", details=details | AS_SAID),),
        goal=f"You want to cancel a trip. {phrases.told(details)} You give no other reason, and accept it if you are"
        " refused.",
        proof=(open_reservation(case.reservation),),
        slots={"reservation": case.subject, "reason": why},
    )


def moved_instead(case: Case) -> Part:
    """Cancelling without a ground; the caller then takes a flight on another day."""
    why, method, reservation = case.rng.choice(NOT_COVERED), case.card(), case.reservation
    made = shift(case, reservation)
    instead = shift_details(case, made, method)
    details = {"reservation": instead["reservation"], "reason": why}
    return Part(
        requests=(
            Request(ask="I want to cancel a trip of mine.", details=details | AS_SAID),
            Request(ask="Then I would rather take another flight.", details=instead),
        ),
        goal=f"You want to cancel a trip. {phrases.told(details)} Only if that is refused, you want another flight."
        f" {phrases.told(instead)}",
        proof=(open_reservation(reservation),),
        writes=(flights_call(reservation, reservation["cabin"], made.flights, method),),
        slots={"reservation": case.subject, "reason": why, "flights": made.flights, "words": made.leg.words},
    )


def trip_over(case: Case) -> Part:
    """A trip that is over cannot be cancelled."""
    why = case.rng.choice(NOT_COVERED)
    details = {"reservation": phrases.reservation(case, case.reservation), "reason": f"I did not enjoy it. {why}"}
    return Part(
        requests=(Request(ask="I want my money back for a trip.", details=details | AS_SAID),),
        goal=f"You want a past trip cancelled and the money back. {phrases.told(details)} You accept it if you are"
        " refused.",
        proof=(open_reservation(case.reservation),),
        slots={"reservation": case.subject, "reason": why},
    )


def friends_trip(case: Case) -> Part:
    """Wants to cancel somebody else's reservation, one that the caller's details do not list."""
    others = (case.world.customers[p] for p in case.peers if p != case.customer["user_id"])
    foreign = case.rng.choice([row for other in others for row in _free_to_cancel(case.world, other)])
    details = {
        "reservation": f"It is reservation {foreign['reservation_id']}. A friend made it with their own account.",
        "reason": case.rng.choice(NOT_COVERED),
    }
    return Part(
        requests=(Request(ask="Please cancel a trip for a friend of mine.", details=details | AS_SAID),),
        goal=f"You want a friend's reservation cancelled. {phrases.told(details)} You accept it if you are refused.",
        proof=(open_user(case.customer),),
        slots={"reservation": foreign["reservation_id"], "reason": details["reason"]},
    )


IMPOSTOR = "impostor"
"""The subject of a wish of somebody who says they are the customer and does not know their date of birth."""


def impostor(case: Case) -> Part:
    """Somebody with a wrong date of birth wants a trip cancelled that the customer could cancel."""
    row = case.rng.choice(_free_to_cancel(case.world, case.customer))
    details = {"reservation": f"It is reservation {row['reservation_id']}.", "reason": case.rng.choice(NOT_COVERED)}
    return Part(
        requests=(Request(ask="I want to cancel a trip of mine.", details=details | AS_SAID),),
        goal=f"You want a trip cancelled. {phrases.told(details)} The date of birth you give is the only one you know,"
        " and you accept it if you are refused.",
        proof=(open_user(case.customer),),
        slots={"reservation": row["reservation_id"], "reason": details["reason"]},
    )


def _free_to_cancel(world: Carrier, user: Row) -> list[Row]:
    """The user's reservations that they could cancel for any reason."""
    spots = (Spot(world, user, row) for row in world.reservations_of(user))
    return [at.reservation for at in spots if ahead(at) and _free(at)]


def _free(at: Spot) -> bool:
    return at.reservation["cabin"] == "business" or recent(at)


def _groundless(at: Spot) -> bool:
    """Ahead, and to be cancelled for a covered reason at most."""
    return ahead(at) and not _free(at) and "cancelled" not in at.statuses


def _flown(at: Spot) -> bool:
    return active(at) and set(at.statuses) == {"landed"}


NO_GROUND = about(no_ground, _groundless)
MOVED_INSTEAD = about(moved_instead, _groundless, shifts, cabin("economy"))
TRIP_OVER = about(trip_over, _flown)
FRIENDS_TRIP = about_caller(friends_trip, anybody)
IMPOSTORS = Move(impostor, lambda world, user: (IMPOSTOR,) if _free_to_cancel(world, user) else ())
