"""Wishes for other flights or another cabin in a reservation."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from env_server.domains.airline.clock import DAYS, NOW
from env_server.domains.airline.scenarios import phrases
from env_server.domains.airline.scenarios.base import (
    Case,
    Part,
    Row,
    Spot,
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
from env_server.domains.kit import GoldCall, Request

NOTICEABLE = 10
"""Dollars from which on a difference in price is not told by accident."""


def flights_call(reservation: Row, cabin_: str, flights: list[dict[str, Any]], method: Row) -> GoldCall:
    """The write that sets a reservation's cabin and flights."""
    return write(
        "update_reservation_flights",
        reservation_id=reservation["reservation_id"],
        cabin=cabin_,
        flights=flights,
        payment_id=method["id"],
    )


@dataclass(frozen=True)
class Shift:
    """Another flight for the last leg of a reservation."""

    flights: list[dict[str, Any]]
    """All flights, as the tools take them."""

    leg: Leg
    difference: int
    """What all passengers pay more together, in dollars; less than 0 where they get money back."""


def shifts(at: Spot) -> bool:
    """Whether the last flight can be changed for one on either of two other days at least."""
    return all_on_sale(at) and direct(at) and movable(at)


def movable(at: Spot) -> bool:
    """Whether there are two other days with a flight in place of the last one."""
    return sum(bool(_instead(at, day)) for day in _days(at.reservation)) > 1


def shift(case: Case, reservation: Row, *, besides: str = "") -> Shift:
    """A flight on another day (not `besides`) in place of the last one of `reservation`."""
    *kept, last = reservation["flights"]
    found = [legs for day in _days(reservation) if day != besides and (legs := _instead(case.spot, day))]
    leg = case.rng.choice(case.rng.choice(found))
    moved = {"flight_number": leg.flight["flight_number"], "date": leg.day}
    difference = (leg.fare(reservation["cabin"]) - last["price"]) * len(reservation["passengers"])
    return Shift([*flights_of(kept), moved], leg, difference)


def _instead(at: Spot, day: str) -> list[Leg]:
    """The flights on `day` that can take the place of the last one, at a price that clearly differs."""
    last = at.reservation["flights"][-1]
    offers, cabin_ = at.world.offers(last["origin"], last["destination"], day), at.reservation["cabin"]
    found = choices(offers, day, cabin_, len(at.reservation["passengers"]))
    return [leg for leg in found if abs(leg.fare(cabin_) - last["price"]) >= NOTICEABLE]


def _days(reservation: Row) -> list[str]:
    """Other days for the last flight, after the one before it and far enough ahead to be on sale."""
    *kept, last = reservation["flights"]
    after = kept[-1]["date"] if kept else (NOW.date() + timedelta(days=1)).isoformat()
    return [day.isoformat() for day in DAYS if after < day.isoformat() != last["date"]]


def move_flight(case: Case) -> Part:
    """Another day for the last flight of a reservation."""
    reservation, method = case.reservation, case.card()
    made = shift(case, reservation)
    details = shift_details(case, made, method)
    return Part(
        requests=(Request(ask=_ask_to_move(case), details=details),),
        goal=f"You want to change a flight. {phrases.told(details)}",
        reads=(open_reservation(reservation),),
        writes=(flights_call(reservation, reservation["cabin"], made.flights, method),),
        slots={"reservation": case.subject, "flights": made.flights, "words": made.leg.words, "payment": method["id"]},
    )


def shift_details(case: Case, made: Shift, method: Row) -> dict[str, str]:
    """What a caller answers about a change of flights."""
    last = case.reservation["flights"][-1]
    return {
        "reservation": phrases.reservation(case, case.reservation),
        "flight": f"It is about {phrases.flight(last)}. In its place: {made.leg.words}",
        "cabin": "The cabin stays as it is.",
        "payment": f"For the difference, please use {phrases.method(method)}.",
    }


def _ask_to_move(case: Case) -> str:
    return phrases.one_of(
        case.rng, "I need another flight in one of my reservations.", "I want to change the day of a flight."
    )


def move_and_hear(case: Case) -> Part:
    """Another day for the last flight, and the difference in price."""
    reservation, method = case.reservation, case.card()
    made = shift(case, reservation)
    details, amount = shift_details(case, made, method), str(abs(made.difference))
    ask = "I need another flight in a reservation, and I want to know the difference in price for all of us."
    return Part(
        requests=(Request(ask=ask, details=details, wants=(amount,)),),
        goal=f"You want to change a flight and to be told the difference in price. {phrases.told(details)}",
        proof=(open_reservation(reservation), *moved_searches(reservation, made)),
        writes=(flights_call(reservation, reservation["cabin"], made.flights, method),),
        outputs=(amount,),
        slots={"reservation": case.subject, "flights": made.flights, "words": made.leg.words, "payment": method["id"]},
    )


def moved_searches(reservation: Row, made: Shift) -> tuple[GoldCall, ...]:
    """The search that shows the new flight."""
    return searches([{**reservation["flights"][-1], "date": made.leg.day}])


def cabins_for(at: Spot) -> list[str]:
    """The other cabins that have seats for all passengers on all flights, at a price that clearly differs."""
    people = len(at.reservation["passengers"])
    days = [at.world.day(leg) for leg in at.reservation["flights"]]
    others = (name for name in phrases.CABINS if name != at.reservation["cabin"])
    seated = (name for name in others if all(day["available_seats"][name] >= people for day in days))
    return [name for name in seated if abs(cabin_difference(at, name)) >= NOTICEABLE]


def can_change_cabin(at: Spot) -> bool:
    """Whether all flights are on sale, with seats in another cabin."""
    return all_on_sale(at) and bool(cabins_for(at))


def cabin_difference(at: Spot, name: str) -> int:
    """What all passengers pay more for all flights in cabin `name`, at present fares; less than 0 for money back."""
    legs = at.reservation["flights"]
    now = sum(at.world.day(leg)["prices"][name] for leg in legs)
    return int(now - sum(leg["price"] for leg in legs)) * len(at.reservation["passengers"])


def cabin_details(case: Case, name: str, payment: str) -> dict[str, str]:
    """What a caller answers about a change of cabin."""
    return {
        "reservation": phrases.reservation(case, case.reservation),
        "cabin": f"I want {phrases.CABINS[name]} on all flights of the reservation.",
        "flight": "The flights themselves stay as they are.",
        "payment": payment,
    }


def change_cabin(case: Case) -> Part:
    """Another cabin for all flights."""
    reservation, method = case.reservation, case.card()
    name = case.rng.choice(cabins_for(case.spot))
    details = cabin_details(case, name, phrases.paying(method))
    return Part(
        requests=(Request(ask="I'd like to sit in another cabin.", details=details),),
        goal=f"You want another cabin for a reservation. {phrases.told(details)}",
        reads=(open_reservation(reservation),),
        writes=(flights_call(reservation, name, flights_of(reservation["flights"]), method),),
        slots={"reservation": case.subject, "cabin": name, "payment": method["id"]},
    )


def change_cabin_and_hear(case: Case) -> Part:
    """Another cabin for all flights, and the difference in price."""
    reservation, method = case.reservation, case.card()
    name = case.rng.choice(cabins_for(case.spot))
    details = cabin_details(case, name, phrases.paying(method))
    amount = str(abs(cabin_difference(case.spot, name)))
    ask = "I'd like to sit in another cabin, and to know the difference in price for all of us."
    return Part(
        requests=(Request(ask=ask, details=details, wants=(amount,)),),
        goal=f"You want another cabin and to be told the difference in price. {phrases.told(details)}",
        proof=(open_reservation(reservation), *searches(reservation["flights"])),
        writes=(flights_call(reservation, name, flights_of(reservation["flights"]), method),),
        outputs=(amount,),
        slots={"reservation": case.subject, "cabin": name, "payment": method["id"]},
    )


MOVE_FLIGHT = about(move_flight, shifts, cabin("economy", "business"))
MOVE_AND_HEAR = about(move_and_hear, shifts, cabin("economy", "business"))
CHANGE_CABIN = about(change_cabin, can_change_cabin)
CHANGE_CABIN_AND_HEAR = about(change_cabin_and_hear, can_change_cabin, direct)
