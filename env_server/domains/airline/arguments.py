"""The records that airline's tools take, and the types that the public benchmarks' schemas show for them."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema
from typing_extensions import TypedDict

from env_server.domains.airline.tables import LENIENT, Passenger, Payment


@dataclass(frozen=True)
class Inline:
    """Marks a record whose schema stands where it is used, not behind a reference."""

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The record's own schema."""
        return handler.resolve_ref_schema(handler(core))


Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]

Bags = Annotated[int, Field(ge=0, le=50)]
"""Checked bags of a whole reservation."""

Dollars = Annotated[int, Field(le=1_000_000)]
"""What one payment method pays for a booking; the tools refuse 0 and less where the dialect does."""

GiftDollars = Annotated[int, Field(le=10_000)]
"""What a travel certificate is worth; the tools refuse 0 and less where the dialect does."""


@LENIENT
class FlightInfo(TypedDict):
    """A flight on one day."""

    flight_number: str
    date: str


@LENIENT
class DatedFlight(TypedDict):
    """A flight number and the day of its departure, such as '2024-05-20'."""

    flight_number: str
    date: Day


@LENIENT
class Traveller(TypedDict):
    """A passenger: names as in their passport, and the day of birth, such as '1990-12-31'."""

    first_name: str
    last_name: str
    dob: Day


@LENIENT
class Charge(TypedDict):
    """A payment method of the user's profile and the whole dollars that it pays."""

    payment_id: str
    amount: Dollars


@LENIENT
class Share(TypedDict):
    """A payment method and what it pays; cents allowed."""

    payment_id: str
    amount: float


Flights = Annotated[list[Annotated[DatedFlight, Inline()]], Field(min_length=1)]
Travellers = Annotated[list[Annotated[Traveller, Inline()]], Field(min_length=1)]
Charges = Annotated[list[Annotated[Charge, Inline()]], Field(min_length=1)]

Types = dict[str, dict[str, Any]]
"""Tool -> argument -> the type that a schema shows."""

_DAY_AS_TEXT = {"date": str}
_SEARCHES: Types = {"search_direct_flight": _DAY_AS_TEXT, "search_onestop_flight": _DAY_AS_TEXT}

_BAGS_AS_NUMBERS = {"total_baggages": int, "nonfree_baggages": int}
_V1_FLIGHTS = {"flights": list[Annotated[FlightInfo, Inline()]]}
_V1_PASSENGERS = {"passengers": list[Annotated[Passenger, Inline()]]}

TAU1_TYPES: Types = {
    **_SEARCHES,
    "book_reservation": {
        **_V1_FLIGHTS,
        **_V1_PASSENGERS,
        **_BAGS_AS_NUMBERS,
        "payment_methods": list[Annotated[Share, Inline()]],
    },
    "send_certificate": {"amount": float},
    "update_reservation_baggages": _BAGS_AS_NUMBERS,
    "update_reservation_flights": _V1_FLIGHTS,
    "update_reservation_passengers": _V1_PASSENGERS,
}
"""Tool -> argument -> the type that tau-bench's schema of the tool shows."""

_V2_CABIN = {"cabin": Literal["business", "economy", "basic_economy"]}
_V2_FLIGHTS = {"flights": list[FlightInfo | dict[str, Any]]}
_V2_PASSENGERS = {"passengers": list[Passenger | dict[str, Any]]}

TAU2_TYPES: Types = {
    **_SEARCHES,
    "get_flight_status": _DAY_AS_TEXT,
    "book_reservation": {
        "flight_type": Literal["round_trip", "one_way"],
        **_V2_CABIN,
        **_V2_FLIGHTS,
        **_V2_PASSENGERS,
        **_BAGS_AS_NUMBERS,
        "payment_methods": list[Payment | dict[str, Any]],
    },
    "send_certificate": {"amount": int},
    "update_reservation_baggages": _BAGS_AS_NUMBERS,
    "update_reservation_flights": {**_V2_CABIN, **_V2_FLIGHTS},
    "update_reservation_passengers": _V2_PASSENGERS,
}
"""Tool -> argument -> the type that tau2-bench's schema of the tool shows."""
