"""Invariants of every state of the builtin world after any tool calls."""

from collections.abc import Iterator
from datetime import date, datetime
from itertools import pairwise
from typing import Any, get_args

from env_server.domains.airline.clock import at
from env_server.domains.airline.rules import price
from env_server.domains.airline.tables import (
    AIRPORTS,
    FLIGHTS,
    RESERVATIONS,
    USERS,
    Cabin,
    Flight,
    Leg,
    Reservation,
    User,
)
from env_server.domains.kit import Db

CABINS: tuple[Cabin, ...] = get_args(Cabin)


def invariants(db: Db[Any]) -> Iterator[str]:
    """Return one sentence for each inconsistency of the state."""
    for user in db[USERS]:
        yield from _user(db, user)
    for flight in db[FLIGHTS]:
        yield from _flight(flight)
    for reservation in db[RESERVATIONS]:
        yield from _reservation(db, reservation)


def _user(db: Db[Any], user: User) -> Iterator[str]:
    name, listed = user["user_id"], user["reservations"]
    if len(set(listed)) < len(listed):
        yield f"user {name} lists a reservation twice"
    for reservation_id in listed:
        reservation = db[RESERVATIONS].get(reservation_id)
        if reservation is None or reservation["user_id"] != name:
            yield f"user {name} lists reservation {reservation_id}, which is not theirs"
    for key, method in user["payment_methods"].items():
        if key != method["id"]:
            yield f"payment method {key} of user {name} has another id, {method['id']}"
        if method["source"] != "credit_card" and method["amount"] < 0:
            yield f"payment method {key} of user {name} is overdrawn"


def _flight(flight: Flight) -> Iterator[str]:
    name = flight["flight_number"]
    if not {flight["origin"], flight["destination"]} <= set(AIRPORTS):
        yield f"flight {name} uses an airport that does not exist"
    for day, data in flight["dates"].items():
        if data["status"] != "available":
            continue
        seats, prices = data["available_seats"], data["prices"]
        if min(seats[cabin] for cabin in CABINS) < 0:
            yield f"flight {name} is overbooked on {day}"
        if min(prices[cabin] for cabin in CABINS) <= 0:
            yield f"flight {name} costs nothing on {day}"


def _reservation(db: Db[Any], reservation: Reservation) -> Iterator[str]:
    name, user = reservation["reservation_id"], db[USERS].get(reservation["user_id"])
    if user is None or name not in user["reservations"]:
        yield f"reservation {name} is not listed by its user"
    if not 0 <= reservation["nonfree_baggages"] <= reservation["total_baggages"]:
        yield f"reservation {name} has {reservation['nonfree_baggages']} paid bags of {reservation['total_baggages']}"
    if not reservation["passengers"]:
        yield f"reservation {name} has no passengers"
    yield from _journey(db, reservation)
    yield from _money(user, reservation)


def _journey(db: Db[Any], reservation: Reservation) -> Iterator[str]:
    """Check that the flights exist on their days, connect in time, and follow the reservation's route."""
    name, legs = reservation["reservation_id"], reservation["flights"]
    times: list[tuple[datetime, datetime]] = []
    for leg in legs:
        flight = db[FLIGHTS].get(leg["flight_number"])
        if flight is None or leg["date"] not in flight["dates"] or _route(leg) != _route(flight):
            yield f"reservation {name} has a flight that does not exist: {leg['flight_number']} on {leg['date']}"
            return
        day = date.fromisoformat(leg["date"])
        departure, arrival = flight["scheduled_departure_time_est"], flight["scheduled_arrival_time_est"]
        times.append((at(day, departure), at(day, arrival)))
    if any(one["destination"] != two["origin"] for one, two in pairwise(legs)):
        yield f"the flights of reservation {name} do not connect"
    if any(two[0] < one[1] for one, two in pairwise(times)):
        yield f"a flight of reservation {name} leaves before the one before it lands"
    end = reservation["origin" if reservation["flight_type"] == "round_trip" else "destination"]
    if (legs[0]["origin"], legs[-1]["destination"]) != (reservation["origin"], end):
        yield f"the flights of reservation {name} are not the trip that it says"
    if reservation["destination"] not in {leg["destination"] for leg in legs}:
        yield f"reservation {name} never comes to its destination"


def _route(row: Leg | Flight) -> tuple[str, str]:
    return row["origin"], row["destination"]


def _money(user: User | None, reservation: Reservation) -> Iterator[str]:
    """Check that the payments equal the price. A cancelled reservation keeps only the amount paid with certificates."""
    name, history = reservation["reservation_id"], reservation["payment_history"]
    cards = [entry for entry in history if not entry["payment_id"].startswith("certificate_")]
    papers = sum(entry["amount"] for entry in history if entry not in cards)
    balance = sum(entry["amount"] for entry in cards)
    if user is not None and not {entry["payment_id"] for entry in cards} <= set(user["payment_methods"]):
        yield f"reservation {name} was paid with a card that is not its user's"
    if reservation.get("status") == "cancelled":
        if balance > 0 or papers + balance < 0 or (balance and not papers):
            yield f"reservation {name} is cancelled, and {balance} dollars are not settled"
    elif balance + papers != price(reservation):
        yield f"reservation {name} costs {price(reservation)} dollars, and {balance + papers} are paid"
