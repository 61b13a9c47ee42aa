from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import pytest

from env_server.domains.airline import domain
from env_server.domains.airline.clock import DAYS, NOW, at
from env_server.domains.airline.invariants import invariants
from env_server.domains.airline.rules import free_bags, paid_bags, price
from env_server.domains.airline.tables import AIRPORTS, TABLES
from env_server.domains.airline.world import world
from env_server.domains.kit import Db
from env_server.state import Change, Snapshot, State
from tests.domains.made import pack

BUILTIN = domain.dialects["builtin"]


def base() -> Snapshot:
    """Return the builtin base."""
    return pack("airline").snapshot


def rows(table: str) -> dict[str, Any]:
    """Return the rows of a table by key."""
    return {key: dict(row) for key, row in base().tables[table].rows.items()}


def faults(*changes: Change) -> list[str]:
    """The invariants' complaints about the base after some changes."""
    return list(invariants(Db(State.at(base(), changes), BUILTIN)))


def statuses(reservation: dict[str, Any]) -> list[str]:
    """The status of each of a reservation's flights."""
    flights = base().tables["flights"].rows
    return [flights[leg["flight_number"]]["dates"][leg["date"]]["status"] for leg in reservation["flights"]]


def test_sizes_at_the_default() -> None:
    """The world has 500 users, 300 flights over 30 days and 2,000 reservations."""
    assert {t: len(made) for t, made in world().items()} == {"users": 500, "flights": 300, "reservations": 2000}
    assert all(list(f["dates"]) == [day.isoformat() for day in DAYS] for f in rows("flights").values())
    assert len(DAYS) == 30


def test_scale_multiplies_the_users() -> None:
    """A larger world has more users and reservations on the same flights, and is consistent too."""
    small, large = world(), world(scale=2)
    assert len(large["users"]) == 2 * len(small["users"])
    assert len(large["reservations"]) == 2 * len(small["reservations"])
    assert large["flights"] == small["flights"]
    assert list(invariants(Db(State.at(Snapshot(TABLES, large)), BUILTIN))) == []


def broken() -> dict[str, Change]:
    """Changes that each break one thing, by a word of the expected complaint."""
    users, flights, reservations = rows("users"), rows("flights"), rows("reservations")
    user_id, user = next((k, r) for k, r in users.items() if any("amount" in m for m in r["payment_methods"].values()))
    number, flight = next(iter(flights.items()))
    key, row = next((k, r) for k, r in reservations.items() if len(r["flights"]) == 2 and r.get("status") is None)
    first, last = row["flights"]
    methods = {k: m | {"amount": -1.0} if "amount" in m else m for k, m in user["payment_methods"].items()}
    day = next(d for d, data in flight["dates"].items() if data["status"] == "available")
    full = flight["dates"][day] | {"available_seats": {"basic_economy": 0, "economy": -1, "business": 0}}
    free = flight["dates"][day] | {"prices": {"basic_economy": 0, "economy": 1, "business": 1}}
    return {
        "not theirs": Change("users", user_id, user | {"reservations": [*user["reservations"], "NONE00"]}),
        "twice": Change("users", user_id, user | {"reservations": [*user["reservations"], user["reservations"][0]]}),
        "overdrawn": Change("users", user_id, user | {"payment_methods": methods}),
        "another id": Change("users", user_id, user | {"payment_methods": {"x": dict(next(iter(methods.values())))}}),
        "not listed": Change("reservations", "NEW001", row | {"reservation_id": "NEW001"}),
        "overbooked": Change("flights", number, flight | {"dates": {**flight["dates"], day: full}}),
        "costs nothing": Change("flights", number, flight | {"dates": {**flight["dates"], day: free}}),
        "airport": Change("flights", number, flight | {"origin": "XXX"}),
        "paid bags": Change("reservations", key, row | {"nonfree_baggages": row["total_baggages"] + 1}),
        "no passengers": Change("reservations", key, row | {"passengers": []}),
        "does not exist": Change("reservations", key, row | {"flights": [first | {"date": "2024-06-30"}, last]}),
        "do not connect": Change("reservations", key, row | {"flights": [first, first]}),
        "before the one before": Change("reservations", key, row | {"flights": [last, first]}),
        "not the trip": Change("reservations", key, row | {"origin": "XXX"}),
        "never comes": Change("reservations", key, row | {"destination": "XXX"}),
        "are paid": Change("reservations", key, row | {"payment_history": []}),
        "not its user's": Change("reservations", key, row | {"payment_history": [{"payment_id": "x", "amount": 1}]}),
        "not settled": Change("reservations", key, row | {"status": "cancelled"}),
    }


@pytest.mark.parametrize("complaint", broken())
def test_each_inconsistency_is_noticed(complaint: str) -> None:
    """If one thing is wrong, an invariant's sentence names it."""
    assert any(complaint in sentence for sentence in faults(broken()[complaint]))


def test_flights_stand_as_the_clock_says() -> None:
    """Past flights fly or have landed, those of the next 24 hours are on time or late, and later ones are on sale."""
    for flight in rows("flights").values():
        for day, (text, data) in zip(DAYS, flight["dates"].items(), strict=True):
            leaves = at(day, flight["scheduled_departure_time_est"])
            status = data["status"]
            if status == "cancelled":
                continue
            assert (status == "available") == (leaves - NOW > timedelta(hours=24)), (flight["flight_number"], text)
            if status in {"landed", "flying"}:
                assert datetime.fromisoformat(data["actual_departure_time_est"]) < NOW
            if status in {"on time", "delayed"}:
                assert datetime.fromisoformat(data["estimated_departure_time_est"]) >= NOW
            if status == "landed":
                assert datetime.fromisoformat(data["actual_arrival_time_est"]) < NOW


def test_every_airport_is_served_there_and_back() -> None:
    """Each route has three flights a day in both directions, and every airport has routes."""
    routes = Counter((f["origin"], f["destination"]) for f in rows("flights").values())
    assert set(routes.values()) == {3}
    assert all((two, one) in routes for one, two in routes)
    assert {one for one, _ in routes} == set(AIRPORTS)


def test_cabins_cost_more_the_better_they_are() -> None:
    """Fares rise from basic economy to business."""
    for flight in rows("flights").values():
        for data in flight["dates"].values():
            if data["status"] == "available":
                fares = data["prices"]
                assert fares["basic_economy"] < fares["economy"] < fares["business"]


def test_reservations_follow_the_policy() -> None:
    """Bags beyond the free ones were paid for, trips have five passengers at most and were booked before they began."""
    users = rows("users")
    for row in rows("reservations").values():
        user, people = users[row["user_id"]], len(row["passengers"])
        assert row["nonfree_baggages"] == paid_bags(user["membership"], row["cabin"], people, row["total_baggages"])
        assert 1 <= people <= 5
        booked = datetime.fromisoformat(row["created_at"])
        assert booked < NOW
        assert datetime.fromisoformat(row["flights"][0]["date"]) - booked > timedelta(hours=24)
        assert row["payment_history"][0]["amount"] == price(row)


def test_passengers_are_people_of_the_profile() -> None:
    """A passenger is the user, with the profile's date of birth, or a person saved in the profile."""
    users = rows("users")
    for row in rows("reservations").values():
        user = users[row["user_id"]]
        known = [{**user["name"], "dob": user["dob"]}, *user["saved_passengers"]]
        assert all(passenger in known for passenger in row["passengers"])


def test_ways_to_pay_can_be_told_apart() -> None:
    """Each user has a credit card; no user has two cards that look the same."""
    for user in rows("users").values():
        looks = [(m["source"], m.get("amount"), m.get("last_four")) for m in user["payment_methods"].values()]
        assert len(set(looks)) == len(looks)
        assert any(source == "credit_card" for source, _, _ in looks)


def test_every_kind_of_trip_is_common_enough() -> None:
    """Most trips are in the future; some have begun, are over, late, or cancelled by the airline or the user."""
    kinds = Counter[str]()
    for row in rows("reservations").values():
        seen = set(statuses(row))
        kinds["called off"] += row.get("status") == "cancelled"
        kinds["over"] += seen == {"landed"}
        kinds["begun"] += {"landed", "available"} <= seen
        kinds["on sale"] += seen == {"available"}
        kinds["late"] += "delayed" in seen
        kinds["cancelled"] += "cancelled" in seen
    assert kinds["on sale"] > 800
    assert min(kinds.values()) > 100


@pytest.mark.parametrize(("membership", "cabin", "bags"), [("regular", "basic_economy", 0), ("gold", "business", 4)])
def test_free_bags(membership: str, cabin: str, bags: int) -> None:
    """The least and the most number of free bags."""
    assert free_bags(membership, cabin) == bags
    assert paid_bags(membership, cabin, 2, 2 * bags + 3) == 3
    assert paid_bags(membership, cabin, 2, 0) == 0
