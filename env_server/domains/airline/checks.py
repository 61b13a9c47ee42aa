"""Checks shared by airline's tools: look-ups that fail with the dialect's text, and conversion of the records in a
call.
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar, cast

from pydantic import TypeAdapter

from env_server.domains.airline.dialects import AirlineDialect
from env_server.domains.airline.tables import FLIGHTS, RESERVATIONS, USERS, Flight, FlightDate, Reservation, User
from env_server.domains.kit import Db, refuse, thaw

AirlineDb = Db[AirlineDialect]
T = TypeVar("T")

_FIRST_ID = "HATHAT"
_FIRST_CERTIFICATE = 3221322
_IDS = 3
"""The number of ids if ids run out."""


def user_of(db: AirlineDb, user_id: str) -> User:
    """Return the user with this id. Raise a ToolError where there is none."""
    return db[USERS].get(user_id) or refuse(db.dialect.no_such_user, user_id=user_id)


def reservation_of(db: AirlineDb, reservation_id: str) -> Reservation:
    """Return a mutable copy of the reservation. Raise a ToolError if it does not exist or may no longer change."""
    if reservation_id not in db[RESERVATIONS]:
        refuse(db.dialect.no_such_reservation, reservation_id=reservation_id)
    reservation = db[RESERVATIONS].edit(reservation_id)
    if reservation.get("status") == "cancelled" and not db.dialect.changes_cancelled:
        refuse(db.dialect.cancelled, reservation_id=reservation_id)
    return reservation


def flight_of(db: AirlineDb, flight_number: str) -> Flight:
    """Return the flight with this number. Raise a ToolError where there is none."""
    return db[FLIGHTS].get(flight_number) or refuse(db.dialect.no_such_flight, flight_number=flight_number)


def date_of(db: AirlineDb, flight: Flight, day: str) -> FlightDate:
    """Return the data of the flight's row for this day. Raise a ToolError if it has none."""
    found = flight["dates"].get(day)
    return found or refuse(db.dialect.no_such_date, flight_number=flight["flight_number"], date=day)


def need_airport(db: AirlineDb, airport: str, known: Iterable[str]) -> None:
    """Raise a ToolError if the dialect requires known airports and this one is unknown."""
    if db.dialect.checks_airports and airport not in known:
        refuse(db.dialect.no_such_airport, airport=airport)


def need_bags(db: AirlineDb, total: int, nonfree: int, paid: int) -> None:
    """Raise a ToolError if the dialect checks bags and `nonfree` of `total` is impossible or less
    than the `paid` bags.
    """
    if db.dialect.checks_bags and not 0 <= nonfree <= total:
        refuse(db.dialect.bags_do_not_fit, total=total, nonfree=nonfree)
    if db.dialect.checks_bags and nonfree < paid:
        refuse(db.dialect.paid_bags_stay, paid=paid, nonfree=nonfree)


def given(db: AirlineDb, records: TypeAdapter[list[T]], values: Iterable[T]) -> list[T]:
    """Return copies of the records in a call, in their declared form if the dialect coerces.

    Raises:
        pydantic.ValidationError: for records that cannot be brought into it.
    """
    if db.dialect.coerces and all(isinstance(value, Mapping) for value in values):
        return records.validate_python(list(values))
    return cast("list[T]", thaw(values))


def new_reservation_id(db: AirlineDb) -> str:
    """Return the first free id from HATHAT on. Raise a ToolError if ids run out."""
    count = 0
    while (made := _lettered(count)) in db[RESERVATIONS]:
        count += 1
        if count == _IDS and db.dialect.ids_run_out:
            return made if db.dialect.last_id_again else refuse(db.dialect.too_many_reservations)
    return made


def new_certificate_id(db: AirlineDb, user: User) -> str:
    """Return the first certificate id that the user does not have. Raise a ToolError if ids run out."""
    count = 0
    while (made := f"certificate_{_FIRST_CERTIFICATE + count}") in user["payment_methods"]:
        count += 1
        if count == _IDS and db.dialect.ids_run_out:
            refuse(db.dialect.too_many_certificates, user_id=user["user_id"])
    return made


def _lettered(count: int) -> str:
    """Return the id `count` places after the first, counting in letters: HATHAT, HATHAU, ... HATHAZ, HATHBA."""
    letters = list(_FIRST_ID)
    for at in reversed(range(len(letters))):
        count, letter = divmod(ord(letters[at]) - ord("A") + count, 26)
        letters[at] = chr(ord("A") + letter)
    return "".join(letters)
