"""Changes of flights and cabins that a rule forbids because of the rows, and the caller's alternative."""

from env_server.domains.airline.scenarios import changes, details, phrases
from env_server.domains.airline.scenarios.base import (
    Case,
    Row,
    Spot,
    Wish,
    about,
    cabin,
    changed,
    direct,
    flights_of,
    open_reservation,
    searches,
)
from env_server.domains.airline.scenarios.flights import (
    SEAT_ASKS,
    cabins_for,
    can_change_cabin,
    can_shift,
    flights_call,
    moved_searches,
    moving,
    seating,
    shift,
    shifts,
)
from env_server.domains.airline.scenarios.wanted import Rows, Wanted, refused
from env_server.domains.kit import Form, Known, Patch, Refusal

TIMES = ("earliest", "latest", "number")
"""The ways to choose a flight that do not depend on the cabin."""

BASIC = Refusal(says="the reservation is in basic economy", because=("basic economy",))
ONE_LEG_ASKS = (
    "sit in another cabin on one of my flights",
    "change the cabin for a single flight",
    "have another cabin on one flight",
    "move to another cabin for one of the flights I booked",
    "get into a different cabin on one flight",
    "switch the cabin on a flight of mine",
    "have the cabin of one flight changed",
    "travel in another class on a flight that I booked",
    # Kept for the held-out split.
    "be seated in a different part of the plane on one flight",
    "have the class of travel changed for just one flight",
    "go in some other cabin on a certain flight",
    "put one flight of mine into a different cabin",
)
ALL_LEGS_ASKS = (
    "have that cabin on all flights of the trip",
    "change the cabin on every flight of it",
    "move to that cabin for the whole trip",
    "take that cabin on all of its flights",
    "sit in that cabin on each of the flights",
    "have it on the entire trip",
    # Kept for the held-out split.
    "go in that class from beginning to end",
    "make the whole booking that cabin",
    "put all of its flights into that class",
)
ONE_LEG = (
    "I want {0} on {1}.",
    "{0} on {1}, and on no other.",
    "On {1} I would like to sit in {0}.",
    "Please make it {0}, for {1} alone.",
    "It is about {1}: {0}, please.",
    # Kept for the held-out split.
    "For {1}, and nothing else, I want {0}.",
    "{1} is the one for which I'd like {0}.",
    "What I want is {0} while I am on {1}.",
)
NOTHING_ELSE = (
    "Nothing else about that booking should change.",
    "All the rest stays as it is.",
    "Please leave everything else as it is.",
    "That flight only, and the rest as before.",
    "I do not want anything else to change.",
    # Kept for the held-out split.
    "Do not touch anything but that.",
    "Whatever else there is remains the same.",
    "Only that, and nothing beyond it.",
)


def fixed_flights(case: Case) -> Wish:
    """The flights of a basic economy reservation cannot change. In the twin it is in economy."""
    wanted, rows = _stuck(case, details.trip(case, case.reservation))
    return refused(case, wanted, BASIC, (open_reservation(case.reservation),), rows)


def upgraded_instead(case: Case) -> Wish:
    """The flights of a basic economy reservation cannot change. The caller then takes another cabin."""
    trip = details.trip(case, case.reservation)
    wanted, rows = _stuck(case, trip)
    instead = seating(case, case.rng.choice(cabins_for(case.spot)), case.card(), trip=trip)
    return refused(case, wanted, BASIC, (open_reservation(case.reservation),), rows, instead)


def _stuck(case: Case, trip: details.Trip) -> tuple[Wanted, Rows]:
    """Return the wish for another flight and the rows that would grant it."""
    made = shift(case, kinds=TIMES, cabins=("economy",))
    wanted = moving(case, made, case.card(), trip=trip)
    call = flights_call(case.reservation, "economy", made.flights, {"id": wanted.slots["payment"]})
    granted = Wanted(wanted.asks, wanted.details, wanted.change, (call,), wanted.slots)
    return granted, Rows(due=changed(case.reservation, cabin="economy"))


def full_flight(case: Case) -> Wish:
    """The wanted flight has too few free seats. In the twin it has enough."""
    reservation = case.reservation
    made = shift(case, kinds=("number",))
    left = case.rng.randint(0, len(reservation["passengers"]) - 1)
    rows = Rows(refused=_sold(made.leg.flight, made.leg.day, reservation["cabin"], left))
    name = phrases.CABINS[reservation["cabin"]]
    seats = f"{left} {name} seat{'' if left == 1 else 's'}"
    says = f"there {'is' if left == 1 else 'are'} only {seats} left on {made.leg.words}"
    reason = Refusal(says=says, because=seats_left(left))
    proof = (open_reservation(reservation), *moved_searches(reservation, made))
    return refused(case, moving(case, made, case.card()), reason, proof, rows)


def _sold(flight: Row, day: str, cabin_: str, left: int) -> Patch:
    """Return the flight with this number of free seats in a cabin."""
    return {"flights": {flight["flight_number"]: {"dates": {day: {"available_seats": {cabin_: left}}}}}}


def seats_left(left: int) -> tuple[Form, ...]:
    """Return the phrases for this small number of seats."""
    few = ("not enough seat", "too few seat", (str(left), "seat"), (str(left), "left"), "not have enough")
    if left:
        return few
    return (*few, "no seat", "sold out", "fully booked", "is full", "no available seat", "no more seat", "none left")


def one_leg_only(case: Case) -> Wish:
    """The cabin must be the same on all flights. In the twin the reservation has only this flight."""
    reservation, method = case.reservation, case.card()
    name = case.rng.choice(cabins_for(case.spot))
    there, back = reservation["flights"]
    leg, other = case.rng.choice(((there, back), (back, there)))
    trip, pays = details.trip(case, reservation, numbered=True), details.paying(case, method)
    said = case.say(ONE_LEG, phrases.CABINS[name], phrases.flight(leg))
    whole = ("all flights", "both flights", "all legs", "both legs", "entire trip", "whole trip", "entire reservation")
    known: dict[str, Known | str] = {
        "reservation": trip.known,
        "cabin": Known(said, ((phrases.CABINS[name], leg["flight_number"]),), whole),
        "flight": case.say(NOTHING_ELSE),
        "payment": pays.known,
    }
    words = f"{phrases.CABINS[name]} on {phrases.flight(leg)}"
    call = flights_call(reservation, name, flights_of([leg]), method)
    slots = {"reservation": case.subject, "cabin": name, "leg": leg["flight_number"], "payment": method["id"]}
    change = changes.reseated(trip, name, words, pays.words)
    wanted = Wanted(ONE_LEG_ASKS, known, change, (call,), slots)
    instead = seating(case, name, method, asks=ALL_LEGS_ASKS, trip=trip, pays=pays)
    reason = Refusal(
        says=f"the reservation has {phrases.flight(other)} as well, and the cabin is the same on all flights",
        because=(other["flight_number"], other["date"]),
        about=(leg["flight_number"], "cabin"),
    )
    ends = {"origin": leg["origin"], "destination": leg["destination"], "flight_type": "one_way"}
    rows = Rows(due=changed(reservation, flights=[dict(leg)], **ends))
    return refused(case, wanted, reason, (open_reservation(reservation),), rows, instead)


def cabin_full(case: Case) -> Wish:
    """The wanted cabin has too few free seats on one of the flights. In the twin it has enough."""
    reservation = case.reservation
    name = case.rng.choice(cabins_for(case.spot))
    leg = case.rng.choice(reservation["flights"])
    left = case.rng.randint(0, len(reservation["passengers"]) - 1)
    rows = Rows(refused=_sold(case.world.flights[leg["flight_number"]], leg["date"], name, left))
    says = f"{phrases.flight(leg)} has too few seats in {phrases.CABINS[name]}, {left} left"
    reason = Refusal(says=says, because=(leg["flight_number"], leg["date"]), about=("cabin", phrases.CABINS[name]))
    proof = (open_reservation(reservation), *searches(reservation["flights"]))
    return refused(case, seating(case, name, case.card(), asks=SEAT_ASKS), reason, proof, rows)


def _stuck_there(at: Spot) -> bool:
    return shifts(at) and can_shift(at, kinds=TIMES, cabins=("economy",))


def _there_and_back(at: Spot) -> bool:
    return direct(at) and at.reservation["flight_type"] == "round_trip" and can_change_cabin(at)


FIXED_FLIGHTS = about(fixed_flights, _stuck_there, cabin("basic_economy"))
UPGRADED_INSTEAD = about(upgraded_instead, _stuck_there, can_change_cabin, cabin("basic_economy"))
FULL_FLIGHT = about(full_flight, shifts, cabin("economy", "business"), lambda at: can_shift(at, kinds=("number",)))
ONE_LEG_ONLY = about(one_leg_only, _there_and_back)
CABIN_FULL = about(cabin_full, can_change_cabin, direct)
