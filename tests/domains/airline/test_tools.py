"""Airline's tools under the builtin rules: what each does, and what each refuses."""

import json
from typing import Any

import pytest

from env_server.domains.airline.dialects import BUILTIN
from env_server.domains.airline.tables import AIRPORTS
from env_server.tools.dispatch import CallOutcome, Fault
from tests.domains.airline.desk import (
    ANN,
    BIG_GIFT,
    BOOKING,
    CARD,
    CERTIFICATE,
    DAYS,
    JO,
    SMALL_GIFT,
    Desk,
    Row,
    chosen,
    paid,
)

MONDAY, TUESDAY, THURSDAY, FRIDAY, SATURDAY = DAYS


@pytest.fixture
def desk() -> Desk:
    """A fresh desk."""
    return Desk()


def answer(outcome: CallOutcome) -> Any:
    """The answer of a call that must succeed."""
    assert outcome.fault is None, outcome.text
    return json.loads(outcome.text)


def numbers(found: Any) -> list[Any]:
    """The flight numbers and days of what a search found."""
    return [(f["flight_number"], f["date"]) if isinstance(f, dict) else numbers(f) for f in found]


def test_reads_answer_rows(desk: Desk) -> None:
    """A user and a reservation are shown as stored, the airports with all cities, and a status as plain text."""
    assert answer(desk.call("get_user_details", user_id="jo_doe_1")) == desk.row("users", "jo_doe_1")
    assert answer(desk.call("get_reservation_details", reservation_id="MIXED3")) == desk.row("reservations", "MIXED3")
    assert answer(desk.call("list_all_airports")) == AIRPORTS
    assert desk.call("get_flight_status", flight_number="KS1", date="2024-05-15").text == "delayed"


def test_direct_search(desk: Desk) -> None:
    """Only flights of the route that are on sale on that day are found, with date, seats and prices."""
    found = answer(desk.call("search_direct_flight", origin="DEN", destination="BOS", date=MONDAY))
    assert numbers(found) == [("KS4", MONDAY), ("KS5", MONDAY), ("KS7", MONDAY)]
    assert found[0]["available_seats"]["economy"] == 5
    assert found[0]["prices"]["business"] == 400
    assert "dates" not in found[0]
    for gone in ("2024-05-14", "2024-05-15", "2024-05-16", "2024-07-01"):
        assert answer(desk.call("search_direct_flight", origin="DEN", destination="BOS", date=gone)) == []


def test_onestop_search(desk: Desk) -> None:
    """The second flight leaves after the first one has landed; if that is after midnight, on the next day."""
    found = answer(desk.call("search_onestop_flight", origin="SEA", destination="BOS", date=MONDAY))
    night = [[("KS6", MONDAY), (number, TUESDAY)] for number in ("KS4", "KS5", "KS7")]
    assert numbers(found) == [[("KS3", MONDAY), ("KS4", MONDAY)], *night]


def test_onestop_search_over_the_end_of_a_month(desk: Desk) -> None:
    """The day after the 31st is the 1st, and the second flight is shown with that day's seats."""
    desk.call("book_reservation", **BOOKING | {"origin": "DEN", "flights": chosen(("KS7", SATURDAY))})
    found = answer(desk.call("search_onestop_flight", origin="SEA", destination="BOS", date=FRIDAY))
    late = found[-1]
    assert numbers(late) == [("KS6", FRIDAY), ("KS7", SATURDAY)]
    assert late[1]["available_seats"]["economy"] == 3


def test_booking(desk: Desk) -> None:
    """A booking is stored at the day's price, takes money and seats, and is listed with the user."""
    extras = 3 * BUILTIN.insurance_fee + BUILTIN.bag_fee
    wanted = BOOKING | {
        "flight_type": "round_trip",
        "cabin": "basic_economy",
        "flights": chosen(("KS3", MONDAY), ("KS4", MONDAY), ("KS2", THURSDAY)),
        "passengers": [JO, ANN, JO],
        "payment_methods": paid(**{CERTIFICATE: 120, SMALL_GIFT: 60, CARD: 270 + extras}),
        "nonfree_baggages": 1,
        "insurance": "yes",
    }
    booked = answer(desk.call("book_reservation", **wanted))
    assert booked == desk.row("reservations", "HATHAT")
    assert [(f["origin"], f["destination"], f["price"]) for f in booked["flights"]] == [
        ("SEA", "DEN", 50),
        ("DEN", "BOS", 50),
        ("BOS", "SEA", 50),
    ]
    assert booked["created_at"] == "2024-05-15T15:00:00"
    assert "status" not in booked
    assert desk.row("users", "jo_doe_1")["reservations"][-1] == "HATHAT"
    assert CERTIFICATE not in desk.methods()
    assert desk.methods()[SMALL_GIFT]["amount"] == 0
    assert desk.seats("KS4", MONDAY, "basic_economy") == 2
    assert desk.seats("KS4", MONDAY, "economy") == 5


def test_new_ids_never_run_out(desk: Desk) -> None:
    """New ids of reservations and certificates are always found."""
    for day in DAYS:
        answer(desk.call("book_reservation", **BOOKING | {"flights": chosen(("KS1", day))}))
    assert desk.row("users", "jo_doe_1")["reservations"][4:] == ["HATHAT", "HATHAU", "HATHAV", "HATHAW", "HATHAX"]
    sent = [desk.call("send_certificate", user_id="jo_doe_1", amount=10).text.split()[1] for _ in range(5)]
    assert sent == [f"certificate_{3221322 + n}" for n in range(5)]
    assert desk.methods()[sent[4]] == {"source": "certificate", "id": sent[4], "amount": 10.0}


def test_cancelling(desk: Desk) -> None:
    """A cancellation returns seats, and money to gift cards at once; what a certificate paid is lost."""
    cancelled = answer(desk.call("cancel_reservation", reservation_id="MIXED3"))
    assert cancelled["status"] == "cancelled"
    assert cancelled["payment_history"][3:] == paid(**{BIG_GIFT: -100, CARD: -70})
    assert desk.methods()[BIG_GIFT]["amount"] == 2100
    assert desk.seats("KS1", TUESDAY) == 7


def test_cancelling_refunds_no_more_than_it_cost(desk: Desk) -> None:
    """A cancellation does not refund again what a change has already refunded to another card."""
    answer(desk.call("update_reservation_flights", **CHANGE | {"cabin": "basic_economy", "payment_id": SMALL_GIFT}))
    assert desk.methods()[SMALL_GIFT]["amount"] == 100
    cancelled = answer(desk.call("cancel_reservation", reservation_id="THERE1"))
    assert cancelled["payment_history"] == paid(**{CARD: 90, SMALL_GIFT: -40}) + paid(**{CARD: -50})
    assert desk.methods()[SMALL_GIFT]["amount"] == 100


def test_a_flight_no_longer_on_sale_has_no_seats_to_give_back(desk: Desk) -> None:
    """Cancelling a reservation that was flown changes no flight; the policy forbids it, the tool does not."""
    before = desk.row("flights", "KS1")
    assert answer(desk.call("cancel_reservation", reservation_id="FLOWN4"))["status"] == "cancelled"
    assert desk.row("flights", "KS1") is before


CHANGE: Row = {
    "reservation_id": "THERE1",
    "cabin": "economy",
    "flights": chosen(("KS1", MONDAY)),
    "payment_id": CARD,
}


def test_changing_flights(desk: Desk) -> None:
    """A kept leg keeps its price and seat, a new one costs today's price; the difference is for all passengers."""
    changed = answer(
        desk.call(
            "update_reservation_flights",
            reservation_id="RETRN2",
            cabin="business",
            flights=chosen(("KS1", MONDAY), ("KS2", FRIDAY)),
            payment_id=BIG_GIFT,
        )
    )
    assert [f["price"] for f in changed["flights"]] == [300, 400]
    assert changed["payment_history"][1:] == paid(**{BIG_GIFT: 100})
    assert desk.methods()[BIG_GIFT]["amount"] == 1900
    assert desk.seats("KS1", MONDAY, "business") == 5
    assert desk.seats("KS2", THURSDAY, "business") == 7
    assert desk.seats("KS2", FRIDAY, "business") == 3


def test_changing_the_cabin(desk: Desk) -> None:
    """All flights are bought anew in the new cabin; if they cost less, the difference is refunded."""
    changed = answer(desk.call("update_reservation_flights", **CHANGE | {"cabin": "basic_economy"}))
    assert (changed["cabin"], changed["flights"][0]["price"]) == ("basic_economy", 50)
    assert changed["payment_history"][1:] == paid(**{CARD: -40})
    assert (desk.seats("KS1", MONDAY), desk.seats("KS1", MONDAY, "basic_economy")) == (6, 4)


def test_changing_nothing_costs_nothing(desk: Desk) -> None:
    """A change to the present flights and cabin leaves the state unchanged."""
    before = desk.db.state.hash
    answer(desk.call("update_reservation_flights", **CHANGE))
    assert desk.db.state.hash == before


def test_adding_bags(desk: Desk) -> None:
    """Only new bags that are not free are paid."""
    bags: Row = {"reservation_id": "THERE1", "payment_id": SMALL_GIFT}
    more = answer(desk.call("update_reservation_baggages", **bags, total_baggages=2, nonfree_baggages=1))
    assert more["payment_history"][1:] == paid(**{SMALL_GIFT: BUILTIN.bag_fee})
    same = answer(desk.call("update_reservation_baggages", **bags, total_baggages=3, nonfree_baggages=1))
    assert (same["total_baggages"], same["payment_history"]) == (3, more["payment_history"])
    assert desk.methods()[SMALL_GIFT]["amount"] == 60 - BUILTIN.bag_fee


def test_changing_passengers(desk: Desk) -> None:
    """Names and days of birth are replaced as given."""
    new = JO | {"last_name": "Poe"}
    changed = answer(desk.call("update_reservation_passengers", reservation_id="MIXED3", passengers=[new, ANN]))
    assert changed["passengers"] == [new, ANN]


LONG = [JO, ANN] * 3
RIGHT_SUM = {"passengers": LONG, "payment_methods": paid(**{CARD: 600})}
ROUND = {"flight_type": "round_trip", "payment_methods": paid(**{CARD: 400})}
PAIR = {"payment_methods": paid(**{CARD: 400})}

REFUSED: list[tuple[str, Row, str]] = [
    ("get_user_details", {"user_id": "no_one"}, "'no_one'"),
    ("get_reservation_details", {"reservation_id": "there1"}, "'there1'"),
    ("get_flight_status", {"flight_number": "KS9", "date": MONDAY}, "'KS9'"),
    ("get_flight_status", {"flight_number": "KS1", "date": "2024-07-01"}, "'2024-07-01'"),
    ("search_direct_flight", {"origin": "SEA", "destination": "Boston", "date": MONDAY}, "'Boston'"),
    ("search_onestop_flight", {"origin": "XXX", "destination": "BOS", "date": MONDAY}, "'XXX'"),
    ("book_reservation", BOOKING | {"user_id": "no_one"}, "'no_one'"),
    ("book_reservation", BOOKING | {"flights": chosen(("KS9", MONDAY))}, "'KS9'"),
    ("book_reservation", BOOKING | {"flights": chosen(("KS1", "2024-07-01"))}, "'2024-07-01'"),
    ("book_reservation", BOOKING | {"flights": chosen(("KS1", "2024-05-15"))}, "'delayed'"),
    ("book_reservation", BOOKING | RIGHT_SUM, "5 seats left in economy, and 6 are needed"),
    ("book_reservation", BOOKING | {"origin": "DEN"}, "leaves from SEA"),
    ("book_reservation", BOOKING | {"destination": "DEN"}, "end in BOS"),
    ("book_reservation", BOOKING | ROUND, "end in BOS"),
    ("book_reservation", BOOKING | ROUND | {"flights": chosen(("KS1", TUESDAY), ("KS2", MONDAY))}, "leaves before"),
    ("book_reservation", BOOKING | PAIR | {"flights": chosen(("KS3", MONDAY), ("KS5", MONDAY))}, "leaves before"),
    ("book_reservation", BOOKING | PAIR | {"flights": chosen(("KS1", MONDAY), ("KS2", TUESDAY))}, "end in SEA"),
    ("book_reservation", BOOKING | PAIR | {"flights": chosen(("KS1", MONDAY), ("KS1", MONDAY))}, "leaves from SEA"),
    ("book_reservation", BOOKING | {"total_baggages": 1, "nonfree_baggages": 2}, "of 1 bags 2"),
    ("book_reservation", BOOKING | {"payment_methods": paid(nothing=200)}, f"{CARD}, {SMALL_GIFT}"),
    ("book_reservation", BOOKING | {"payment_methods": paid(**{CARD: 300, BIG_GIFT: -100})}, "-100"),
    ("book_reservation", BOOKING | {"payment_methods": paid(**{SMALL_GIFT: 61, CARD: 139})}, "holds 60.00"),
    ("book_reservation", BOOKING | {"payment_methods": paid(**{CERTIFICATE: 151, CARD: 49})}, "holds 150.00"),
    ("book_reservation", BOOKING | {"payment_methods": paid(**{CARD: 100}) * 2}, "twice"),
    (
        "book_reservation",
        BOOKING | {"payment_methods": paid(**{CARD: 199})},
        "200 dollars, but the payments come to 199",
    ),
    ("cancel_reservation", {"reservation_id": "NONE00"}, "'NONE00'"),
    ("update_reservation_flights", CHANGE | {"reservation_id": "NONE00"}, "'NONE00'"),
    ("update_reservation_flights", CHANGE | {"flights": chosen(("KS2", MONDAY))}, "leaves from BOS"),
    ("update_reservation_flights", CHANGE | {"cabin": "business", "payment_id": CERTIFICATE}, "is a certificate"),
    ("update_reservation_flights", CHANGE | {"cabin": "business", "payment_id": SMALL_GIFT}, "cannot pay 310.00"),
    ("update_reservation_flights", CHANGE | {"payment_id": "nothing"}, "'nothing'"),
    (
        "update_reservation_flights",
        CHANGE | {"reservation_id": "RETRN2", "cabin": "business"},
        "round_trip trip from SEA to BOS",
    ),
    (
        "update_reservation_flights",
        CHANGE | {"reservation_id": "FLOWN4", "cabin": "business", "flights": chosen(("KS1", "2024-05-14"))},
        "'landed'",
    ),
    (
        "update_reservation_baggages",
        {"reservation_id": "THERE1", "total_baggages": 1, "nonfree_baggages": 2, "payment_id": CARD},
        "of 1 bags 2",
    ),
    (
        "update_reservation_passengers",
        {"reservation_id": "THERE1", "passengers": [JO, ANN]},
        "1 passengers, not 2",
    ),
    ("send_certificate", {"user_id": "no_one", "amount": 10}, "'no_one'"),
    ("send_certificate", {"user_id": "jo_doe_1", "amount": 0}, "not 0"),
]


@pytest.mark.parametrize(("name", "arguments", "told"), REFUSED)
def test_refused(desk: Desk, name: str, arguments: Row, told: str) -> None:
    """A call that cannot be carried out fails with the tool's own error, names the reason and changes nothing."""
    outcome = desk.call(name, **arguments)
    assert outcome.fault is Fault.TOOL_ERROR, outcome.text
    assert outcome.text.startswith("Error: ")
    assert told in outcome.text


def test_paid_bags_stay_paid(desk: Desk) -> None:
    """The number of paid bags cannot be lowered, as that would be a refund."""
    bags: Row = {"reservation_id": "THERE1", "payment_id": CARD}
    answer(desk.call("update_reservation_baggages", **bags, total_baggages=2, nonfree_baggages=2))
    outcome = desk.call("update_reservation_baggages", **bags, total_baggages=2, nonfree_baggages=1)
    assert "2 bags are paid for already" in outcome.text


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("cancel_reservation", {}),
        ("update_reservation_flights", {k: v for k, v in CHANGE.items() if k != "reservation_id"}),
        ("update_reservation_baggages", {"total_baggages": 1, "nonfree_baggages": 0, "payment_id": CARD}),
        ("update_reservation_passengers", {"passengers": [ANN]}),
    ],
)
def test_a_cancelled_reservation_stays_as_it_is(desk: Desk, name: str, arguments: Row) -> None:
    """A cancelled reservation can neither be changed nor cancelled, so that nothing is refunded twice."""
    answer(desk.call("cancel_reservation", reservation_id="THERE1"))
    assert "is cancelled" in desk.call(name, reservation_id="THERE1", **arguments).text


BAD: list[tuple[str, Row, str]] = [
    ("book_reservation", BOOKING | {"cabin": "first"}, "'business'"),
    ("book_reservation", BOOKING | {"flights": []}, "flights"),
    ("book_reservation", BOOKING | {"passengers": [JO | {"dob": "1 May 1990"}]}, "passengers.0.dob"),
    (
        "book_reservation",
        BOOKING | {"payment_methods": [{"payment_id": CARD, "amount": 99.5}]},
        "payment_methods.0.amount",
    ),
    ("search_direct_flight", {"origin": "SEA", "destination": "BOS", "date": "May 20"}, "date"),
    ("send_certificate", {"user_id": "jo_doe_1", "amount": "much"}, "amount"),
]


@pytest.mark.parametrize(("name", "arguments", "told"), BAD)
def test_what_is_no_argument_is_refused(desk: Desk, name: str, arguments: Row, told: str) -> None:
    """A value of the wrong type or form is refused by the argument's name."""
    outcome = desk.call(name, **arguments)
    assert outcome.fault is Fault.BAD_ARGUMENTS
    assert told in outcome.text


def test_records_may_hold_more_and_numbers_may_be_written_otherwise(desk: Desk) -> None:
    """A flight may be passed with all fields that a search shows, and 200.0 dollars are 200."""
    flight = BOOKING["flights"][0] | {"origin": "SEA", "price": 1}
    payment = {"payment_id": CARD, "amount": 200.0}
    outcome = desk.call("book_reservation", **BOOKING | {"flights": [flight], "payment_methods": [payment]})
    assert outcome.arguments == BOOKING
    assert '"amount": 200}' in outcome.text


def test_other_names_are_understood(desk: Desk) -> None:
    """Models' other names for tools and arguments work, and the outcome has the tool's own names."""
    outcome = desk.call("cancel_booking", booking_id="THERE1")
    assert (outcome.name, outcome.fault) == ("cancel_reservation", None)
    assert outcome.arguments == {"reservation_id": "THERE1"}


def test_no_alias_means_two_tools() -> None:
    """Every alias names one tool, and no alias is another tool's name."""
    tools = Desk.tools.tools
    aliases = [alias for tool in tools.values() for alias in tool.aliases]
    assert len(set(aliases)) == len(aliases)
    assert not set(aliases) & set(tools)


ALL_BAGS: Row = {"reservation_id": "THERE1", "total_baggages": 51, "nonfree_baggages": 0, "payment_id": CARD}


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("book_reservation", BOOKING | {"nonfree_baggages": -1}, "nonfree_baggages"),
        ("book_reservation", BOOKING | {"payment_methods": paid(**{CARD: 1_000_001})}, "payment_methods.0.amount"),
        ("update_reservation_baggages", ALL_BAGS, "total_baggages"),
        ("update_reservation_baggages", ALL_BAGS | {"total_baggages": "9" * 25}, "total_baggages"),
        ("send_certificate", {"user_id": "jo_doe_1", "amount": 10_001}, "amount"),
        ("send_certificate", {"user_id": "jo_doe_1", "amount": "9" * 400}, "amount"),
    ],
)
def test_numbers_beyond_all_sense_are_refused(desk: Desk, name: str, arguments: Row, told: str) -> None:
    """Numbers of bags and dollars have limits, in any notation; the message names the argument."""
    outcome = desk.call(name, **arguments)
    assert outcome.fault is Fault.BAD_ARGUMENTS
    assert f"argument '{told}'" in outcome.text
