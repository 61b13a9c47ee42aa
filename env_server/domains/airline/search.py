"""Search for flights that can be booked. A search reads only the flights of the airports in question, never all
flights.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from env_server.domains.airline.checks import AirlineDb, need_airport
from env_server.domains.airline.tables import AIRPORTS, FLIGHTS, Flight, route

Found = dict[str, Any]
"""A flight on one day, as a search tells it."""


def direct(db: AirlineDb, origin: str, destination: str, day: str) -> list[Found]:
    """Return the direct flights between two airports that can be booked on a day."""
    flights = _flights(db, _sought(db, origin), _sought(db, destination))
    return [
        _told(db, flight, day, day, tells_date=db.dialect.direct_tells_date)
        for flight in flights
        if _bookable(flight, day)
    ]


def one_stop(db: AirlineDb, origin: str, destination: str, day: str) -> list[list[Found]]:
    """Return the pairs of connecting flights that can be booked. The first leaves on `day`. The second leaves the
    airport where the first lands, after it has landed.
    """
    start, end = _sought(db, origin), _sought(db, destination)
    if db.dialect.reads_day_first:
        _read_day(db, start, end, day)
    return [
        [_told(db, first, day, day), _told(db, second, then, day if db.dialect.second_leg_of_first_day else then)]
        for first in _flights(db, start, None)
        if _bookable(first, day)
        for second, then in _onward(db, first, end, day)
    ]


def day_after(db: AirlineDb, day: str) -> str:
    """Return the next day."""
    if db.dialect.naive_next_day:
        return f"2024-05-{int(day[-2:]) + 1}"
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()


def _read_day(db: AirlineDb, start: str | None, end: str | None, day: str) -> None:
    """Compute the next day if any pair of flights, on any days, has a first flight that lands on the next day.

    Raises:
        ValueError: if `day` does not end in a number. The message is Python's, because upstream answers with it.
    """
    for first in _flights(db, start, None):
        if "+1" in first["scheduled_arrival_time_est"] and _flights(db, first["destination"], end):
            day_after(db, day)
            return


def _onward(db: AirlineDb, first: Flight, destination: str | None, day: str) -> Iterator[tuple[Flight, str]]:
    """Return the flights that can follow `first` when it leaves on `day`, each with its day."""
    arrival = first["scheduled_arrival_time_est"]
    then = day_after(db, day) if "+1" in arrival else day
    landed = arrival if db.dialect.naive_next_day else arrival.partition("+")[0]
    for second in _flights(db, first["destination"], destination):
        if _bookable(second, then) and second["scheduled_departure_time_est"] >= landed:
            yield second, then


def _sought(db: AirlineDb, airport: Any) -> str | None:
    """Return the airport code to search for, or None for any airport. Raise a ToolError if the dialect refuses the
    code.
    """
    need_airport(db, airport, AIRPORTS)
    return None if airport is None and db.dialect.null_is_any_airport else str(airport)


def _flights(db: AirlineDb, origin: str | None, destination: str | None) -> list[Flight]:
    """Return the flights from `origin` to `destination` in row order. None means any airport."""
    if origin is None:
        return [flight for flight in db[FLIGHTS] if destination in (None, flight["destination"])]
    if destination is None:
        return db[FLIGHTS].find("origin", origin)
    return db[FLIGHTS].find("route", route(origin, destination))


def _bookable(flight: Flight, day: str) -> bool:
    return day in flight["dates"] and flight["dates"][day]["status"] == "available"


def _told(db: AirlineDb, flight: Flight, day: str, shown: str, *, tells_date: bool = True) -> Found:
    """Return the search result for the flight on `day`, with the row's data for the day `shown`."""
    told: Found = {k: v for k, v in flight.items() if k != "dates"} | {**flight["dates"][shown]}
    if tells_date:
        told["date"] = day
    elif db.dialect.unset_as_null:
        told["date"] = None
    order = db.dialect.found_fields
    return told if order is None else {name: told[name] for name in order if name in told}
