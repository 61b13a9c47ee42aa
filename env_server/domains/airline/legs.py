"""The flights of a reservation: their price, whether they make up the trip, and their seats."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import cast

from env_server.domains.airline.arguments import FlightInfo
from env_server.domains.airline.checks import AirlineDb, date_of, flight_of
from env_server.domains.airline.clock import at
from env_server.domains.airline.tables import FLIGHTS, Cabin, Leg, Reservation
from env_server.domains.kit import refuse

_LEG = tuple(Leg.__annotations__)


def priced(
    db: AirlineDb, chosen: Sequence[FlightInfo], cabin: Cabin, passengers: int, kept: Sequence[Leg] = ()
) -> list[Leg]:
    """Return the legs for `chosen`. A leg among `kept` keeps its price; all others have today's price."""
    legs: list[Leg] = []
    for info in chosen:
        same = (leg for leg in kept if (leg["flight_number"], leg["date"]) == (info["flight_number"], info["date"]))
        legs.append(_leg(db, info, next(same, None) or _bought(db, info, cabin, passengers)))
    return legs or cast("list[Leg]", chosen)  # an empty list is stored as it came


def fare(legs: Iterable[Leg], passengers: int) -> int:
    """Return the total price of the legs, in dollars."""
    return sum(leg["price"] for leg in legs) * passengers


def need_trip(db: AirlineDb, trip: Reservation) -> None:
    """Raise a ToolError if the dialect checks trips and the flights do not make up the reservation's trip."""
    if not db.dialect.checks_trip:
        return
    rules, told = db.dialect, {"flight_type": trip["flight_type"], "start": trip["origin"], "end": trip["destination"]}
    goals = [trip["destination"], trip["origin"]][: 2 if trip["flight_type"] == "round_trip" else 1]
    place, landed = trip["origin"], datetime.min
    for leg in trip["flights"]:
        flight, day = flight_of(db, leg["flight_number"]), date.fromisoformat(leg["date"])
        if flight["origin"] != place:
            refuse(rules.leaves_elsewhere, **told, **_named(leg), origin=flight["origin"], at=place)
        if not goals:
            refuse(rules.ends_elsewhere, **told, at=leg["destination"])
        if at(day, flight["scheduled_departure_time_est"]) < landed:
            refuse(rules.leaves_too_early, **_named(leg))
        place, landed = flight["destination"], at(day, flight["scheduled_arrival_time_est"])
        if place == goals[0]:
            del goals[0]
    if goals:
        refuse(rules.ends_elsewhere, **told, at=place)


def move_seats(db: AirlineDb, legs: Iterable[Leg], cabin: Cabin, count: int) -> None:
    """Take `count` seats (less than 0: give back) on each leg; a date no longer on sale has none to move."""
    for leg in legs:
        flight = db[FLIGHTS].edit(leg["flight_number"])
        on = flight["dates"][leg["date"]]
        if on["status"] == "available":
            on["available_seats"][cabin] -= count
            db[FLIGHTS].put(flight)


def _bought(db: AirlineDb, info: FlightInfo, cabin: Cabin, passengers: int) -> Leg:
    """Return a flight as a leg bought at the current fare."""
    number, day = info["flight_number"], info["date"]
    flight = flight_of(db, number)
    on = date_of(db, flight, day)
    if on["status"] != "available":
        refuse(db.dialect.not_available, flight_number=number, date=day, status=on["status"])
    left = on["available_seats"][cabin]
    if left < passengers:
        refuse(db.dialect.too_few_seats, flight_number=number, date=day, cabin=cabin, left=left, needed=passengers)
    return {
        "flight_number": number,
        "origin": flight["origin"],
        "destination": flight["destination"],
        "date": day,
        "price": on["prices"][cabin],
    }


def _leg(db: AirlineDb, info: FlightInfo, leg: Leg) -> Leg:
    """Return the leg in its declared form. If the dialect does not coerce, add the fields to the record of the call."""
    whole = {**info, "price": leg["price"], "origin": leg["origin"], "destination": leg["destination"]}
    return cast("Leg", {name: whole[name] for name in _LEG} if db.dialect.coerces else whole)


def _named(leg: Leg) -> dict[str, str]:
    return {"flight_number": leg["flight_number"], "date": leg["date"]}
