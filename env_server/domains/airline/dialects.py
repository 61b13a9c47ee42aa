"""Airline's rules and texts: the defaults are the builtin pack's, TAU1 and TAU2 are the public benchmarks'.

A text may name values in braces; the tools fill in `reservation_id`, `flight_number`, `payment_id` and the like where
they use it.
"""

from dataclasses import dataclass

from env_server.domains.airline.arguments import TAU1_TYPES, TAU2_TYPES
from env_server.domains.airline.rules import BAG_FEE, INSURANCE_FEE
from env_server.domains.kit import TAU1_RULES, TAU2_RULES, Dialect


@dataclass(frozen=True)
class AirlineDialect(Dialect):
    """Rules and texts of airline's tools."""

    bag_fee: int = BAG_FEE
    """Dollars for a checked bag that is not free."""

    insurance_fee: int = INSURANCE_FEE
    """Dollars of travel insurance for one passenger."""

    shows_user_id: bool = True
    """Whether a user's details hold the user id."""

    lists_airports: bool = False
    """Whether airports are a list of records (else cities by code)."""

    checks_airports: bool = True
    """Whether a search from or to an unknown airport is refused (else it finds nothing)."""

    null_is_any_airport: bool = False
    """Whether a search from or to null finds flights of every airport."""

    found_fields: tuple[str, ...] | None = (
        "flight_number",
        "origin",
        "destination",
        "status",
        "scheduled_departure_time_est",
        "scheduled_arrival_time_est",
        "date",
        "available_seats",
        "prices",
    )
    """The flight fields in a search result, in order. None means all stored fields."""

    direct_tells_date: bool = True
    """Whether the search for direct flights also returns the date."""

    naive_next_day: bool = False
    """Whether the next day is computed as the day number plus one, unpadded and in May 2024, and times of day are
    compared as text.
    """

    reads_day_first: bool = False
    """Whether a search with one change computes the next day even if no flight leaves on the day. A date that does not
    end in a number is then an error.
    """

    second_leg_of_first_day: bool = False
    """Whether a search shows a connecting flight with the seats and prices of the day on which the first flight leaves.
    """

    takes_seats: bool = True
    """Whether a booking reduces the number of free seats."""

    returns_seats: bool = True
    """Whether a cancellation frees the seats, and whether a change of flights frees the old seats and takes the new
    ones.
    """

    stores_new_cabin: bool = True
    """Whether a change of flights stores the new cabin. Otherwise the change only charges for it."""

    checks_trip: bool = True
    """Whether the flights must lead from the reservation's origin to its destination (and back), in time order."""

    checks_bags: bool = True
    """Whether the number of paid bags must not exceed the number of all bags and must not decrease."""

    checks_amounts: bool = True
    """Whether amounts must be positive and each payment method may appear only once."""

    changes_cancelled: bool = False
    """Whether a cancelled reservation may be changed, and cancelled again."""

    refunds_net: bool = True
    """Whether a cancellation refunds the net amount paid with each method: gift cards at once, certificates never.
    Otherwise it records the negative of every payment entry and no gift card is credited.
    """

    ids_run_out: bool = False
    """Whether only three ids exist for new reservations, and only three for the new certificates of one user."""

    last_id_again: bool = False
    """Whether bookings beyond the last id overwrite the last reservation (else they are refused)."""

    no_such_user: str = "there is no user with id {user_id!r}"
    no_such_reservation: str = "there is no reservation {reservation_id!r}; ids are six capital letters and digits"
    no_such_reservation_to_read: str = (
        "there is no reservation {reservation_id!r}; ids are six capital letters and digits"
    )
    no_such_flight: str = "there is no flight {flight_number!r}"
    no_such_date: str = "flight {flight_number} has no date {date!r}"
    no_such_airport: str = "there is no airport {airport!r}; list_all_airports gives the codes"
    not_available: str = "flight {flight_number} cannot be booked on {date}: it is {status!r}"
    too_few_seats: str = "flight {flight_number} on {date} has {left} seats left in {cabin}, and {needed} are needed"

    cancelled: str = "reservation {reservation_id} is cancelled and cannot be changed any more"
    leaves_elsewhere: str = (
        "flight {flight_number} leaves from {origin}, but the trip is at {at} then; name all flights of the "
        "{flight_type} trip from {start} to {end}, in order"
    )
    leaves_too_early: str = "flight {flight_number} on {date} leaves before the flight before it has landed"
    ends_elsewhere: str = (
        "the flights end in {at}, but this is a {flight_type} trip from {start} to {end}; name all of its flights, "
        "in order"
    )
    bags_do_not_fit: str = "of {total} bags {nonfree} cannot be paid ones"
    paid_bags_stay: str = "{paid} bags are paid for already; nonfree_baggages cannot become {nonfree}"
    wrong_number_of_passengers: str = (
        "reservation {reservation_id} has {old} passengers, not {new}; their number cannot change"
    )

    no_such_payment_method: str = "user {user_id!r} has no payment method {payment_id!r}; they have: {known}"
    no_such_payment_method_to_update: str = "user {user_id!r} has no payment method {payment_id!r}; they have: {known}"
    too_little_to_book: str = "{payment_id!r} holds {balance:.2f} dollars and cannot pay {amount:.2f}"
    too_little_to_update: str = "{payment_id!r} holds {balance:.2f} dollars and cannot pay {amount:.2f}"
    certificate_to_update: str = "{payment_id!r} is a certificate: a change is paid with a credit card or a gift card"
    named_twice: str = "payment method {payment_id!r} is named twice"
    not_positive: str = "an amount must be more than 0 dollars, not {amount}"
    wrong_sum: str = "the price is {price} dollars, but the payments come to {paid}"

    too_many_reservations: str = "no id is left for a new reservation"
    too_many_certificates: str = "no id is left for a new certificate of user {user_id!r}"


BUILTIN = AirlineDialect()

TAU2 = AirlineDialect(
    tools=(
        "book_reservation",
        "calculate",
        "cancel_reservation",
        "get_reservation_details",
        "get_user_details",
        "list_all_airports",
        "search_direct_flight",
        "search_onestop_flight",
        "send_certificate",
        "transfer_to_human_agents",
        "update_reservation_baggages",
        "update_reservation_flights",
        "update_reservation_passengers",
        "get_flight_status",
    ),
    argument_types=TAU2_TYPES,
    **TAU2_RULES,
    bag_fee=50,
    insurance_fee=30,
    lists_airports=True,
    checks_airports=False,
    null_is_any_airport=True,
    direct_tells_date=False,
    naive_next_day=True,
    returns_seats=False,
    checks_trip=False,
    checks_bags=False,
    checks_amounts=False,
    changes_cancelled=True,
    refunds_net=False,
    ids_run_out=True,
    no_such_user="User {user_id} not found",
    no_such_reservation="Reservation {reservation_id} not found",
    no_such_reservation_to_read="Reservation {reservation_id} not found",
    no_such_flight="Flight {flight_number} not found",
    no_such_date="Flight {flight_number} not found on date {date}",
    not_available="Flight {flight_number} not available on date {date}",
    too_few_seats="Not enough seats on flight {flight_number}",
    wrong_number_of_passengers="Number of passengers does not match",
    no_such_payment_method="Payment method {payment_id} not found",
    no_such_payment_method_to_update="Payment method not found",
    too_little_to_book="Not enough balance in payment method {payment_id}",
    too_little_to_update="Gift card balance is not enough",
    certificate_to_update="Certificate cannot be used to update reservation",
    wrong_sum="Payment amount does not add up, total price is {price}, but paid {paid}",
    too_many_reservations="Too many reservations",
    too_many_certificates="Too many certificates",
)

TAU1 = AirlineDialect(
    tools=(
        "book_reservation",
        "calculate",
        "cancel_reservation",
        "get_reservation_details",
        "get_user_details",
        "list_all_airports",
        "search_direct_flight",
        "search_onestop_flight",
        "send_certificate",
        "think",
        "transfer_to_human_agents",
        "update_reservation_baggages",
        "update_reservation_flights",
        "update_reservation_passengers",
    ),
    argument_types=TAU1_TYPES,
    **TAU1_RULES,
    bag_fee=50,
    insurance_fee=30,
    shows_user_id=False,
    checks_airports=False,
    found_fields=None,
    direct_tells_date=False,
    naive_next_day=True,
    reads_day_first=True,
    second_leg_of_first_day=True,
    takes_seats=False,
    returns_seats=False,
    stores_new_cabin=False,
    checks_trip=False,
    checks_bags=False,
    checks_amounts=False,
    changes_cancelled=True,
    refunds_net=False,
    ids_run_out=True,
    last_id_again=True,
    no_such_user="user not found",
    no_such_reservation="reservation not found",
    no_such_reservation_to_read="user not found",
    no_such_flight="flight {flight_number} not found",
    no_such_date="flight {flight_number} not found on date {date}",
    not_available="flight {flight_number} not available on date {date}",
    too_few_seats="not enough seats on flight {flight_number}",
    wrong_number_of_passengers="number of passengers does not match",
    no_such_payment_method="payment method {payment_id} not found",
    no_such_payment_method_to_update="payment method not found",
    too_little_to_book="not enough balance in payment method {payment_id}",
    too_little_to_update="gift card balance is not enough",
    certificate_to_update="certificate cannot be used to update reservation",
    wrong_sum="payment amount does not add up, total price is {price}, but paid {paid}",
)

DIALECTS = {"builtin": BUILTIN, "tau1": TAU1, "tau2": TAU2}
