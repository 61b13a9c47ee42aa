"""Reservations of the builtin world: passengers, dates, cabin and payments."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from random import Random
from typing import Any

from env_server.domains.airline.clock import DAYS, NOW, at
from env_server.domains.airline.network import CABINS, fares
from env_server.domains.airline.rules import free_bags, price

Row = dict[str, Any]
Hop = tuple[Row, date]
"""A flight and the day it leaves."""

CHANGE = timedelta(minutes=45)
"""The minimum time between two flights of one journey."""

_MOODS = {"past": 11, "begun": 12, "open": 37, "soon": 6, "delayed": 17, "cancelled": 11, "given up": 6}
"""States of reservations, with weights: flown; partly flown; ahead; first flight on time, delayed or cancelled;
cancelled by the customer.
"""

_FIRST_STATUS = {
    "past": "landed",
    "begun": "landed",
    "open": "available",
    "soon": "on time",
    "delayed": "delayed",
    "cancelled": "cancelled",
    "given up": "available",
}
_WITH_CHANGE, _RECENT = 0.4, 0.22
_CABIN_SHARES = (30, 43, 27)
_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


class Timetable:
    """Flights indexed by origin, and the flights of each day by status."""

    def __init__(self, flights: Sequence[Row]) -> None:
        """Sort `flights`, rows of the table."""
        self.leaving: dict[str, list[Row]] = {}
        self.first: dict[tuple[str, bool], list[Hop]] = {}
        for flight in flights:
            self.leaving.setdefault(flight["origin"], []).append(flight)
            for day in DAYS:
                ahead = at(day, flight["scheduled_departure_time_est"]) > NOW
                self.first.setdefault((flight["dates"][day.isoformat()]["status"], ahead), []).append((flight, day))

    def onward(self, hop: Hop, destination: str | None = None) -> list[Hop]:
        """Return the flights that can continue the journey on the same day from the airport where `hop` lands, but not
        back.
        """
        flight, day = hop
        landing = at(day, flight["scheduled_arrival_time_est"])
        return [
            (next_, day)
            for next_ in self.leaving[flight["destination"]]
            if next_["destination"] in ({destination} if destination else set(self.leaving) - {flight["origin"]})
            and at(day, next_["scheduled_departure_time_est"]) - landing >= CHANGE
        ]

    def between(self, origin: str, destination: str, day: date) -> list[list[Hop]]:
        """Return the direct journeys on `day`. If there are none, return the journeys with one change."""
        hops = [(flight, day) for flight in self.leaving[origin]]
        direct = [[hop] for hop in hops if hop[0]["destination"] == destination]
        return direct or [[hop, then] for hop in hops for then in self.onward(hop, destination)]


def reservations(rng: Random, users: list[Row], flights: Sequence[Row], count: int) -> Iterator[Row]:
    """Return `count` reservations and list them in the users' rows. Each user gets two in turn; later ones go to random
    users.
    """
    timetable, taken = Timetable(flights), set[str]()
    for number in range(count):
        user = users[number % len(users)] if number < 2 * len(users) else rng.choice(users)
        row = _reservation(rng, user, timetable, _fresh_id(rng, taken))
        user["reservations"].append(row["reservation_id"])
        yield row


def _fresh_id(rng: Random, taken: set[str]) -> str:
    """Return an id of six letters and digits. The last is a digit, so the id never equals one that a tool generates."""
    while (made := "".join(rng.choices(_ALPHABET, k=5)) + str(rng.randint(2, 9))) in taken:
        pass
    taken.add(made)
    return made


def _reservation(rng: Random, user: Row, timetable: Timetable, reservation_id: str) -> Row:
    mood = rng.choices(list(_MOODS), list(_MOODS.values()))[0]
    there, back = _journeys(rng, timetable, mood)
    cabin = rng.choices(CABINS, _CABIN_SHARES)[0]
    passengers = _passengers(rng, user)
    free = free_bags(user["membership"], cabin) * len(passengers)
    bags = rng.choice((0, min(1, free), free // 2, free, free + 1))
    row: Row = {
        "reservation_id": reservation_id,
        "user_id": user["user_id"],
        "origin": there[0][0]["origin"],
        "destination": there[-1][0]["destination"],
        "flight_type": "round_trip" if back else "one_way",
        "cabin": cabin,
        "flights": [_leg(rng, hop, cabin) for hop in (*there, *back)],
        "passengers": passengers,
        "payment_history": [],
        "created_at": _created(rng, there[0][1], recent=mood in {"open", "cancelled"} and rng.random() < _RECENT),
        "total_baggages": bags,
        "nonfree_baggages": max(0, bags - free),
        "insurance": rng.choice(("yes", "no", "no")),
    }
    amount = price(row)
    method = rng.choice([k for k, m in user["payment_methods"].items() if m["source"] != "certificate"])
    row["payment_history"].append({"payment_id": method, "amount": amount})
    if mood == "given up":
        row["payment_history"].append({"payment_id": method, "amount": -amount})
        row["status"] = "cancelled"
    return row


def _journeys(rng: Random, timetable: Timetable, mood: str) -> tuple[list[Hop], list[Hop]]:
    """Return the outbound journey and, for a round trip, the way back, in the state that the mood requires."""
    starts = timetable.first[_FIRST_STATUS[mood], mood not in {"past", "begun"}]
    while True:
        there = [rng.choice(starts)]
        onward = timetable.onward(there[0]) if rng.random() < _WITH_CHANGE else []
        there += rng.sample(onward, min(1, len(onward)))
        back = _way_back(rng, timetable, there, mood)
        if back is not None and _stands(mood, there, back):
            return there, back


def _way_back(rng: Random, timetable: Timetable, there: list[Hop], mood: str) -> list[Hop] | None:
    """Return a journey back some days later. Return an empty journey for a one-way trip, and None if no flight is
    found.
    """
    if mood != "begun" and rng.random() < 0.45:
        return []
    days = [day for day in DAYS if timedelta(days=1) < day - there[-1][1] < timedelta(days=12)]
    if not days:
        return None
    choices = timetable.between(there[-1][0]["destination"], there[0][0]["origin"], rng.choice(days))
    return rng.choice(choices) if choices else None


def _stands(mood: str, there: list[Hop], back: list[Hop]) -> bool:
    """Return whether all flights but the first fit the mood. Only a first flight may be cancelled or late."""
    statuses = [flight["dates"][day.isoformat()]["status"] for flight, day in (*there, *back)]
    if mood == "past":
        return set(statuses) == {"landed"}
    gone = len(there) if mood == "begun" else 1
    return set(statuses[1:gone]) <= {"landed"} and set(statuses[gone:]) <= {"available"}


def _leg(rng: Random, hop: Hop, cabin: str) -> Row:
    """Return a flight with the price at which it was bought, near today's fare if there is one."""
    flight, day = hop
    fare = flight["dates"][day.isoformat()].get("prices") or fares(rng, 120)
    return {
        "flight_number": flight["flight_number"],
        "origin": flight["origin"],
        "destination": flight["destination"],
        "date": day.isoformat(),
        "price": fare[cabin] * rng.randint(80, 115) // 100,
    }


def _passengers(rng: Random, user: Row) -> list[Row]:
    """Return the passengers: usually the user, and some people saved in the profile."""
    me = {**user["name"], "dob": user["dob"]}
    others = rng.sample(user["saved_passengers"], min(len(user["saved_passengers"]), rng.choice((0, 0, 0, 1, 1, 2, 3))))
    return [me, *others] if not others or rng.random() < 0.85 else [dict(other) for other in others]


def _created(rng: Random, first: date, *, recent: bool) -> str:
    """Return the booking time: within the last 24 hours, or at least two days ago and two days
    before the first flight.
    """
    if recent and first - NOW.date() > timedelta(days=2):
        return (NOW - timedelta(seconds=rng.randrange(600, 23 * 3600))).isoformat()
    latest = min(NOW, datetime.combine(first, datetime.min.time())) - timedelta(days=2)
    return (latest - timedelta(seconds=rng.randrange(25 * 24 * 3600))).isoformat()
