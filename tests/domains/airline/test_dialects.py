"""The effects of the public benchmarks' rules on airline's tools; tests/reference tests them on recordings."""

import json

import pytest

from env_server.domains.airline.dialects import BUILTIN, TAU1, TAU2, AirlineDialect
from env_server.domains.airline.tables import AIRPORTS
from env_server.tools.dispatch import Fault
from tests.domains.airline.desk import BIG_GIFT, BOOKING, CARD, DAYS, Desk, chosen, paid

each_public = pytest.mark.parametrize("dialect", [TAU1, TAU2], ids=["tau1", "tau2"])
CHANGE = {"reservation_id": "THERE1", "cabin": "business", "flights": chosen(("KS1", DAYS[1])), "payment_id": CARD}


@each_public
def test_refunds_mirror_payments(dialect: AirlineDialect) -> None:
    """A cancellation adds the negative of each payment, each time anew, and gives back neither money nor seats."""
    desk = Desk(dialect)
    desk.call("cancel_reservation", reservation_id="MIXED3")
    desk.call("cancel_reservation", reservation_id="MIXED3")
    entries = desk.row("reservations", "MIXED3")["payment_history"]
    assert entries[3:6] == paid(**{"certificate_9": -50, BIG_GIFT: -100, CARD: -70})
    assert len(entries) == 12
    assert desk.methods()[BIG_GIFT]["amount"] == 2000
    assert desk.seats("KS1", DAYS[1]) == 5


@pytest.mark.parametrize(("dialect", "left"), [(BUILTIN, 3), (TAU1, 5), (TAU2, 3)])
def test_who_takes_seats(dialect: AirlineDialect, left: int) -> None:
    """A booking takes seats, except under v1."""
    desk = Desk(dialect)
    desk.call("book_reservation", **BOOKING)
    assert desk.seats("KS1", DAYS[0]) == left


@pytest.mark.parametrize(("dialect", "cabin"), [(BUILTIN, "business"), (TAU1, "economy"), (TAU2, "business")])
def test_who_stores_a_new_cabin(dialect: AirlineDialect, cabin: str) -> None:
    """A change of cabin is stored, except under v1; its price is paid under all rules."""
    desk = Desk(dialect)
    desk.call("update_reservation_flights", **CHANGE)
    changed = desk.row("reservations", "THERE1")
    assert changed["cabin"] == cabin
    assert changed["payment_history"][1:] == paid(**{CARD: 310})
    assert list(changed["flights"][0])[1:3] == (["date", "price"] if dialect is TAU1 else ["origin", "destination"])


@pytest.mark.parametrize(
    ("dialect", "fourth", "listed"),
    [
        (BUILTIN, None, ["HATHAT", "HATHAU", "HATHAV", "HATHAW"]),
        (TAU1, None, ["HATHAT", "HATHAU", "HATHAV", "HATHAV"]),
        (TAU2, Fault.TOOL_ERROR, ["HATHAT", "HATHAU", "HATHAV"]),
    ],
    ids=["builtin", "tau1", "tau2"],
)
def test_the_fourth_booking(dialect: AirlineDialect, fourth: Fault | None, listed: list[str]) -> None:
    """The fourth booking gets a new id; under v1 it overwrites the third and is listed again, under v2 it fails."""
    desk = Desk(dialect)
    booked = [desk.call("book_reservation", **BOOKING | {"flights": chosen(("KS1", day))}) for day in DAYS[:4]]
    assert [outcome.fault for outcome in booked] == [None, None, None, fourth]
    assert desk.row("users", "jo_doe_1")["reservations"][4:] == listed
    assert desk.row("reservations", "HATHAV")["flights"][0]["date"] == DAYS[3 if dialect is TAU1 else 2]


@each_public
def test_the_fourth_certificate(dialect: AirlineDialect) -> None:
    """There are ids for three certificates, and no more."""
    desk = Desk(dialect)
    faults = [desk.call("send_certificate", user_id="jo_doe_1", amount=10).fault for _ in range(4)]
    assert faults == [None, None, None, Fault.TOOL_ERROR]


def test_searches() -> None:
    """v2 shows dates only for connections and takes null for any airport; v1 shows the second leg of the first day."""
    route = {"origin": "SEA", "destination": "BOS", "date": DAYS[0]}
    first, second = (json.loads(Desk(d).call("search_direct_flight", **route).text)[0] for d in (TAU1, TAU2))
    assert "date" not in first
    assert second["date"] is None
    assert json.loads(Desk(TAU1).call("search_direct_flight", **route | {"origin": None}).text) == []
    assert len(json.loads(Desk(TAU2).call("search_direct_flight", **route | {"origin": None}).text)) == 4
    desk = Desk(TAU1)
    night = route | {"date": DAYS[3]}
    assert all(a["date"] == b["date"] for a, b in json.loads(desk.call("search_onestop_flight", **night).text))


def test_airports() -> None:
    """v2 lists records, v1 cities by code; an unknown airport is no error in either."""
    assert json.loads(Desk(TAU1).call("list_all_airports").text) == AIRPORTS
    assert json.loads(Desk(TAU2).call("list_all_airports").text)[0] == {"iata": "SFO", "city": "San Francisco"}
    for dialect in (TAU1, TAU2):
        assert Desk(dialect).call("search_direct_flight", origin="XXX", destination="BOS", date=DAYS[0]).text == "[]"


@each_public
def test_any_way_of_flights_is_taken(dialect: AirlineDialect) -> None:
    """Neither the route of the flights nor the number of bags is checked."""
    wanted = BOOKING | {"origin": "DEN", "total_baggages": -1, "nonfree_baggages": 0}
    assert Desk(dialect).call("book_reservation", **wanted).fault is None


@each_public
@pytest.mark.parametrize("number", ["9" * 25, "9" * 400, "9" * 5000, "inf", "nan", 10**400])
def test_numbers_beyond_all_sense_crash_nothing(dialect: AirlineDialect, number: object) -> None:
    """Arguments are not checked: a huge number is stored as JSON can hold it, or answered with an error."""
    bags = {"reservation_id": "THERE1", "total_baggages": number, "nonfree_baggages": number, "payment_id": CARD}
    for name, arguments in [
        ("send_certificate", {"user_id": "jo_doe_1", "amount": number}),
        ("update_reservation_baggages", bags),
        ("update_reservation_baggages", bags | {"nonfree_baggages": 0}),
        ("book_reservation", BOOKING | {"payment_methods": [{"payment_id": CARD, "amount": number}]}),
    ]:
        desk = Desk(dialect)
        desk.call(name, **arguments)
        json.dumps([change.row for change in desk.db.state.take_changes()], allow_nan=False)


@pytest.mark.parametrize("day", ["2024-05-xx", "", "in May", "2024-05-2 x"])
def test_a_date_that_ends_in_no_number(day: str) -> None:
    """v1 reads the date for each pair whose first flight lands the next day, even one not on sale; v2 does not."""
    overnight = {"origin": "SEA", "destination": "BOS", "date": day}
    v1, v2 = (Desk(dialect).call("search_onestop_flight", **overnight) for dialect in (TAU1, TAU2))
    assert (v1.fault, v1.text) == (
        Fault.TOOL_ERROR,
        f"Error: invalid literal for int() with base 10: {day[-2:]!r}",
    )
    assert (v2.fault, v2.text) == (None, "[]")
    by_day = overnight | {"origin": "BOS", "destination": "SEA"}
    assert Desk(TAU1).call("search_onestop_flight", **by_day).text == "[]"
