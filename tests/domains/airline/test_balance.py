"""Invariants under any sequence of airline's builtin calls: seats, gift cards and the cost of reservations."""

from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from env_server.domains.airline.dialects import BUILTIN
from tests.domains.airline.desk import (
    ANN,
    BIG_GIFT,
    BOOKING,
    CARD,
    CERTIFICATE,
    DAYS,
    JO,
    PRICES,
    SMALL_GIFT,
    Desk,
    Row,
    chosen,
    paid,
)

MONDAY, TUESDAY, THURSDAY = DAYS[:3]
IDS = st.sampled_from(["THERE1", "RETRN2", "MIXED3", "FLOWN4", "HATHAT", "HATHAT", "HATHAU", "NONE00"])
METHODS = st.sampled_from([CARD, CARD, SMALL_GIFT, BIG_GIFT, BIG_GIFT, CERTIFICATE, "certificate_3221322", "nothing"])
CABINS = st.sampled_from(["basic_economy", "economy", "business"])
WAYS = {
    "one_way": [
        chosen(*flights)
        for day, next_day in ((MONDAY, TUESDAY), (TUESDAY, THURSDAY))
        for flights in ([("KS1", day)], [("KS3", day), ("KS4", day)], [("KS1", next_day)])
    ],
    "round_trip": [
        chosen((there, MONDAY), ("KS2", back)) for there in ("KS1", "KS1", "KS6") for back in (TUESDAY, THURSDAY)
    ],
}
TRIPS = st.sampled_from(WAYS["one_way"] * 2 + WAYS["round_trip"])
PEOPLE = st.lists(st.sampled_from([JO, ANN]), min_size=1, max_size=3)
BAGS = st.integers(-1, 3)
ACTIONS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "cancel_reservation": {"reservation_id": IDS},
    "update_reservation_flights": {"reservation_id": IDS, "cabin": CABINS, "flights": TRIPS, "payment_id": METHODS},
    "update_reservation_baggages": {
        "reservation_id": IDS,
        "total_baggages": BAGS,
        "nonfree_baggages": BAGS,
        "payment_id": METHODS,
    },
    "update_reservation_passengers": {"reservation_id": IDS, "passengers": PEOPLE},
    "send_certificate": {"user_id": st.just("jo_doe_1"), "amount": st.integers(-10, 300)},
}


@st.composite
def bookings(draw: st.DrawFn) -> tuple[str, Row]:
    """A booking that is mostly consistent, paid with one or two methods."""
    kind = draw(st.sampled_from(["one_way", "one_way", "round_trip"]))
    flights, people, cabin = draw(st.sampled_from(WAYS[kind])), draw(PEOPLE), draw(CABINS)
    insurance, bags = draw(st.sampled_from(["yes", "no"])), draw(st.integers(0, 2))
    fare = PRICES[cabin] * len(flights) + (BUILTIN.insurance_fee if insurance == "yes" else 0)
    price = fare * len(people) + BUILTIN.bag_fee * bags
    part = draw(st.sampled_from([0, 0, 10, 50, -10]))
    payments = {draw(st.sampled_from([CARD, CARD, BIG_GIFT, SMALL_GIFT])): price - part}
    return "book_reservation", BOOKING | {
        "flight_type": kind,
        "cabin": cabin,
        "flights": flights,
        "passengers": people,
        "insurance": insurance,
        "total_baggages": bags,
        "nonfree_baggages": bags,
        "payment_methods": paid(**payments) + (paid(**{draw(METHODS): part}) if part else []),
    }


WRITES = bookings() | st.sampled_from(["update_reservation_flights", "cancel_reservation", *ACTIONS]).flatmap(
    lambda name: st.tuples(st.just(name), st.fixed_dictionaries(ACTIONS[name]))
)


def seats(desk: Desk) -> Counter[tuple[str, str, str]]:
    """Seats left and seats taken together, by flight, day and cabin."""
    found: Counter[tuple[str, str, str]] = Counter()
    for change in desk.db.state.dump():
        row = change.row or {}
        if change.table == "flights":
            for day, on in row["dates"].items():
                left = on.get("available_seats", {})
                found.update({(change.key, day, cabin): count for cabin, count in left.items()})
                assert all(count >= 0 for count in left.values())
        elif change.table == "reservations" and row.get("status") != "cancelled":
            places = [(f["flight_number"], f["date"], row["cabin"]) for f in row["flights"]]
            found.update({place: len(row["passengers"]) for place in places if place[1] in DAYS})
    return found


def money(desk: Desk) -> dict[str, float]:
    """The balance of each gift card plus what it has paid; no card may be overdrawn."""
    found = {k: method["amount"] for k, method in desk.methods().items() if method["source"] == "gift_card"}
    assert all(amount >= 0 for amount in found.values())
    for change in desk.db.state.dump():
        for entry in (change.row or {}).get("payment_history", ()):
            if entry["payment_id"] in found:
                found[entry["payment_id"]] += entry["amount"]
    return found


def owed(row: Row) -> int:
    """The present cost of a reservation."""
    people = len(row["passengers"])
    fares: int = sum(f["price"] for f in row["flights"]) * people
    insurance = BUILTIN.insurance_fee * people if row["insurance"] == "yes" else 0
    return fares + insurance + BUILTIN.bag_fee * int(row["nonfree_baggages"])


@given(st.lists(WRITES, max_size=8))
def test_nothing_is_lost(actions: list[tuple[str, Row]]) -> None:
    """After any bookings, changes and cancellations, seats and gift cards balance, and payments equal the price."""
    desk = Desk()
    total_seats, total_money = seats(desk), money(desk)
    for name, arguments in actions:
        desk.call(name, **arguments)
    assert seats(desk) == total_seats
    assert money(desk) == total_money
    for change in desk.db.state.dump():
        if change.table == "reservations" and change.row is not None:
            kept = [e for e in change.row["payment_history"] if e["payment_id"].startswith("certificate")]
            gone = change.row.get("status") == "cancelled"
            balance = sum(entry["amount"] for entry in change.row["payment_history"])
            assert balance <= sum(e["amount"] for e in kept) if gone else balance == owed(change.row)


@given(st.data())
def test_any_call_is_answered(data: st.DataObject) -> None:
    """With any arguments a call succeeds or is refused; it never crashes, and a refusal does not change the state."""
    values: st.SearchStrategy[Any] = st.one_of(
        IDS, METHODS, CABINS, TRIPS, PEOPLE, BAGS, st.sampled_from(["jo_doe_1", "SEA", "BOS", MONDAY, "yes"])
    ) | (st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5))
    desk = Desk()
    for _ in range(3):
        tool = data.draw(st.sampled_from(list(Desk.tools.tools.values())))
        desk.call(tool.name, **{name: data.draw(values) for name in tool.argument_names})
