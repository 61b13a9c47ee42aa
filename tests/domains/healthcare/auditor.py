"""Healthcare's policy, written a second time as checks of a state just before a write."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Any

from env_server.domains.healthcare.tables import (
    APPOINTMENTS,
    CONSENTS,
    DAYS,
    DOCTORS,
    LAB_RESULTS,
    PATIENTS,
    PLANS,
    PRESCRIPTIONS,
    REFERRALS,
    WAITLIST,
)
from env_server.domains.kit import Db, Dialect, GoldCall

Args = Mapping[str, Any]
ClinicDb = Db[Dialect]

TODAY, YEAR_AGO, IN_TWO_WEEKS = "2026-03-09", "2025-03-09", "2026-03-23"
MONTH_AGO, QUARTER_AGO, HALF_A_YEAR_AGO = "2026-02-07", "2025-12-09", "2025-09-09"
LATE_UNTIL = "2026-03-10T09:00"
FREE = {"illness", "bereavement", "severe_weather", "clinic_request"}


def broken(db: ClinicDb, call: GoldCall) -> list[str]:
    """The rules that a write would break now, each in a few words; a look-up breaks none."""
    rule = RULES.get(call.name)
    return list(rule(db, call.arguments)) if rule else []


def is_late(row: Any) -> bool:
    """Whether a visit begins within 24 hours."""
    return f"{row['date']}T{row['time']}" < LATE_UNTIL


def visits(db: ClinicDb, patient_id: str, status: str) -> list[Any]:
    """The patient's visits with a status."""
    return [row for row in db[APPOINTMENTS].find("patient", patient_id) if row["status"] == status]


def seen(db: ClinicDb, patient_id: str, doctor_id: str, since: str = "") -> bool:
    """Whether the patient had a completed visit with the doctor."""
    done = visits(db, patient_id, "completed")
    return any(row["doctor_id"] == doctor_id and row["date"] >= since for row in done)


def _schedule(db: ClinicDb, args: Args) -> Iterator[str]:
    doctor: Any = db[DOCTORS].get(args["doctor_id"])
    patient: Any = db[PATIENTS].get(args["patient_id"])
    plan: Any = db[PLANS].get(patient["insurance"]["plan_id"])
    known = seen(db, args["patient_id"], args["doctor_id"])
    if known == (args["visit_type"] == "new_patient"):
        yield "the kind of visit is wrong"
    if not known and not doctor["accepts_new_patients"]:
        yield "no new patients are taken"
    if patient["balance"] >= 300:
        yield "too much is owed"
    missed = visits(db, args["patient_id"], "no_show")
    if any(row["doctor_id"] == args["doctor_id"] and row["date"] >= QUARTER_AGO for row in missed):
        yield "a visit was missed of late"
    if plan["kind"] in {"HMO", "EPO"} and plan["plan_id"] not in doctor["plans"]:
        yield "out of network"
    for row in visits(db, args["patient_id"], "scheduled"):
        other = db[DOCTORS].get(row["doctor_id"])
        if other and other["specialty"] == doctor["specialty"]:
            yield "a second visit in the specialty"
    if doctor["specialty"] in plan["referral_specialties"]:
        referral = db[REFERRALS].get(args.get("referral_id", ""))
        if referral is None or referral["status"] != "approved" or referral["expires_on"] < args["date"]:
            yield "no good referral"


def _move(db: ClinicDb, args: Args) -> Iterator[str]:
    row: Any = db[APPOINTMENTS].get(args["appointment_id"])
    if is_late(row):
        yield "less than 24 hours"
    if row["times_rescheduled"] > 1:
        yield "a third move"


def _cancel(db: ClinicDb, args: Args) -> Iterator[str]:
    row = db[APPOINTMENTS].get(args["appointment_id"])
    if args["charge_late_fee"] != (is_late(row) and args["reason"] not in FREE):
        yield "the fee is wrong"


def _join(db: ClinicDb, args: Args) -> Iterator[str]:
    days = db[DAYS].find("doctor", args["doctor_id"])
    if any(day["open_times"] for day in days if day["date"] <= IN_TWO_WEEKS):
        yield "there are open times"
    if sum(row["status"] == "waiting" for row in db[WAITLIST].find("patient", args["patient_id"])) > 1:
        yield "two waitlists already"


def _refill(db: ClinicDb, args: Args) -> Iterator[str]:
    row: Any = db[PRESCRIPTIONS].get(args["prescription_id"])
    if row["controlled"] and not seen(db, row["patient_id"], row["doctor_id"], QUARTER_AGO):
        yield "controlled"
    if row["expires_on"] < TODAY:
        yield "expired"
    if _days(row["last_filled"]) + row["days_supply"] - 7 > _days(TODAY):
        yield "too early"


def _days(day: str) -> int:
    return date.fromisoformat(day).toordinal()


def _renewal(db: ClinicDb, args: Args) -> Iterator[str]:
    row: Any = db[PRESCRIPTIONS].get(args["prescription_id"])
    if row["controlled"] or not (row["refills_left"] == 0 or row["expires_on"] < TODAY):
        yield "nothing to renew"
    if row["expires_on"] < MONTH_AGO:
        yield "expired too long ago"
    if not seen(db, row["patient_id"], row["doctor_id"], YEAR_AGO):
        yield "the prescriber was not seen"


def _referral(db: ClinicDb, args: Args) -> Iterator[str]:
    patient: Any = db[PATIENTS].get(args["patient_id"])
    if not seen(db, args["patient_id"], patient["primary_doctor_id"], YEAR_AGO):
        yield "the primary doctor was not seen"
    for row in db[REFERRALS].find("patient", args["patient_id"]):
        if row["specialty"] == args["specialty"] and row["status"] == "denied" and row["issued_on"] >= QUARTER_AGO:
            yield "denied of late"


def _send(db: ClinicDb, args: Args) -> Iterator[str]:
    row: Any = db[LAB_RESULTS].get(args["result_id"])
    if row["status"] != "released":
        yield "not released"
    for value in row["values"]:
        if value["value"] > 1.5 * float(value["normal_range"].split(" to ")[1]):
            yield "a critical value"


def _insurance(_: ClinicDb, args: Args) -> Iterator[str]:
    """Insurance begins on 1 April, or today after a change in life, of which only the caller knows."""
    if args["effective_date"] not in {TODAY, "2026-04-01"}:
        yield "no such first day"


def _consent(db: ClinicDb, args: Args) -> Iterator[str]:
    patient: Any = db[PATIENTS].get(args["patient_id"])
    if patient["dob"] > "2008-03-09":
        yield "a minor"
    if args["expires_on"] > "2027-03-09":
        yield "longer than a year"


RULES: dict[str, Callable[[ClinicDb, Args], Iterator[str]]] = {
    "schedule_appointment": _schedule,
    "reschedule_appointment": _move,
    "cancel_appointment": _cancel,
    "join_waitlist": _join,
    "request_refill": _refill,
    "request_renewal": _renewal,
    "request_referral": _referral,
    "send_lab_results": _send,
    "update_insurance": _insurance,
    "record_consent": _consent,
}

_SCOPES = {
    "appointments": ("schedule_appointment", "reschedule_appointment", "cancel_appointment", "join_waitlist",
                     "leave_waitlist", "request_referral", "list_appointments", "get_waitlist_entries"),
    "prescriptions": ("request_refill", "request_renewal", "set_pharmacy", "list_prescriptions"),
    "results": ("send_lab_results", "get_lab_results"),
    "insurance": ("update_insurance", "check_coverage"),
}  # fmt: skip


def scope_of(name: str) -> str | None:
    """The scope that a proxy needs for a call, or None."""
    return next((scope for scope, names in _SCOPES.items() if name in names), None)


def consents(db: ClinicDb, patient_id: str, name: str) -> list[Any]:
    """The consents in force for a person of this name."""
    return [
        row
        for row in db[CONSENTS].find("patient", patient_id)
        if f"{row['name']['first_name']} {row['name']['last_name']}" == name
        and row["status"] == "active"
        and row["expires_on"] >= TODAY
    ]
