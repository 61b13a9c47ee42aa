"""A small group of clinics, under healthcare's builtin rules."""

import json
from typing import Any

from env_server.domains.healthcare import tools
from env_server.domains.healthcare.dialects import BUILTIN
from env_server.domains.healthcare.tables import TABLES, day_id
from env_server.domains.kit import tools_of
from env_server.domains.kit.shared import TOOLS
from env_server.state import Db, Snapshot, State
from env_server.tools.dispatch import CallOutcome, Fault, Toolset

SOON, LATER, GONE = "2026-03-10", "2026-03-16", "2026-03-06"


def plan(plan_id: str, kind: str, referrals: list[str], primary: float) -> dict[str, Any]:
    """A plan that covers a scan at 20 %."""
    return {
        "plan_id": plan_id,
        "name": plan_id.title(),
        "kind": kind,
        "copays": {"primary": primary, "specialist": primary + 20, "video": 5.0, "out_of_network": 150.0},
        "deductible": 500.0,
        "referral_specialties": referrals,
        "procedures": {"70551": {"covered": True, "coinsurance_percent": 20.0, "prior_authorization": True}},
    }


def doctor(doctor_id: str, specialty: str, ages: tuple[int, int], plans: list[str]) -> dict[str, Any]:
    """A doctor in Denver."""
    return {
        "doctor_id": doctor_id,
        "name": {"first_name": "Ada", "last_name": doctor_id},
        "specialty": specialty,
        "clinic": "North",
        "city": "Denver",
        "youngest": ages[0],
        "oldest": ages[1],
        "accepts_new_patients": doctor_id != "D3",
        "plans": plans,
        "visit_types": ["follow_up", "annual_physical", "video"],
    }


def day(doctor_id: str, date: str, *times: str) -> dict[str, Any]:
    """A doctor's day."""
    return {"day_id": day_id(doctor_id, date), "doctor_id": doctor_id, "date": date, "open_times": list(times)}


def patient(patient_id: str, first_name: str, dob: str) -> dict[str, Any]:
    """A patient named Doe who shares the family's phone."""
    return {
        "patient_id": patient_id,
        "name": {"first_name": first_name, "last_name": "Doe"},
        "dob": dob,
        "phone": "303-555-0142",
        "email": f"{first_name.lower()}@example.com",
        "address": {"street": "1 Elm Street", "city": "Denver", "state": "CO", "zip": "80203"},
        "insurance": {
            "plan_id": "basic",
            "member_id": "M1",
            "effective_date": "2026-01-01",
            "deductible_left": 120.5,
        },
        "primary_doctor_id": "D1",
        "pharmacy_id": "PH1",
        "balance": 10.1,
    }


def appointment(appointment_id: str, date: str, time: str, status: str = "scheduled", **more: Any) -> dict[str, Any]:
    """An appointment of Jo with the primary doctor."""
    return {
        "appointment_id": appointment_id,
        "patient_id": "P1",
        "doctor_id": "D1",
        "date": date,
        "time": time,
        "visit_type": "follow_up",
        "status": status,
        "copay": 20.0,
        "times_rescheduled": 0,
    } | more


def entry(entry_id: str, patient_id: str) -> dict[str, Any]:
    """A patient waiting for the primary doctor."""
    return {
        "entry_id": entry_id,
        "patient_id": patient_id,
        "doctor_id": "D1",
        "visit_type": "follow_up",
        "joined_at": "2026-03-01T10:00",
        "status": "waiting",
    }


def prescription(prescription_id: str, **more: Any) -> dict[str, Any]:
    """A prescription of Jo's with two refills left."""
    return {
        "prescription_id": prescription_id,
        "patient_id": "P1",
        "doctor_id": "D1",
        "medication": "Lisinopril",
        "strength": "10 mg",
        "controlled": False,
        "days_supply": 30,
        "refills_left": 2,
        "last_filled": "2026-02-07",
        "expires_on": "2026-12-31",
        "status": "active",
        "pharmacy_id": "PH1",
    } | more


def referral(referral_id: str, specialty: str, status: str, used: int, patient_id: str = "P1") -> dict[str, Any]:
    """A referral for two visits."""
    return {
        "referral_id": referral_id,
        "patient_id": patient_id,
        "referring_doctor_id": "D1",
        "specialty": specialty,
        "status": status,
        "issued_on": "2026-02-01",
        "expires_on": "2026-08-01",
        "visits_allowed": 2,
        "visits_used": used,
    }


def result(result_id: str, status: str) -> dict[str, Any]:
    """A lab result of Jo's."""
    value = {"name": "Glucose", "value": 91.0, "unit": "mg/dL", "normal_range": "70 to 99"}
    return {
        "result_id": result_id,
        "patient_id": "P1",
        "doctor_id": "D1",
        "test": "Glucose",
        "collected_on": GONE,
        "status": status,
        "values": [] if status == "pending" else [value],
        "sent_to": [],
    }


def pharmacy(pharmacy_id: str) -> dict[str, Any]:
    """A pharmacy in Denver."""
    return {
        "pharmacy_id": pharmacy_id,
        "name": f"Pharmacy {pharmacy_id}",
        "street": "2 Elm Street",
        "city": "Denver",
        "zip": "80203",
        "phone": "303-555-0199",
        "open_all_night": False,
    }


ROWS: dict[str, list[dict[str, Any]]] = {
    "plans": [plan("basic", "HMO", ["cardiology"], 20.0), plan("choice", "PPO", [], 35.0)],
    "procedures": [
        {"code": "70551", "name": "MRI of the brain", "specialty": "neurology", "price": 1200.0},
        {"code": "93000", "name": "Electrocardiogram", "specialty": "cardiology", "price": 80.0},
    ],
    "pharmacies": [pharmacy("PH1"), pharmacy("PH2")],
    "doctors": [
        doctor("D1", "family_medicine", (0, 120), ["basic", "choice"]),
        doctor("D2", "cardiology", (18, 120), ["basic"]),
        doctor("D3", "cardiology", (18, 120), ["choice"]),
        doctor("D4", "pediatrics", (0, 17), ["basic"]),
    ],
    "days": [
        day("D1", LATER, "09:00", "11:30"),
        day("D1", GONE, "09:00"),
        day("D1", "2026-03-09", "08:30", "09:00", "16:00"),
        day("D1", SOON),
        day("D2", LATER, "09:00", "10:00"),
        day("D3", LATER, "10:00"),
    ],
    "patients": [patient("P1", "Jo", "1980-12-31"), patient("P2", "Kim", "2012-03-10")],
    "consents": [
        {
            "consent_id": "C1",
            "patient_id": "P2",
            "name": {"first_name": "Jo", "last_name": "Doe"},
            "dob": "1980-12-31",
            "relationship": "parent",
            "scopes": ["appointments", "results"],
            "granted_on": "2020-01-01",
            "expires_on": "2030-03-10",
            "status": "active",
        }
    ],
    "appointments": [
        appointment("A1", SOON, "08:30"),
        appointment("A2", GONE, "08:30", "completed"),
        appointment("A3", "2026-03-17", "10:00", doctor_id="D2", copay=40.0, referral_id="R1"),
        appointment("A4", "2026-03-09", "08:00"),
    ],
    "waitlist": [entry("W1", "P2"), entry("W2", "P3")],
    "prescriptions": [
        prescription("RX1"),
        prescription("RX2", refills_left=0),
        prescription("RX3", status="discontinued"),
        prescription("RX4", controlled=True),
        prescription("RX5", expires_on="2026-01-01"),
        prescription("RX6", last_filled="2026-03-08"),
    ],
    "lab_results": [result("L1", "released"), result("L2", "in_review"), result("L3", "pending")],
    "referrals": [
        referral("R1", "cardiology", "approved", 1),
        referral("R2", "cardiology", "approved", 2),
        referral("R3", "neurology", "requested", 0),
        referral("R4", "neurology", "approved", 0),
        referral("R5", "cardiology", "approved", 0, "P2"),
        referral("R6", "cardiology", "denied", 0),
    ],
}


class Clinic:
    """The clinics of one episode, and their tools, called as an agent calls them."""

    base = Snapshot(TABLES, ROWS)
    tools = Toolset({t.name: t for t in (*tools_of(tools), *TOOLS)}, BUILTIN)

    def __init__(self) -> None:
        """Open fresh clinics."""
        self.db = Db(State.at(self.base), BUILTIN)

    def call(self, name: str, **arguments: Any) -> CallOutcome:
        """Call a tool. A failed call, and any read, must leave the state unchanged."""
        before = self.db.state.hash
        outcome = self.tools.call(self.db, name, arguments)
        if outcome.fault is not None or (outcome.tool and outcome.tool.kind == "read"):
            assert self.db.state.hash == before
        return outcome

    def done(self, name: str, **arguments: Any) -> Any:
        """The result of a call that must succeed."""
        outcome = self.call(name, **arguments)
        assert outcome.fault is None, outcome.text
        return json.loads(outcome.text)

    def refused(self, name: str, **arguments: Any) -> str:
        """The error of a call that must fail."""
        outcome = self.call(name, **arguments)
        assert outcome.fault in (Fault.TOOL_ERROR, Fault.BAD_ARGUMENTS), outcome.text
        return outcome.text

    def row(self, table: str, key: str) -> Any:
        """The present row."""
        found = self.db.state.overlay.get(table, key)
        assert found is not None
        return found

    def open_times(self, doctor_id: str, date: str) -> list[str]:
        """A doctor's open times on a day."""
        times: list[str] = self.row("days", day_id(doctor_id, date))["open_times"]
        return times
