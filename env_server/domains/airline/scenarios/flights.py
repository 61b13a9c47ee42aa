"""Wishes for other flights or another cabin in a reservation."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from env_server.domains.airline.clock import DAYS, NOW
from env_server.domains.airline.scenarios import changes, details, phrases, wordings
from env_server.domains.airline.scenarios.base import (
    Case,
    Row,
    Spot,
    Wish,
    about,
    all_on_sale,
    cabin,
    direct,
    flights_of,
    open_reservation,
    searches,
    write,
)
from env_server.domains.airline.scenarios.plan import Leg, choices
from env_server.domains.airline.scenarios.wanted import Wanted, granted
from env_server.domains.kit import GoldCall, Known, Tell, Want, told

NOTICEABLE = 10
"""The minimum price difference in dollars that an agent does not mention by accident."""

MOVE_ASKS = (
    "change a flight in one of my reservations",
    "take another flight than the one I booked",
    "travel on another day",
    "move a flight of mine",
    "get another flight in a trip of mine",
    "have one of my flights changed",
    "switch to another flight in a booking",
    "swap one of my flights for another",
    # Kept for the held-out split.
    "fly at some other time than I booked",
    "be rebooked on a different flight",
    "have a flight in my booking replaced",
    "reschedule one of my flights",
)
MOVE_AND_HEAR_ASKS = (
    "change a flight and know the difference in price for all of us",
    "take another flight and hear what the difference in price is for everybody",
    "move one of my flights and learn the price difference for all of us",
    "switch to another flight and be told the difference in cost for all passengers",
    "have a flight changed and know by how much the price differs for all of us",
    "swap one of my flights and hear the difference in fare for everybody together",
    # Kept for the held-out split.
    "be rebooked on another flight and find out the fare difference for the whole party",
    "reschedule a flight and be told how the price differs for us all",
    "have a flight replaced and get to know the difference for everyone together",
)
SEAT_ASKS = (
    "sit in another cabin",
    "change the cabin of a reservation",
    "have another cabin on a trip of mine",
    "move to another cabin",
    "get different seats, in another cabin",
    "switch the cabin of a booking",
    "have the cabin of one of my trips changed",
    "travel in another class than I booked",
    # Kept for the held-out split.
    "be seated in a different part of the plane",
    "have our class of travel changed",
    "go in some other cabin than the one on my booking",
    "put one of my reservations into a different cabin",
)
SEAT_AND_HEAR_ASKS = (
    "sit in another cabin and know the difference in price for all of us",
    "change the cabin of a trip and hear the difference in price for everybody",
    "move to another cabin and learn the price difference for all of us",
    "switch the cabin and be told the difference in cost for all passengers",
    "have the cabin changed and know by how much the price differs for all of us",
    "travel in another class and hear the difference in fare for everybody together",
    # Kept for the held-out split.
    "be seated elsewhere on the plane and find out the fare difference for the whole party",
    "have our class of travel changed and be told how the price differs for us all",
    "go in some other cabin and get to know the difference for everyone together",
)
DIFFERENCE = (
    "difference", "differs", "more", "less", "extra", "additional", "refund", "refunded", "back", "charge", "charged",
    "cost", "costs", "cheaper", "dearer", "expensive", "pay",
)  # fmt: skip
"""Words that name a difference in price."""


def flights_call(reservation: Row, cabin_: str, flights: list[dict[str, Any]], method: Row) -> GoldCall:
    """Return the write that sets a reservation's cabin and flights."""
    return write(
        "update_reservation_flights",
        reservation_id=reservation["reservation_id"],
        cabin=cabin_,
        flights=flights,
        payment_id=method["id"],
    )


def told_difference(amount: int) -> tuple[Want, Tell]:
    """Return a price difference in dollars that the agent must tell, without its sign."""
    words = (
        "You pay ${} more, which is the difference in price."
        if amount > 0
        else "You get ${} back, which is the difference."
    )
    return told(str(abs(amount)), words.format(abs(amount)), *DIFFERENCE)


@dataclass(frozen=True)
class Shift:
    """Another flight for the last leg of a reservation."""

    flights: list[dict[str, Any]]
    """All flights, as the tools take them."""

    leg: Leg
    difference: int
    """The additional price for all passengers in dollars. Less than 0 means a refund."""


def shifts(at: Spot) -> bool:
    """Return whether the last flight can move to a flight on at least two other days."""
    return all_on_sale(at) and direct(at) and movable(at)


def movable(at: Spot) -> bool:
    """Return whether at least two other days have a flight that can replace the last one."""
    return sum(bool(_instead(at, day)) for day in _days(at.reservation)) > 1


def shift(case: Case, *, besides: str = "", kinds: Collection[str] = (), cabins: Collection[str] = ()) -> Shift:
    """Return a flight on another day (not `besides`) that replaces the last flight of the reservation."""
    reservation = case.reservation
    *kept, last = reservation["flights"]
    on = [_instead(case.spot, day, kinds, cabins) for day in _days(reservation) if day != besides]
    leg = case.rng.choice(case.rng.choice([legs for legs in on if legs]))
    moved = {"flight_number": leg.flight["flight_number"], "date": leg.day}
    difference = (leg.fare(reservation["cabin"]) - last["price"]) * len(reservation["passengers"])
    return Shift([*flights_of(kept), moved], leg, difference)


def can_shift(at: Spot, *, kinds: Collection[str] = (), cabins: Collection[str] = ()) -> bool:
    """Return whether `shift` finds a flight with these kinds and cabins."""
    return any(_instead(at, day, kinds, cabins) for day in _days(at.reservation))


def _instead(at: Spot, day: str, kinds: Collection[str] = (), cabins: Collection[str] = ()) -> list[Leg]:
    """Return the flights on `day` that can replace the last one at a clearly different price."""
    last, people = at.reservation["flights"][-1], len(at.reservation["passengers"])
    offers, cabin_ = at.world.offers(last["origin"], last["destination"], day), at.reservation["cabin"]
    found = choices(offers, day, cabin_, people)
    return [
        leg
        for leg in found
        if abs(leg.fare(cabin_) - last["price"]) >= NOTICEABLE
        and (not kinds or leg.kind in kinds)
        and all(leg.flight["dates"][day]["available_seats"][other] >= people for other in cabins)
    ]


def _days(reservation: Row) -> list[str]:
    """Return other days for the last flight, after the flight before it and late enough to be on sale."""
    *kept, last = reservation["flights"]
    after = kept[-1]["date"] if kept else (NOW.date() + timedelta(days=1)).isoformat()
    return [day.isoformat() for day in DAYS if after < day.isoformat() != last["date"]]


def moving(
    case: Case,
    made: Shift,
    method: Row,
    *,
    asks: tuple[str, ...] = MOVE_ASKS,
    trip: details.Trip | None = None,
    cabin_: str = "",
    wants: tuple[tuple[Want, Tell], ...] = (),
) -> Wanted:
    """Return the wish for another flight. `cabin_` is the cabin if the task's rows change it."""
    reservation, last = case.reservation, case.reservation["flights"][-1]
    trip, pays = trip or details.trip(case, reservation), details.paying(case, method)
    known: dict[str, Known | str] = {
        "reservation": trip.known,
        "flight": Known(case.say(wordings.OLD_FLIGHT, phrases.flight(last), made.leg.said(case)), (made.leg.says,)),
        "cabin": case.say(wordings.CABIN_STAYS),
        "payment": pays.known,
    }
    call = flights_call(reservation, cabin_ or reservation["cabin"], made.flights, method)
    slots = {"reservation": case.subject, "flights": made.flights, "kind": made.leg.kind, "payment": method["id"]}
    return Wanted(asks, known, changes.moved(trip, made.leg.words, pays.words), (call,), slots, wants)


def move_flight(case: Case) -> Wish:
    """Move the last flight of a reservation to another day."""
    wanted = moving(case, shift(case), case.card())
    return granted(case, wanted, reads=(open_reservation(case.reservation),))


def move_and_hear(case: Case) -> Wish:
    """Move the last flight to another day and hear the price difference."""
    made = shift(case)
    wanted = moving(case, made, case.card(), asks=MOVE_AND_HEAR_ASKS, wants=(told_difference(made.difference),))
    return granted(case, wanted, proof=(open_reservation(case.reservation), *moved_searches(case.reservation, made)))


def moved_searches(reservation: Row, made: Shift) -> tuple[GoldCall, ...]:
    """Return the search that shows the new flight."""
    return searches([{**reservation["flights"][-1], "date": made.leg.day}])


def cabins_for(at: Spot) -> list[str]:
    """Return the other cabins with enough seats on all flights and a clearly different price."""
    people = len(at.reservation["passengers"])
    days = [at.world.day(leg) for leg in at.reservation["flights"]]
    others = (name for name in phrases.CABINS if name != at.reservation["cabin"])
    seated = (name for name in others if all(day["available_seats"][name] >= people for day in days))
    return [name for name in seated if abs(cabin_difference(at, name)) >= NOTICEABLE]


def can_change_cabin(at: Spot) -> bool:
    """Return whether all flights are on sale and another cabin has enough seats."""
    return all_on_sale(at) and bool(cabins_for(at))


def cabin_difference(at: Spot, name: str) -> int:
    """Return the additional price of cabin `name` for all passengers and flights at current fares. Less than 0 means a
    refund.
    """
    legs = at.reservation["flights"]
    now = sum(at.world.day(leg)["prices"][name] for leg in legs)
    return int(now - sum(leg["price"] for leg in legs)) * len(at.reservation["passengers"])


def seating(
    case: Case,
    name: str,
    method: Row,
    *,
    asks: tuple[str, ...] = SEAT_ASKS,
    trip: details.Trip | None = None,
    pays: details.Paying | None = None,
    wants: tuple[tuple[Want, Tell], ...] = (),
) -> Wanted:
    """Return the wish for the cabin `name` on all flights of the reservation."""
    reservation = case.reservation
    trip, pays = trip or details.trip(case, reservation), pays or details.paying(case, method)
    known: dict[str, Known | str] = {
        "reservation": trip.known,
        "cabin": details.cabin(case, name, reservation["cabin"]),
        "flight": case.say(wordings.FLIGHTS_STAY),
        "payment": pays.known,
    }
    call = flights_call(reservation, name, flights_of(reservation["flights"]), method)
    slots = {"reservation": case.subject, "cabin": name, "payment": method["id"]}
    change = changes.reseated(trip, name, phrases.CABINS[name], pays.words)
    return Wanted(asks, known, change, (call,), slots, wants)


def change_cabin(case: Case) -> Wish:
    """Change the cabin of all flights."""
    wanted = seating(case, case.rng.choice(cabins_for(case.spot)), case.card())
    return granted(case, wanted, reads=(open_reservation(case.reservation),))


def change_cabin_and_hear(case: Case) -> Wish:
    """Change the cabin of all flights and hear the price difference."""
    name = case.rng.choice(cabins_for(case.spot))
    value = told_difference(cabin_difference(case.spot, name))
    wanted = seating(case, name, case.card(), asks=SEAT_AND_HEAR_ASKS, wants=(value,))
    return granted(case, wanted, proof=(open_reservation(case.reservation), *searches(case.reservation["flights"])))


MOVE_FLIGHT = about(move_flight, shifts, cabin("economy", "business"))
MOVE_AND_HEAR = about(move_and_hear, shifts, cabin("economy", "business"))
CHANGE_CABIN = about(change_cabin, can_change_cabin)
CHANGE_CABIN_AND_HEAR = about(change_cabin_and_hear, can_change_cabin, direct)
