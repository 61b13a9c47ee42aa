from collections import Counter
from typing import Any

import pytest

from env_server.domains.healthcare import domain
from env_server.domains.healthcare.clock import NOW, TODAY, age_on, hours_until
from env_server.domains.healthcare.insurance import quote
from env_server.domains.healthcare.invariants import invariants
from env_server.domains.healthcare.tables import TABLES
from env_server.domains.healthcare.world import world
from env_server.domains.kit import Db
from env_server.state import Change, Snapshot, State
from tests.domains.made import pack

BUILTIN = domain.dialects["builtin"]


def base() -> Snapshot:
    """Return the builtin base."""
    return pack("healthcare").snapshot


def rows(table: str) -> dict[str, Any]:
    """Return the rows of a table by key."""
    return {key: dict(row) for key, row in base().tables[table].rows.items()}


def faults(*changes: Change) -> list[str]:
    """The invariants' complaints about the base after some changes."""
    return list(invariants(Db(State.at(base(), changes), BUILTIN)))


def some(table: str, **fields: Any) -> tuple[str, dict[str, Any]]:
    """Return the first row of a table whose fields have these values, and its key."""
    return next((k, r) for k, r in rows(table).items() if all(r.get(f) == v for f, v in fields.items()))


def test_sizes_at_the_default() -> None:
    """There are at least 500 patients, 1,200 appointments and 800 prescriptions, and 60 doctors of 12 specialties."""
    counts = {name: len(made) for name, made in world().items()}
    assert counts["patients"] >= 500
    assert counts["appointments"] >= 1200
    assert counts["prescriptions"] >= 800
    doctors = rows("doctors").values()
    assert len(doctors) == 60
    assert len({row["specialty"] for row in doctors}) == 12


def test_scale_multiplies_the_patients() -> None:
    """A larger world has more patients with more rows, in the same clinics, and is consistent too."""
    small, large = world(), world(scale=2)
    assert len(large["patients"]) == 2 * len(small["patients"])
    assert len(large["appointments"]) > 1.8 * len(small["appointments"])
    assert [row["doctor_id"] for row in large["doctors"]] == [row["doctor_id"] for row in small["doctors"]]
    assert list(invariants(Db(State.at(Snapshot(TABLES, large)), BUILTIN))) == []


BROKEN = [
    ("appointments", {"status": "scheduled"}, {"doctor_id": "D0"}),
    ("appointments", {"status": "scheduled"}, {"status": "cancelled"}),
    ("appointments", {"status": "scheduled"}, {"date": TODAY, "time": "08:00"}),
    ("appointments", {"status": "completed"}, {"late_fee": 40.0}),
    ("referrals", {"status": "approved"}, {"visits_used": 99}),
    ("referrals", {"status": "requested"}, {"expires_on": "2026-05-05"}),
    ("patients", {}, {"balance": -1.0}),
    ("patients", {}, {"pharmacy_id": "PH-0"}),
    (
        "patients",
        {},
        {"insurance": {"plan_id": "?", "member_id": "M1", "effective_date": TODAY, "deductible_left": 0.0}},
    ),
    ("prescriptions", {}, {"refills_left": -1}),
    ("lab_results", {"status": "pending"}, {"sent_to": ["email"]}),
    ("lab_results", {"status": "released"}, {"values": []}),
    ("consents", {}, {"scopes": ["results", "appointments"]}),
    ("days", {}, {"open_times": ["09:00", "08:00"]}),
    ("doctors", {}, {"plans": ["PLN-0"]}),
]


@pytest.mark.parametrize(("table", "where", "change"), BROKEN)
def test_invariants_notice(table: str, where: dict[str, Any], change: dict[str, Any]) -> None:
    """A row that does not fit other rows is named."""
    key, row = some(table, **where)
    found = faults(Change(table, key, row | change))
    assert any(key in sentence or row.get("doctor_id", "?") in sentence for sentence in found)


def test_invariants_notice_a_time_given_twice() -> None:
    """Two visits of a doctor at one time, and a visit whose time is still open, are named."""
    key, row = some("appointments", status="scheduled")
    twin = row | {"appointment_id": "A0", "patient_id": next(p for p in rows("patients") if p != row["patient_id"])}
    assert len(faults(Change("appointments", "A0", twin | {"referral_id": ""}))) > 0
    day = rows("days")[f"{row['doctor_id']}@{row['date']}"]
    reopened = day | {"open_times": sorted({*day["open_times"], row["time"]})}
    assert faults(Change("days", day["day_id"], reopened)) == [f"the time of appointment {key} is still open"]


def test_patients_can_be_told_apart() -> None:
    """Some patients share name and birthday, but none a phone number, an email, or name, birthday and zip code."""
    patients = list(rows("patients").values())
    names = Counter((*p["name"].values(), p["dob"]) for p in patients)
    assert sum(n > 1 for n in names.values()) > 5
    assert len({p["phone"] for p in patients}) == len({p["email"] for p in patients}) == len(patients)
    assert len({(*p["name"].values(), p["dob"], p["address"]["zip"]) for p in patients}) == len(patients)


def test_minors_have_a_guardian_and_a_fitting_doctor() -> None:
    """Every minor has a proxy, and every primary doctor sees patients of the age."""
    guardians = {
        row["patient_id"] for row in rows("consents").values() if row["relationship"] in {"parent", "legal_guardian"}
    }
    doctors = rows("doctors")
    for key, patient in rows("patients").items():
        doctor, age = doctors[patient["primary_doctor_id"]], age_on(patient["dob"], TODAY)
        assert age >= 18 or key in guardians
        assert doctor["youngest"] <= age <= doctor["oldest"]
    assert sum(age_on(p["dob"], TODAY) < 18 for p in rows("patients").values()) > 100


def test_copays_are_those_the_tools_would_quote() -> None:
    """The copay of a visit is the plan's on that date."""
    db = Db(State.at(base()), BUILTIN)
    assert all(quote(db, row) == row["copay"] for row in rows("appointments").values())


def test_everything_is_common_enough() -> None:
    """Every status, late visits, visits moved twice, controlled and expired medicines, and all plans are frequent."""
    appointments = list(rows("appointments").values())
    assert all(n > 20 for n in Counter(row["status"] for row in appointments).values())
    scheduled = [row for row in appointments if row["status"] == "scheduled"]
    assert all(f"{row['date']}T{row['time']}" > NOW for row in scheduled)
    assert sum(hours_until(row["date"], row["time"]) < 24 for row in scheduled) > 150
    assert sum(row["times_rescheduled"] == 2 for row in scheduled) > 150
    prescriptions = rows("prescriptions").values()
    assert sum(row["controlled"] for row in prescriptions) > 150
    assert sum(row["expires_on"] < TODAY for row in prescriptions) > 100
    assert min(Counter(row["status"] for row in rows("lab_results").values()).values()) > 150
    assert min(Counter(row["status"] for row in rows("referrals").values()).values()) > 50
    plans = Counter(p["insurance"]["plan_id"] for p in rows("patients").values())
    assert set(plans) == set(rows("plans"))
