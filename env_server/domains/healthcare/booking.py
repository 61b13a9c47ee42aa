"""Appointments: booking, moving and cancelling them."""

from env_server.domains.healthcare import times
from env_server.domains.healthcare.checks import ClinicDb, copy_of, doctor_for, need_offered
from env_server.domains.healthcare.clock import NOW, hours_until, need_date
from env_server.domains.healthcare.insurance import quote
from env_server.domains.healthcare.tables import (
    APPOINTMENTS,
    PATIENTS,
    REFERRALS,
    Appointment,
    CancelReason,
    Doctor,
    Referral,
    VisitType,
)
from env_server.domains.kit import ToolError, new_id

LATE_FEE = 40.0
"""The fee for a late cancellation, in dollars."""


def book(
    db: ClinicDb, patient_id: str, doctor_id: str, date: str, time: str, visit_type: VisitType, referral_id: str | None
) -> Appointment:
    """Take the time, count the visit against the referral, if any, and store the appointment."""
    doctor = doctor_for(db, patient_id, doctor_id, need_date(date))
    need_offered(doctor, visit_type)
    _need_no_other(db, patient_id, date, time)
    times.take(db, doctor_id, date, time)
    appointment: Appointment = {
        "appointment_id": new_id(db, APPOINTMENTS, "A", patient_id, doctor_id, date, time),
        "patient_id": patient_id,
        "doctor_id": doctor_id,
        "date": date,
        "time": time,
        "visit_type": visit_type,
        "status": "scheduled",
        "copay": 0.0,
        "times_rescheduled": 0,
    }
    appointment["copay"] = quote(db, appointment)
    if referral_id is not None:
        _use_referral(db, referral_id, patient_id, doctor)
        appointment["referral_id"] = referral_id
    return db[APPOINTMENTS].put(appointment)


def move(db: ClinicDb, appointment_id: str, date: str, time: str) -> Appointment:
    """Take the new time, give the old one back, and compute the copay anew."""
    appointment = _still_to_come(db, appointment_id)
    patient_id, doctor_id = appointment["patient_id"], appointment["doctor_id"]
    doctor_for(db, patient_id, doctor_id, need_date(date))
    _need_no_other(db, patient_id, date, time)
    times.take(db, doctor_id, date, time)
    times.give_back(db, appointment)
    appointment["date"], appointment["time"] = date, time
    appointment["times_rescheduled"] += 1
    appointment["copay"] = quote(db, appointment)
    return db[APPOINTMENTS].put(appointment)


def cancel(db: ClinicDb, appointment_id: str, reason: CancelReason, *, charged: bool) -> Appointment:
    """Give back the time and the referral's visit, and charge the late fee where `charged`."""
    appointment = _still_to_come(db, appointment_id)
    times.give_back(db, appointment)
    if "referral_id" in appointment:
        _count(db, copy_of(db, REFERRALS, appointment["referral_id"]), -1)
    appointment["status"] = "cancelled"
    appointment["cancel_reason"] = reason
    appointment["cancelled_at"] = NOW
    if charged:
        appointment["late_fee"] = LATE_FEE
        patient = copy_of(db, PATIENTS, appointment["patient_id"])
        patient["balance"] = round(patient["balance"] + LATE_FEE, 2)
        db[PATIENTS].put(patient)
    return db[APPOINTMENTS].put(appointment)


def _still_to_come(db: ClinicDb, appointment_id: str) -> Appointment:
    """Return a mutable copy of a scheduled, future appointment. Raise a ToolError for any other."""
    appointment = copy_of(db, APPOINTMENTS, appointment_id)
    if appointment["status"] != "scheduled":
        raise ToolError(f"appointment {appointment_id} is {appointment['status']!r}; it must be 'scheduled'")
    if hours_until(appointment["date"], appointment["time"]) <= 0:
        raise ToolError(f"appointment {appointment_id} has begun already")
    return appointment


def _need_no_other(db: ClinicDb, patient_id: str, date: str, time: str) -> None:
    """Raise a ToolError if the patient has an appointment at that time."""
    for other in db[APPOINTMENTS].find("patient", patient_id):
        if other["status"] == "scheduled" and (other["date"], other["time"]) == (date, time):
            raise ToolError(f"the patient has appointment {other['appointment_id']} at that very time")


def _use_referral(db: ClinicDb, referral_id: str, patient_id: str, doctor: Doctor) -> None:
    """Count a visit against a referral. Raise a ToolError if it is for another patient or purpose, or used up."""
    referral = copy_of(db, REFERRALS, referral_id)
    if referral["patient_id"] != patient_id:
        raise ToolError(f"referral {referral_id} is not for patient {patient_id}")
    if referral["specialty"] != doctor["specialty"]:
        raise ToolError(f"referral {referral_id} is for {referral['specialty']}, not for {doctor['specialty']}")
    if referral["status"] != "approved":
        raise ToolError(f"referral {referral_id} is {referral['status']!r}; it must be 'approved'")
    if referral["visits_used"] >= referral["visits_allowed"]:
        raise ToolError(f"all {referral['visits_allowed']} visits of referral {referral_id} are used")
    _count(db, referral, 1)


def _count(db: ClinicDb, referral: Referral, visits: int) -> None:
    referral["visits_used"] += visits
    db[REFERRALS].put(referral)
