"""The past and future visits of the builtin world, and the referrals for some of them."""

from dataclasses import dataclass, field
from datetime import date
from itertools import takewhile
from random import Random
from typing import Any, cast

from env_server.domains.healthcare.booking import LATE_FEE
from env_server.domains.healthcare.catalogue import SPECIALISTS
from env_server.domains.healthcare.clock import TODAY, age_on, days_after, hours_until
from env_server.domains.healthcare.insurance import copay_of, insurance_on
from env_server.domains.healthcare.staff import TIMES
from env_server.domains.healthcare.tables import PRIMARY_CARE, Doctor, Patient, Plan

Row = dict[str, Any]

_LATE = 24
"""Hours before a visit within which a cancellation is late."""

_SOON = 0.36
_PAST_STATUSES = {"completed": 72, "cancelled": 18, "no_show": 10}
_PAST_REASONS = ("schedule_conflict", "no_longer_needed", "transport_problem", "illness")
_VALID_FOR = 180


@dataclass
class Clinic:
    """The input and output rows of visit generation."""

    plans: dict[str, Row]
    doctors: dict[str, Row]
    days: dict[str, list[Row]]
    """Each doctor's day rows. Future visits take their open times."""

    ids: set[str] = field(default_factory=set)
    appointments: list[Row] = field(default_factory=list)
    referrals: list[Row] = field(default_factory=list)

    def fresh(self, rng: Random, prefix: str) -> str:
        """Return an unused id: the prefix and eight digits."""
        while True:
            made = f"{prefix}{rng.randrange(10**8):08}"
            if made not in self.ids:
                self.ids.add(made)
                return made

    def seeing(self, patient: Row, specialties: tuple[str, ...]) -> list[Row]:
        """Return the doctors of these specialties in the patient's network who see patients of the age."""
        age, plan = age_on(patient["dob"], TODAY), patient["insurance"]["plan_id"]
        return [
            doctor
            for doctor in self.doctors.values()
            if doctor["specialty"] in specialties
            and plan in doctor["plans"]
            and doctor["youngest"] <= age <= doctor["oldest"]
        ]

    def needs_referral(self, patient: Row, specialty: str) -> bool:
        """Return whether the patient's plan pays for the specialty only with a referral."""
        return specialty in self.plans[patient["insurance"]["plan_id"]]["referral_specialties"]


def primary_doctor(rng: Random, clinic: Clinic, patient: Row) -> str:
    """Return a primary doctor for the patient."""
    minor = age_on(patient["dob"], TODAY) < 18
    specialties = ("pediatrics", "family_medicine") if minor else PRIMARY_CARE[:2]
    return str(rng.choice(clinic.seeing(patient, specialties))["doctor_id"])


def add_visits(rng: Random, clinic: Clinic, patient: Row) -> None:
    """Add a patient's visits: past ones with the primary doctor and usually a specialist, and one
    or two future ones.
    """
    primary = clinic.doctors[patient["primary_doctor_id"]]
    recent = rng.random() < 0.65
    _past(rng, clinic, patient, primary, "completed", (20, 330) if recent else (390, 600))
    known = rng.choice(clinic.seeing(patient, SPECIALISTS))
    if rng.random() < 0.7:
        _past(rng, clinic, patient, known, "completed", (15, 340))
    if rng.random() < 0.4:
        status = rng.choices(list(_PAST_STATUSES), list(_PAST_STATUSES.values()))[0]
        _past(rng, clinic, patient, rng.choice([primary, known]), status, (5, 300) if recent else (400, 700))
    booked = rng.sample([primary, known], 1 if rng.random() < 0.45 else 2)
    for doctor in booked:
        _to_come(rng, clinic, patient, doctor)


def _past(rng: Random, clinic: Clinic, patient: Row, doctor: Row, status: str, ago: tuple[int, int]) -> None:
    day = days_after(TODAY, -rng.randint(*ago))
    if date.fromisoformat(day).weekday() > 4:
        day = days_after(day, -2)
    row = _row(rng, clinic, patient, doctor, day, rng.choice(TIMES), status)
    if status == "cancelled":
        row["cancel_reason"] = rng.choice(_PAST_REASONS)
        late = rng.random() < 0.4
        row["cancelled_at"] = f"{days_after(day, -(0 if late else 3))}T07:{rng.randint(10, 59)}"
        if late:
            row["late_fee"] = LATE_FEE
    clinic.appointments.append(row)


def _to_come(rng: Random, clinic: Clinic, patient: Row, doctor: Row) -> None:
    """Add a visit at an open time if the doctor has any. It includes a referral if the plan requires one."""
    slot = _slot(rng, clinic, patient, doctor, soon=rng.random() < _SOON)
    if slot is None:
        return
    day, time = slot
    day["open_times"].remove(time)
    row = _row(rng, clinic, patient, doctor, day["date"], time, "scheduled")
    row["times_rescheduled"] = rng.choice((0, 0, 0, 1, 2, 2))
    if clinic.needs_referral(patient, doctor["specialty"]):
        referral = add_referral(rng, clinic, patient, doctor["specialty"], "good")
        referral["visits_used"] = 1
        row["referral_id"] = referral["referral_id"]
    clinic.appointments.append(row)


def _slot(rng: Random, clinic: Clinic, patient: Row, doctor: Row, *, soon: bool) -> tuple[Row, str] | None:
    """Return an open time of the doctor at which the patient is free. If `soon`, it is within the next 24 hours if
    possible.
    """
    busy = {
        (a["date"], a["time"])
        for a in clinic.appointments[-4:]
        if a["patient_id"] == patient["patient_id"] and a["status"] == "scheduled"
    }
    free = [
        (day, time)
        for day in clinic.days[doctor["doctor_id"]]
        for time in day["open_times"]
        if (day["date"], time) not in busy
    ]
    late = list(takewhile(lambda slot: hours_until(slot[0]["date"], slot[1]) < _LATE, free))
    chosen = (late if soon else free[len(late) :]) or free
    return rng.choice(chosen) if chosen else None


def _row(rng: Random, clinic: Clinic, patient: Row, doctor: Row, day: str, time: str, status: str) -> Row:
    offered = [kind for kind in doctor["visit_types"] if kind not in {"new_patient", "procedure"}]
    visit_type = rng.choice(offered)
    plan = cast("Plan", clinic.plans[insurance_on(cast("Patient", patient), day)["plan_id"]])
    return {
        "appointment_id": clinic.fresh(rng, "A"),
        "patient_id": patient["patient_id"],
        "doctor_id": doctor["doctor_id"],
        "date": day,
        "time": time,
        "visit_type": visit_type,
        "status": status,
        "copay": copay_of(plan, cast("Doctor", doctor), visit_type),
        "times_rescheduled": 0,
    }


def add_referral(rng: Random, clinic: Clinic, patient: Row, specialty: str, kind: str) -> Row:
    """Return a referral: `good` (approved, with visits left), `expired`, `used` up, `requested` or `denied`."""
    issued = days_after(TODAY, -rng.randint(200, 400) if kind == "expired" else -rng.randint(8, 90))
    row: Row = {
        "referral_id": clinic.fresh(rng, "R"),
        "patient_id": patient["patient_id"],
        "referring_doctor_id": patient["primary_doctor_id"],
        "specialty": specialty,
        "status": kind if kind in {"requested", "denied"} else "approved",
        "issued_on": issued,
        "visits_allowed": 0 if kind in {"requested", "denied"} else rng.randint(2, 5),
        "visits_used": 0,
    }
    if row["status"] == "approved":
        row["expires_on"] = days_after(issued, _VALID_FOR)
        row["visits_used"] = row["visits_allowed"] if kind == "used" else 0
    clinic.referrals.append(row)
    return row
