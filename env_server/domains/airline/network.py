"""The builtin timetable: 300 flight numbers over 30 days, with their status, free seats and fares."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import combinations, pairwise
from math import isqrt
from random import Random
from typing import Any

from env_server.domains.airline.clock import DAYS, NOW
from env_server.domains.airline.tables import AIRPORTS

Row = dict[str, Any]

_PLACES = {
    "SFO": (376, 1224), "JFK": (406, 738), "LAX": (339, 1184), "ORD": (420, 879), "DFW": (329, 970),
    "DEN": (399, 1047), "SEA": (474, 1223), "ATL": (336, 844), "MIA": (258, 803), "BOS": (424, 710),
    "PHX": (334, 1120), "IAH": (300, 953), "LAS": (361, 1152), "MCO": (284, 813), "EWR": (407, 742),
    "CLT": (352, 809), "MSP": (449, 932), "DTW": (422, 834), "PHL": (399, 752), "LGA": (408, 739),
}  # fmt: skip
"""Airport -> latitude and longitude in tenths of a degree north and west."""

ROUTES = 50
"""Pairs of airports that are served, in both directions."""

_SHORTEST = 400
_WINDOWS = ((5 * 60, 9 * 60), (11 * 60, 15 * 60), (17 * 60, 22 * 60))
"""Each direction of a route has one departure in each of these windows (minutes after midnight)."""

_CANCELLED, _DELAYED, _SOLD_OUT = 0.05, 0.4, 0.07
_STEP = 15
CABINS = ("basic_economy", "economy", "business")
_SEATS = {"basic_economy": 22, "economy": 26, "business": 14}


def flights(rng: Random) -> list[Row]:
    """Return the rows of `flights`, three departures a day in each direction of each route."""
    rows: list[Row] = []
    for one, two in routes(rng):
        for origin, destination in ((one, two), (two, one)):
            rows += [
                _flight(rng, origin, destination, window, 101 + len(rows) + n) for n, window in enumerate(_WINDOWS)
            ]
    return rows


def routes(rng: Random) -> list[tuple[str, str]]:
    """Return the pairs of airports served: a ring through all airports, so that each is reachable,
    and further pairs.
    """
    while True:
        order = rng.sample(list(AIRPORTS), len(AIRPORTS))
        ring = list(pairwise([*order, order[0]]))
        if all(kilometres(*pair) >= _SHORTEST for pair in ring):
            break
    served = {frozenset(pair) for pair in ring}
    pairs = combinations(AIRPORTS, 2)
    far = [pair for pair in pairs if kilometres(*pair) >= _SHORTEST and frozenset(pair) not in served]
    return ring + rng.sample(far, ROUTES - len(ring))


def kilometres(one: str, two: str) -> int:
    """Return the approximate distance between two airports as a whole number, so that all machines agree."""
    (north, west), (north2, west2) = _PLACES[one], _PLACES[two]
    return isqrt(((north - north2) * 111) ** 2 + ((west - west2) * 87) ** 2) // 10


@dataclass(frozen=True)
class _Times:
    """A flight's timetable, in minutes after midnight."""

    departure: int
    arrival: int

    def on(self, day: date, late: int = 0) -> tuple[datetime, datetime]:
        """Return departure and arrival on `day`, `late` minutes after the timetable."""
        midnight = datetime.combine(day, time())
        return midnight + timedelta(minutes=self.departure + late), midnight + timedelta(minutes=self.arrival + late)


def _flight(rng: Random, origin: str, destination: str, window: tuple[int, int], number: int) -> Row:
    length = kilometres(origin, destination)
    departure = rng.randrange(*window, _STEP)
    times = _Times(departure, departure + 35 + length * 60 // 760 // 5 * 5)
    return {
        "flight_number": f"KS{number}",
        "origin": origin,
        "destination": destination,
        "scheduled_departure_time_est": _clock(times.departure),
        "scheduled_arrival_time_est": _clock(times.arrival),
        "dates": {day.isoformat(): _day(rng, times, day, 40 + length // 28) for day in DAYS},
    }


def _clock(minutes: int) -> str:
    """Return minutes after midnight as `HH:MM:00`, with `+1` after the next midnight."""
    days, minutes = divmod(minutes, 24 * 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:00" + ("+1" if days else "")


def _day(rng: Random, times: _Times, day: date, fare: int) -> Row:
    """Return a flight's record on one day. Up to 24 hours before departure it is on sale; later it is only on time or
    delayed.
    """
    if rng.random() < _CANCELLED:
        return {"status": "cancelled"}
    if times.on(day)[0] - NOW > timedelta(hours=24):
        return {"status": "available", "available_seats": _seats(rng), "prices": fares(rng, fare)}
    delayed = rng.random() < _DELAYED
    departure, arrival = times.on(day, rng.randrange(45, 240) if delayed else rng.randrange(0, 12))
    if arrival < NOW:
        return _timed("landed", "actual", departure, "actual", arrival)
    if departure < NOW:
        return _timed("flying", "actual", departure, "estimated", arrival)
    return _timed("delayed" if delayed else "on time", "estimated", departure, "estimated", arrival)


def _timed(status: str, leaves: str, departure: datetime, comes: str, arrival: datetime) -> Row:
    return {
        "status": status,
        f"{leaves}_departure_time_est": departure.isoformat(),
        f"{comes}_arrival_time_est": arrival.isoformat(),
    }


def _seats(rng: Random) -> Row:
    return {cabin: 0 if rng.random() < _SOLD_OUT else rng.randint(1, most) for cabin, most in _SEATS.items()}


def fares(rng: Random, fare: int) -> Row:
    """Return the fare of each cabin in whole dollars, around the route's lowest `fare`."""
    basic = fare * rng.randint(75, 130) // 100
    economy = basic + fare * rng.randint(30, 90) // 100 + 9
    return {"basic_economy": basic, "economy": economy, "business": economy + fare * rng.randint(150, 300) // 100}
