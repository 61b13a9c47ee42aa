"""Airline's tools. Amounts are whole US dollars; days are text like '2024-05-20'."""

from typing import Any

from pydantic import TypeAdapter

from env_server.domains.airline import search
from env_server.domains.airline.arguments import Bags, Charges, Day, FlightInfo, Flights, GiftDollars, Travellers
from env_server.domains.airline.checks import (
    AirlineDb,
    date_of,
    flight_of,
    given,
    need_bags,
    new_certificate_id,
    new_reservation_id,
    reservation_of,
    user_of,
)
from env_server.domains.airline.legs import fare, move_seats, need_trip, priced
from env_server.domains.airline.payments import need_payments, need_positive, pay, refund, settle
from env_server.domains.airline.tables import (
    AIRPORTS,
    NOW,
    RESERVATIONS,
    USERS,
    Cabin,
    Certificate,
    FlightType,
    Insurance,
    Passenger,
    Payment,
    Reservation,
    User,
)
from env_server.domains.kit import READ, WRITE, refuse, tool

RESERVATION_ALIASES = {"id": "reservation_id", "booking_id": "reservation_id"}
BAG_ALIASES = {
    "total_bags": "total_baggages",
    "total_baggage": "total_baggages",
    "nonfree_bags": "nonfree_baggages",
    "nonfree_baggage": "nonfree_baggages",
}
PAYMENT_ALIASES = {"payment_method_id": "payment_id", "payment_method": "payment_id"}
SEARCH_ALIASES = {"from": "origin", "to": "destination", "departure_date": "date"}

_FLIGHTS: TypeAdapter[list[FlightInfo]] = TypeAdapter(list[FlightInfo])
_PASSENGERS: TypeAdapter[list[Passenger]] = TypeAdapter(list[Passenger])
_PAYMENTS: TypeAdapter[list[Payment]] = TypeAdapter(list[Payment])
_CERTIFICATES: TypeAdapter[list[Certificate]] = TypeAdapter(list[Certificate])


@tool(
    kind=READ,
    aliases=("get_user", "get_user_info", "get_user_profile"),
    argument_aliases={"id": "user_id"},
    identifies=True,
)
def get_user_details(db: AirlineDb, user_id: str) -> User | dict[str, Any]:
    """Get a user's name, address, email, day of birth, membership, payment methods, passengers and reservations.

    Gift cards and certificates come with the dollars on them, reservations as ids only.

    Args:
        user_id: The user id, such as 'jo_doe_1234'.
    """
    user = user_of(db, user_id)
    return user if db.dialect.shows_user_id else {k: v for k, v in user.items() if k != "user_id"}


@tool(
    kind=READ,
    aliases=("get_reservation", "get_reservation_info", "get_booking_details"),
    argument_aliases={**RESERVATION_ALIASES},
)
def get_reservation_details(db: AirlineDb, reservation_id: str) -> Reservation:
    """Get a reservation: trip, cabin, flights with dates and prices, passengers, payments, bags and insurance.

    A flight's price is what each passenger paid for it. A cancelled reservation has the status 'cancelled'.

    Args:
        reservation_id: The reservation id, six capital letters and digits, such as 'ABC123'.
    """
    found = db[RESERVATIONS].get(reservation_id)
    return found or refuse(db.dialect.no_such_reservation_to_read, reservation_id=reservation_id)


@tool(kind=READ, aliases=("list_airports", "get_airports"))
def list_all_airports(db: AirlineDb) -> dict[str, str] | list[dict[str, str]]:
    """List the codes of all airports with their cities."""
    if db.dialect.lists_airports:
        return [{"iata": code, "city": city} for code, city in AIRPORTS.items()]
    return AIRPORTS


@tool(
    kind=READ,
    aliases=("search_direct_flights", "search_flights", "search_flight"),
    argument_aliases={**SEARCH_ALIASES},
)
def search_direct_flight(db: AirlineDb, origin: str, destination: str, date: Day) -> list[dict[str, Any]]:
    """Find the flights from one airport to another on a day, without a stop, that can be booked.

    Each comes with its times, and with the seats left and the price of one seat in each cabin.

    Args:
        origin: The code of the airport to leave from, such as 'SEA'.
        destination: The code of the airport to fly to, such as 'BOS'.
        date: The day of departure, such as '2024-05-20'.
    """
    return search.direct(db, origin, destination, date)


@tool(
    kind=READ,
    aliases=("search_onestop_flights", "search_one_stop_flight", "search_one_stop_flights"),
    argument_aliases={**SEARCH_ALIASES},
)
def search_onestop_flight(db: AirlineDb, origin: str, destination: str, date: Day) -> list[list[dict[str, Any]]]:
    """Find the pairs of flights, with one change of flight, from one airport to another that can be booked.

    The second leaves where the first one lands, on the day it lands and not before it has landed. Each flight comes
    with its own date, times, seats left and price of one seat in each cabin.

    Args:
        origin: The code of the airport to leave from, such as 'SEA'.
        destination: The code of the airport to fly to, such as 'BOS'.
        date: The day on which the first flight leaves, such as '2024-05-20'.
    """
    return search.one_stop(db, origin, destination, date)


@tool(kind=WRITE, aliases=("book_flight", "create_reservation", "make_reservation"))
def book_reservation(  # noqa: PLR0913, PLR0917  # the public benchmarks' own signature
    db: AirlineDb,
    user_id: str,
    origin: str,
    destination: str,
    flight_type: FlightType,
    cabin: Cabin,
    flights: Flights,
    passengers: Travellers,
    payment_methods: Charges,
    total_baggages: Bags,
    nonfree_baggages: Bags,
    insurance: Insurance,
) -> Reservation:
    """Book a new reservation for a user and take the payments for it.

    The price is that of all flights for all passengers, plus the fees for insurance and for bags that are not free;
    the payments must add up to it. Neither the bags that the user has free nor how many payment methods may be
    combined is checked here: follow the policy. Ask the user to confirm everything first.

    Args:
        user_id: The id of the user who books, such as 'jo_doe_1234'.
        origin: The code of the airport where the trip begins, such as 'SEA'.
        destination: The code of the airport that the trip is to, such as 'BOS'; for a round trip the turning point.
        flight_type: 'one_way' or 'round_trip'.
        cabin: The cabin, the same on all flights.
        flights: All flights in the order they are flown, those back included.
        passengers: Everyone who flies, the user too if they do.
        payment_methods: How it is paid: methods of the user's profile, each with its amount. What a certificate holds
            beyond its amount is lost.
        total_baggages: How many bags are checked in all.
        nonfree_baggages: How many of these have to be paid for.
        insurance: Whether the passengers are insured, 'yes' or 'no'.
    """
    rules = db.dialect
    user_of(db, user_id)
    user = db[USERS].edit(user_id)
    people = given(db, _PASSENGERS, passengers)
    reservation: Reservation = {
        "reservation_id": new_reservation_id(db),
        "user_id": user_id,
        "origin": origin,
        "destination": destination,
        "flight_type": flight_type,
        "cabin": cabin,
        "flights": priced(db, given(db, _FLIGHTS, flights), cabin, len(people)),
        "passengers": people,
        "payment_history": given(db, _PAYMENTS, payment_methods),
        "created_at": NOW,
        "total_baggages": total_baggages,
        "nonfree_baggages": nonfree_baggages,
        "insurance": insurance,
    }
    if rules.unset_as_null:
        reservation["status"] = None
    if rules.coerces:
        reservation = RESERVATIONS.validate(reservation)
    need_trip(db, reservation)
    need_bags(db, reservation["total_baggages"], reservation["nonfree_baggages"], 0)
    insured = len(people) if insurance == "yes" else 0
    extras = rules.insurance_fee * insured + rules.bag_fee * reservation["nonfree_baggages"]
    payments = reservation["payment_history"]
    need_payments(db, user, payments, fare(reservation["flights"], len(people)) + extras)
    pay(user, payments)
    user["reservations"].append(reservation["reservation_id"])
    db[USERS].put(user)
    if rules.takes_seats:
        move_seats(db, reservation["flights"], cabin, len(people))
    return db[RESERVATIONS].put(reservation)


@tool(
    kind=WRITE,
    aliases=("cancel_booking", "cancel_flight", "cancel_flight_reservation"),
    argument_aliases={**RESERVATION_ALIASES},
)
def cancel_reservation(db: AirlineDb, reservation_id: str) -> Reservation:
    """Cancel a whole reservation and refund it to the ways it was paid. It cannot be undone.

    A gift card gets its money back at once, a credit card within days; what a certificate paid is not refunded.
    Whether the reservation may be cancelled is not checked here: follow the policy. Ask the user to confirm first.

    Args:
        reservation_id: The reservation id, such as 'ABC123'.
    """
    reservation = reservation_of(db, reservation_id)
    refund(db, reservation)
    reservation["status"] = "cancelled"
    if db.dialect.returns_seats:
        move_seats(db, reservation["flights"], reservation["cabin"], -len(reservation["passengers"]))
    return db[RESERVATIONS].put(reservation)


@tool(
    kind=WRITE,
    aliases=("update_reservation_flight", "change_flights", "modify_reservation_flights"),
    argument_aliases={**RESERVATION_ALIASES, **PAYMENT_ALIASES},
)
def update_reservation_flights(
    db: AirlineDb, reservation_id: str, cabin: Cabin, flights: Flights, payment_id: str
) -> Reservation:
    """Change the flights of a reservation, its cabin, or both, and settle the difference in price.

    Flights that stay on their day and in the same cabin keep the price they were bought at; all others cost today's
    price, which search results show. Whether the reservation may be changed is not checked here: follow the policy.
    Ask the user to confirm first.

    Args:
        reservation_id: The reservation id, such as 'ABC123'.
        cabin: The cabin on all flights from now on; name the present one where it stays.
        flights: All flights of the trip in the order they are flown, those that stay included.
        payment_id: The credit card or gift card of the user's profile that pays the difference or gets it refunded.
    """
    rules = db.dialect
    reservation = reservation_of(db, reservation_id)
    count, old, old_cabin = len(reservation["passengers"]), reservation["flights"], reservation["cabin"]
    kept = old if cabin == old_cabin else []
    new = priced(db, given(db, _FLIGHTS, flights), cabin, count, kept)
    reservation["flights"] = new
    need_trip(db, reservation)
    settle(db, reservation, payment_id, fare(new, count) - fare(old, count))
    if rules.stores_new_cabin:
        reservation["cabin"] = cabin
    if rules.returns_seats:
        move_seats(db, [leg for leg in old if not (kept and leg in new)], old_cabin, -count)
        move_seats(db, [leg for leg in new if leg not in kept], cabin, count)
    return db[RESERVATIONS].put(reservation)


@tool(
    kind=WRITE,
    aliases=("update_reservation_baggage", "update_baggages", "add_baggage"),
    argument_aliases={**RESERVATION_ALIASES, **PAYMENT_ALIASES, **BAG_ALIASES},
)
def update_reservation_baggages(
    db: AirlineDb, reservation_id: str, total_baggages: Bags, nonfree_baggages: Bags, payment_id: str
) -> Reservation:
    """Change how many bags are checked with a reservation, and pay for those that are new and not free.

    Which bags are free is not checked here: follow the policy. Ask the user to confirm first.

    Args:
        reservation_id: The reservation id, such as 'ABC123'.
        total_baggages: How many bags are checked in all, those booked before included.
        nonfree_baggages: How many of these have to be paid for, those paid before included.
        payment_id: The credit card or gift card of the user's profile that pays for the new ones.
    """
    reservation = reservation_of(db, reservation_id)
    need_bags(db, total_baggages, nonfree_baggages, reservation["nonfree_baggages"])
    new = max(0, nonfree_baggages - reservation["nonfree_baggages"])
    settle(db, reservation, payment_id, db.dialect.bag_fee * new)
    reservation["total_baggages"] = total_baggages
    reservation["nonfree_baggages"] = nonfree_baggages
    return db[RESERVATIONS].put(reservation)


@tool(
    kind=WRITE,
    aliases=("update_passengers", "change_passengers", "modify_reservation_passengers"),
    argument_aliases={**RESERVATION_ALIASES},
)
def update_reservation_passengers(db: AirlineDb, reservation_id: str, passengers: Travellers) -> Reservation:
    """Change the names and days of birth of a reservation's passengers. Their number has to stay.

    Ask the user to confirm first.

    Args:
        reservation_id: The reservation id, such as 'ABC123'.
        passengers: All passengers as they are to be, in their order in the reservation, unchanged ones included.
    """
    reservation = reservation_of(db, reservation_id)
    people = given(db, _PASSENGERS, passengers)
    old, new = len(reservation["passengers"]), len(people)
    if old != new:
        refuse(db.dialect.wrong_number_of_passengers, reservation_id=reservation_id, old=old, new=new)
    reservation["passengers"] = people
    return db[RESERVATIONS].put(reservation)


@tool(kind=WRITE, aliases=("issue_certificate", "send_travel_certificate"))
def send_certificate(db: AirlineDb, user_id: str, amount: GiftDollars) -> str:
    """Give a user a travel certificate, which they can book with. Whether they should get one is for the policy.

    Args:
        user_id: The user id, such as 'jo_doe_1234'.
        amount: The whole dollars it is worth.
    """
    user_of(db, user_id)
    need_positive(db, amount)
    user = db[USERS].edit(user_id)
    made: Certificate = {"source": "certificate", "amount": amount, "id": new_certificate_id(db, user)}
    user["payment_methods"][made["id"]] = given(db, _CERTIFICATES, [made])[0]
    db[USERS].put(user)
    return f"Certificate {made['id']} added to user {user_id} with amount {amount}."


@tool(
    kind=READ,
    aliases=("check_flight_status", "get_flight_details"),
    argument_aliases={"flight_id": "flight_number", "departure_date": "date"},
)
def get_flight_status(db: AirlineDb, flight_number: str, date: Day) -> str:
    """Get how a flight stands on a day.

    It is 'available' while it can be booked, then 'on time', 'delayed', 'flying' and 'landed', or 'cancelled'.

    Args:
        flight_number: The flight number, such as 'KS101'.
        date: The day of departure, such as '2024-05-20'.
    """
    return date_of(db, flight_of(db, flight_number), date)["status"]
