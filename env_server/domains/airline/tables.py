"""Airline's tables: users, flights with what each date holds, and reservations. Money is in whole US dollars.

Days are text like '2024-05-20', times of day like '06:00:00'; a time on the day after ends in '+1'.
"""

from typing import Annotated, Literal, NotRequired

from pydantic import Discriminator, with_config
from typing_extensions import TypedDict

from env_server.domains.kit import CreditCard, Index, PersonName, PostalAddress, Table

Cabin = Literal["basic_economy", "economy", "business"]
FlightType = Literal["one_way", "round_trip"]
Insurance = Literal["yes", "no"]
Membership = Literal["regular", "silver", "gold"]

LENIENT = with_config(extra="ignore")
"""For a record that comes with calls: fields that it does not have are left out, not refused."""

NOW = "2024-05-15T15:00:00"
"""The current time of the world. It never advances."""

AIRPORTS = {
    "SFO": "San Francisco",
    "JFK": "New York",
    "LAX": "Los Angeles",
    "ORD": "Chicago",
    "DFW": "Dallas",
    "DEN": "Denver",
    "SEA": "Seattle",
    "ATL": "Atlanta",
    "MIA": "Miami",
    "BOS": "Boston",
    "PHX": "Phoenix",
    "IAH": "Houston",
    "LAS": "Las Vegas",
    "MCO": "Orlando",
    "EWR": "Newark",
    "CLT": "Charlotte",
    "MSP": "Minneapolis",
    "DTW": "Detroit",
    "PHL": "Philadelphia",
    "LGA": "LaGuardia",
}
"""The airports served: code -> city. Every pack has the same airports."""


class GiftCard(TypedDict):
    """A gift card with what is left on it."""

    source: Literal["gift_card"]
    id: str
    amount: float


class Certificate(TypedDict):
    """A travel certificate; it pays once, and what is left over is lost."""

    source: Literal["certificate"]
    id: str
    amount: float


PaymentMethod = Annotated[CreditCard | GiftCard | Certificate, Discriminator("source")]


@LENIENT
class Passenger(TypedDict):
    """Someone who flies; `dob` is their day of birth."""

    first_name: str
    last_name: str
    dob: str


class User(TypedDict):
    """A user, their payment methods by id, who usually flies with them, and the ids of their reservations."""

    user_id: str
    name: PersonName
    address: PostalAddress
    email: str
    dob: str
    payment_methods: dict[str, PaymentMethod]
    saved_passengers: list[Passenger]
    membership: Membership
    reservations: list[str]


class Seats(TypedDict):
    """Seats left, or the price of one, by cabin."""

    basic_economy: int
    economy: int
    business: int


class Available(TypedDict):
    """A date on which the flight can still be booked."""

    status: Literal["available"]
    available_seats: Seats
    prices: Seats


class Landed(TypedDict):
    """A date on which it has been flown."""

    status: Literal["landed"]
    actual_departure_time_est: str
    actual_arrival_time_est: str


class Flying(TypedDict):
    """A date on which it is in the air."""

    status: Literal["flying"]
    actual_departure_time_est: str
    estimated_arrival_time_est: str


class Waiting(TypedDict):
    """A date on which it is about to leave: known to be late or not, and no longer booked."""

    status: Literal["on time", "delayed"]
    estimated_departure_time_est: str
    estimated_arrival_time_est: str


class Cancelled(TypedDict):
    """A date on which the airline does not fly it."""

    status: Literal["cancelled"]


FlightDate = Annotated[Available | Landed | Flying | Waiting | Cancelled, Discriminator("status")]


class Flight(TypedDict):
    """A flight number: where from, where to, at what times, and what each date holds."""

    flight_number: str
    origin: str
    destination: str
    scheduled_departure_time_est: str
    scheduled_arrival_time_est: str
    dates: dict[str, FlightDate]


class Leg(TypedDict):
    """One flight of a reservation; `price` is what one passenger paid for it."""

    flight_number: str
    origin: str
    destination: str
    date: str
    price: int


@LENIENT
class Payment(TypedDict):
    """Money taken for a reservation; a negative amount was given back."""

    payment_id: str
    amount: int


class Reservation(TypedDict):
    """A reservation. `status` is absent, or null, until it is cancelled."""

    reservation_id: str
    user_id: str
    origin: str
    destination: str
    flight_type: FlightType
    cabin: Cabin
    flights: list[Leg]
    passengers: list[Passenger]
    payment_history: list[Payment]
    created_at: str
    total_baggages: int
    nonfree_baggages: int
    insurance: Insurance
    status: NotRequired[Literal["cancelled"] | None]


USERS = Table("users", User, key="user_id")

FLIGHTS = Table(
    "flights",
    Flight,
    key="flight_number",
    indexes=(
        Index("origin", lambda row: (row["origin"],)),
        Index("route", lambda row: (route(row["origin"], row["destination"]),)),
    ),
)

RESERVATIONS = Table("reservations", Reservation, key="reservation_id")

TABLES = (USERS, FLIGHTS, RESERVATIONS)


def route(origin: str, destination: str) -> str:
    """Return the index key for the flights between two airports."""
    return f"{origin}-{destination}"
