"""Base classes and tests of airline's scenarios: the carrier's rows, and the reservations that a wish can be about."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import Any

from env_server.domains import kit
from env_server.domains.airline.clock import NOW
from env_server.domains.airline.rules import price
from env_server.domains.kit import GoldCall, Row, Snapshot, Wish, read, write

__all__ = ["Carrier", "Case", "Row", "Spot", "Test", "Wish", "about", "about_caller", "changed", "read", "write"]

GONE = frozenset({"landed", "flying"})


class Carrier:
    """Look-ups in the rows of a base snapshot, for scenarios."""

    def __init__(self, base: Snapshot) -> None:
        """Read `base`; rows stay shared and frozen."""
        self.customers: Mapping[str, Row] = base.tables["users"].rows
        self.flights: Mapping[str, Row] = base.tables["flights"].rows
        self.reservations: Mapping[str, Row] = base.tables["reservations"].rows

    def owned(self, user: Row) -> Iterator[str]:
        """Return the values that belong only to this user: id, email address, reservations and payment methods."""
        yield from (user["user_id"], user["email"], *user["reservations"], *user["payment_methods"])

    def reservations_of(self, user: Row) -> list[Row]:
        """Return the user's reservations, in the order the user row lists them."""
        return [self.reservations[reservation_id] for reservation_id in user["reservations"]]

    def day(self, leg: Row) -> Row:
        """Return the status of a reservation's flight on its day, with seats and prices if it is still on sale."""
        day: Row = self.flights[leg["flight_number"]]["dates"][leg["date"]]
        return day

    def status(self, leg: Row) -> str:
        """Return the flight's status on its day."""
        return str(self.day(leg)["status"])

    def statuses(self, reservation: Row) -> list[str]:
        """Return the status of each flight of a reservation."""
        return [self.status(leg) for leg in reservation["flights"]]

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The ids of all payment methods."""
        return frozenset(key for user in self.customers.values() for key in user["payment_methods"])

    @cached_property
    def routes(self) -> dict[tuple[str, str], list[Row]]:
        """(Origin, destination) -> the flights between them, in row order."""
        found: dict[tuple[str, str], list[Row]] = {}
        for flight in self.flights.values():
            found.setdefault((flight["origin"], flight["destination"]), []).append(flight)
        return found

    def offers(self, origin: str, destination: str, day: str) -> list[Row]:
        """Return the direct flights that can be booked on `day`."""
        flights = self.routes.get((origin, destination), [])
        return [flight for flight in flights if flight["dates"][day]["status"] == "available"]


@dataclass(frozen=True)
class Case(kit.Case[Carrier]):
    """A caller and the reservation that one of their wishes is about."""

    @property
    def reservation(self) -> Row:
        """The reservation; empty where the wish is about none."""
        return self.world.reservations.get(self.subject, {})

    @property
    def methods(self) -> Mapping[str, Row]:
        """The caller's payment methods."""
        methods: Mapping[str, Row] = self.customer["payment_methods"]
        return methods

    @property
    def spot(self) -> "Spot":
        """The caller and the reservation alone."""
        return Spot(self.world, self.customer, self.reservation)

    def say(self, bank: Sequence[str], *values: str) -> str:
        """Return a wording from `bank` with `values` filled in and a capital first letter."""
        text = self.voice.pick(*bank).format(*values)
        return text[:1].upper() + text[1:]

    def card(self) -> Row:
        """Return a credit card of the caller. A credit card covers any amount."""
        return self.rng.choice(stored(self.customer, "credit_card"))


@dataclass(frozen=True)
class Spot(kit.Spot[Carrier]):
    """A caller and a reservation of theirs that a wish may be about."""

    @property
    def reservation(self) -> Row:
        """The reservation; empty where the wish is about none."""
        return self.row

    @property
    def statuses(self) -> list[str]:
        """The status of each flight."""
        return self.world.statuses(self.reservation)


Test = Callable[[Spot], bool]
"""A predicate: whether a wish fits a caller and reservation."""


def _spots(world: Carrier, user: Row) -> Iterator[tuple[str, Spot]]:
    return ((row["reservation_id"], Spot(world, user, row)) for row in world.reservations_of(user))


about = partial(kit.about, _spots)
"""`about(make, *tests)`: a wish about one of the caller's reservations for which all `tests` hold."""

about_caller = partial(kit.about_caller, Spot)
"""`about_caller(make, *tests)`: a wish about no reservation, of callers for whom all `tests` hold."""


def stored(user: Row, source: str) -> list[Row]:
    """Return the user's payment methods of one kind: `credit_card`, `gift_card` or `certificate`."""
    return [method for method in user["payment_methods"].values() if method["source"] == source]


def active(at: Spot) -> bool:
    """Return whether the customer has not cancelled the reservation."""
    return bool(at.reservation.get("status") != "cancelled")


def ahead(at: Spot) -> bool:
    """Return whether the reservation is active and no flight has left."""
    return active(at) and not GONE & set(at.statuses)


def all_on_sale(at: Spot) -> bool:
    """Return whether the reservation is active and all flights are still on sale, so that current fares are visible."""
    return active(at) and set(at.statuses) == {"available"}


def direct(at: Spot) -> bool:
    """Return whether the trip has no change of planes, so that one search for each direction finds all fares."""
    return len(at.reservation["flights"]) == (2 if at.reservation["flight_type"] == "round_trip" else 1)


def recent(at: Spot) -> bool:
    """Return whether the reservation was booked within the last 24 hours."""
    return NOW - datetime.fromisoformat(at.reservation["created_at"]) <= timedelta(hours=24)


def insured(at: Spot) -> bool:
    """Return whether the reservation has travel insurance."""
    return bool(at.reservation["insurance"] == "yes")


def cabin(*cabins: str) -> Test:
    """Return a test for reservations in one of these cabins."""
    return lambda at: at.reservation["cabin"] in cabins


def has(source: str, least: int = 1) -> Test:
    """Return a test for callers with at least `least` payment methods of one kind."""
    return lambda at: len(stored(at.user, source)) >= least


def not_(test: Test) -> Test:
    """Return the negation of `test`."""
    return lambda at: not test(at)


def open_user(user: Row) -> GoldCall:
    """Return the look-up of the caller's own details: date of birth, membership, payment methods and reservations."""
    return read("get_user_details", user_id=user["user_id"])


def open_reservation(reservation: Row) -> GoldCall:
    """Return the look-up of a reservation."""
    return read("get_reservation_details", reservation_id=reservation["reservation_id"])


def check_flight(leg: Row) -> GoldCall:
    """Return the look-up of a flight's status."""
    return read("get_flight_status", flight_number=leg["flight_number"], date=leg["date"])


def search(origin: str, destination: str, day: str) -> GoldCall:
    """Return the search for the direct flights of a day."""
    return read("search_direct_flight", origin=origin, destination=destination, date=day)


def searches(legs: Iterable[Row]) -> tuple[GoldCall, ...]:
    """Return the searches that show the present fares of a reservation's flights."""
    return tuple(search(leg["origin"], leg["destination"], leg["date"]) for leg in legs)


def flights_of(legs: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the reservation's flights in the form that the tools take."""
    return [{"flight_number": leg["flight_number"], "date": leg["date"]} for leg in legs]


def changed(reservation: Row, **fields: Any) -> kit.Patch:
    """Return the reservation with the new `fields`. The original payment methods pay the resulting price."""
    amount = price({**reservation, **fields})
    method = fields.pop("paid_by", reservation["payment_history"][0]["payment_id"])
    history = [{"payment_id": method, "amount": amount}]
    return {"reservations": {reservation["reservation_id"]: {**fields, "payment_history": history}}}


def passengers_of(reservation: Row) -> list[dict[str, Any]]:
    """Return a mutable copy of the reservation's passengers in the form that the tools take."""
    return [dict(passenger) for passenger in reservation["passengers"]]
