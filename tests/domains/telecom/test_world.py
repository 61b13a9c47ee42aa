"""The builtin base: sizes, consistency, and the variety that the tasks need."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from env_server.domains.kit import Db, GoldCall
from env_server.domains.telecom.dialects import BUILTIN
from env_server.domains.telecom.invariants import invariants
from env_server.domains.telecom.tables import TABLES
from env_server.domains.telecom.world import CUSTOMERS, world
from env_server.state import State, Table, thaw
from tests.domains.telecom.stage import AGENT_TOOLS, Stage, base, own_calls

ALL: tuple[Table[Any], ...] = TABLES


def rows(table: str) -> dict[str, Any]:
    """Return the rows of a table by key."""
    return {key: dict(row) for key, row in base().tables[table].rows.items()}


def test_sizes_at_the_default() -> None:
    """There are at least 500 customers, 900 lines and 1,500 bills; each line has a device of its own."""
    made = {table: len(found) for table, found in world().items()}
    assert made["customers"] == CUSTOMERS >= 500
    assert made["lines"] == made["devices"] >= 900
    assert made["bills"] >= 1500
    assert made["user"] == 2


def test_scale_multiplies_the_customers_and_nothing_else() -> None:
    """Twice the scale has twice the customers, of whom the first half is the same, on the same plans."""
    one, two = world(), world(scale=2)
    assert len(two["customers"]) == 2 * len(one["customers"])
    assert two["customers"][:CUSTOMERS] == one["customers"]
    assert (two["plans"], two["user"]) == (one["plans"], one["user"])


def test_customers_can_be_told_apart() -> None:
    """Names repeat, but neither (name, birthday), email nor phone number does; each has a good payment method."""
    customers = list(rows("customers").values())
    names = Counter(c["full_name"] for c in customers)
    assert sum(n > 1 for n in names.values()) > 50
    assert len({(c["full_name"], c["date_of_birth"]) for c in customers}) == len(customers)
    assert len({c["email"] for c in customers}) == len(customers)
    assert len({line["phone_number"] for line in rows("lines").values()}) == len(rows("lines"))
    for customer in customers:
        assert customer["phone_number"] == rows("lines")[customer["line_ids"][0]]["phone_number"]
        assert customer["payment_methods"][0]["expiration_date"][-4:] >= "2026"


def test_every_situation_is_common_enough() -> None:
    """Each status of lines and bills has a useful share."""
    lines = Counter(line["status"] for line in rows("lines").values())
    bills = Counter(bill["status"] for bill in rows("bills").values())
    assert min(lines[status] for status in ("Active", "Suspended", "Pending Activation", "Closed")) > 20
    assert lines["Active"] > 900
    assert min(bills[status] for status in ("Paid", "Issued", "Overdue", "Disputed", "Awaiting Payment", "Draft")) > 60
    reasons = Counter(line.get("suspension_reason") for line in rows("lines").values())
    assert min(reasons[reason] for reason in ("vacation", "overdue bill", "contract ended")) > 80


def test_the_phone_at_rest_works() -> None:
    """In the base nobody is calling, and the phone works."""
    stage = Stage()
    assert "connected" in stage.use("check_network_status", {})
    assert "excellent" in stage.use("run_speed_test", {})
    assert "can send" in stage.use("can_send_mms", {})
    assert rows("user")["surroundings"]["phone_number"] is None


@st.composite
def agent_calls(draw: st.DrawFn) -> GoldCall:
    """A call of an agent's write tool about rows of one customer, mostly the caller."""
    name = draw(st.sampled_from([n for n, tool in AGENT_TOOLS.items() if tool.kind == "write"]))
    customers = list(rows("customers").values())
    asked = next(c for c in customers if any(rows("bills")[b]["status"] == "Awaiting Payment" for b in c["bill_ids"]))
    customer = draw(st.sampled_from([asked, asked, customers[0], customers[7]]))
    values = {
        "customer_id": customer["customer_id"],
        "line_id": draw(st.sampled_from(customer["line_ids"])),
        "bill_id": draw(st.sampled_from(customer["bill_ids"])),
        "plan_id": draw(st.sampled_from(list(rows("plans")))),
        "payment_method_id": draw(st.sampled_from([m["payment_method_id"] for m in customer["payment_methods"]])),
        "reason": draw(st.sampled_from(["vacation", "lost phone"])),
        "gb_amount": draw(st.sampled_from([0.5, 1.0, 0.1, 2.35, -1.0, 60.0])),
    }
    taken = AGENT_TOOLS[name].arguments.model_fields
    return GoldCall(name=name, arguments={k: v for k, v in values.items() if k in taken})


@settings(suppress_health_check=list(HealthCheck), deadline=None, max_examples=60)
@given(st.lists(agent_calls() | own_calls(), max_size=12))
def test_no_calls_make_a_state_inconsistent(calls: list[GoldCall]) -> None:
    """Any calls of both sides leave the state consistent."""
    stage = Stage(calls)
    assert list(invariants(stage.db)) == []


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("bills", {"total_due": 1.0}),
        ("bills", {"status": "Lost"}),
        ("bills", {"paid_with": "M1"}),
        ("bills", {"customer_id": "C1"}),
        ("lines", {"plan_id": "P999"}),
        ("lines", {"device_id": "D999"}),
        ("lines", {"status": "Suspended"}),
        ("lines", {"status": "Gone"}),
        ("lines", {"data_refueling_gb": -1.0}),
        ("customers", {"line_ids": []}),
        ("customers", {"bill_ids": ["B1"]}),
    ],
)
def test_invariants_name_what_is_wrong(table: str, change: dict[str, Any]) -> None:
    """Each kind of inconsistency is found."""
    row = next(r for r in base().tables[table].rows.values() if r.get("status", "Active") in {"Active", "Paid"})
    state = State.at(base())
    db: Db[Any] = Db(state, BUILTIN)
    db[next(t for t in ALL if t.name == table)].put({**thaw(row), **change})
    assert list(invariants(db))
