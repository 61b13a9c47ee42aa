"""Insurance rules: the plan in force on a date, copays, and coverage of procedures."""

from typing import Any, Literal

from env_server.domains.healthcare.checks import ClinicDb, row_of
from env_server.domains.healthcare.clock import TODAY
from env_server.domains.healthcare.tables import (
    DOCTORS,
    PATIENTS,
    PLANS,
    PRIMARY_CARE,
    PROCEDURES,
    Appointment,
    Coverage,
    Doctor,
    Insurance,
    Patient,
    Plan,
    VisitType,
)

_UNCOVERED: Coverage = {"covered": False, "coinsurance_percent": 100.0, "prior_authorization": False}


def insurance_on(patient: Patient, date: str) -> Insurance:
    """Return the patient's insurance in force on `date`, according to the current file."""
    upcoming = patient.get("upcoming_insurance")
    return upcoming if upcoming and upcoming["effective_date"] <= date else patient["insurance"]


def copay_of(plan: Plan, doctor: Doctor, visit_type: VisitType) -> float:
    """Return the copay of a patient of `plan` for a visit, in dollars. Within the network an annual
    physical is free.
    """
    if plan["plan_id"] not in doctor["plans"]:
        return plan["copays"]["out_of_network"]
    return 0.0 if visit_type == "annual_physical" else plan["copays"][_rate(doctor, visit_type)]


def _rate(doctor: Doctor, visit_type: VisitType) -> Literal["primary", "specialist", "video"]:
    if visit_type == "video":
        return "video"
    return "primary" if doctor["specialty"] in PRIMARY_CARE else "specialist"


def quote(db: ClinicDb, appointment: Appointment) -> float:
    """Return the copay of `appointment` under the plan that is in force on its date."""
    patient = row_of(db, PATIENTS, appointment["patient_id"])
    plan = row_of(db, PLANS, insurance_on(patient, appointment["date"])["plan_id"])
    return copay_of(plan, row_of(db, DOCTORS, appointment["doctor_id"]), appointment["visit_type"])


def without_procedures(plan: Plan) -> dict[str, Any]:
    """Return a plan as the tools show it, without its procedures. A separate tool shows each procedure."""
    return {field: value for field, value in plan.items() if field != "procedures"}


def insurance_shown(db: ClinicDb, patient_id: str) -> dict[str, Any]:
    """Return the patient's insurance in force today with its plan, and any later insurance (else null)."""
    patient = row_of(db, PATIENTS, patient_id)
    insurance, upcoming = insurance_on(patient, TODAY), patient.get("upcoming_insurance")
    return {
        "insurance": insurance,
        "upcoming_insurance": None if upcoming is insurance else upcoming,
        "plan": without_procedures(row_of(db, PLANS, insurance["plan_id"])),
    }


def coverage_shown(db: ClinicDb, patient_id: str, code: str) -> dict[str, Any]:
    """Return a procedure, its coverage under the patient's plan in force today, and the rest of the deductible."""
    insurance = insurance_on(row_of(db, PATIENTS, patient_id), TODAY)
    plan = row_of(db, PLANS, insurance["plan_id"])
    return {
        "procedure": row_of(db, PROCEDURES, code),
        "plan_id": plan["plan_id"],
        **plan["procedures"].get(code, _UNCOVERED),
        "deductible_left": insurance["deductible_left"],
    }


def new_insurance(plan: Plan, member_id: str, effective_date: str) -> Insurance:
    """Return a membership that begins on `effective_date`, with the whole deductible still to pay."""
    return {
        "plan_id": plan["plan_id"],
        "member_id": member_id.strip().upper(),
        "effective_date": effective_date,
        "deductible_left": plan["deductible"],
    }
