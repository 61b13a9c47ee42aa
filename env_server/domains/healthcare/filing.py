"""Changes to a patient's file: waitlists, refills, referrals, insurance, contact details, and consents."""

import re
from collections.abc import Mapping
from typing import Any

from env_server.domains.healthcare.checks import ClinicDb, copy_of, doctor_for, need_offered, of_patient, row_of
from env_server.domains.healthcare.clock import NOW, TODAY, need_date
from env_server.domains.healthcare.insurance import new_insurance
from env_server.domains.healthcare.tables import (
    CONSENTS,
    PATIENTS,
    PHARMACIES,
    PLANS,
    PRESCRIPTIONS,
    PRIMARY_CARE,
    REFERRALS,
    WAITLIST,
    Address,
    Consent,
    Name,
    Patient,
    Prescription,
    Referral,
    Relationship,
    Scope,
    Specialty,
    VisitType,
    WaitlistEntry,
    name_dob,
)
from env_server.domains.kit import ToolError, new_id

MOST_CONSENTS = 20
"""The maximum number of consents of a patient, ended ones included."""

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


def placed(db: ClinicDb, entry: WaitlistEntry) -> dict[str, Any]:
    """Return a waitlist entry with its position in the doctor's waitlist. Position 1 is next."""
    waiting = [other["entry_id"] for other in db[WAITLIST].find("waiting", entry["doctor_id"])]
    return {**entry, "position": waiting.index(entry["entry_id"]) + 1}


def join(db: ClinicDb, patient_id: str, doctor_id: str, visit_type: VisitType) -> WaitlistEntry:
    """Put the patient at the end of the doctor's waitlist. Raise a ToolError if they are already on it."""
    need_offered(doctor_for(db, patient_id, doctor_id), visit_type)
    if any(entry["patient_id"] == patient_id for entry in db[WAITLIST].find("waiting", doctor_id)):
        raise ToolError(f"patient {patient_id} is on the waitlist of doctor {doctor_id} already")
    entry: WaitlistEntry = {
        "entry_id": new_id(db, WAITLIST, "W", patient_id, doctor_id),
        "patient_id": patient_id,
        "doctor_id": doctor_id,
        "visit_type": visit_type,
        "joined_at": NOW,
        "status": "waiting",
    }
    return db[WAITLIST].put(entry)


def refill(db: ClinicDb, prescription_id: str, pharmacy_id: str) -> Prescription:
    """Use up a refill today, at the pharmacy. Raise a ToolError if none is left, or if one was used today."""
    prescription = active(db, prescription_id)
    row_of(db, PHARMACIES, pharmacy_id)
    if prescription["refills_left"] < 1:
        raise ToolError(f"prescription {prescription_id} has no refills left; its doctor would have to renew it")
    if prescription["last_filled"] == TODAY:
        raise ToolError(f"prescription {prescription_id} was filled today already")
    prescription["refills_left"] -= 1
    prescription["last_filled"] = TODAY
    prescription["pharmacy_id"] = pharmacy_id
    return db[PRESCRIPTIONS].put(prescription)


def active(db: ClinicDb, prescription_id: str) -> Prescription:
    """Return a mutable copy of a prescription. Raise a ToolError if its doctor has discontinued it."""
    prescription = copy_of(db, PRESCRIPTIONS, prescription_id)
    if prescription["status"] != "active":
        raise ToolError(f"prescription {prescription_id} is {prescription['status']!r}; it must be 'active'")
    return prescription


def refer(db: ClinicDb, patient_id: str, specialty: Specialty) -> Referral:
    """Request a referral from the primary doctor. Raise a ToolError for primary care, or if one is
    already requested.
    """
    if specialty in PRIMARY_CARE:
        raise ToolError(f"{specialty} is primary care, for which there are no referrals")
    for known in of_patient(db, REFERRALS, patient_id):
        if known["specialty"] == specialty and known["status"] == "requested":
            raise ToolError(f"a referral to {specialty} was requested on {known['issued_on']} already")
    referral: Referral = {
        "referral_id": new_id(db, REFERRALS, "R", patient_id, specialty),
        "patient_id": patient_id,
        "referring_doctor_id": row_of(db, PATIENTS, patient_id)["primary_doctor_id"],
        "specialty": specialty,
        "status": "requested",
        "issued_on": TODAY,
        "visits_allowed": 0,
        "visits_used": 0,
    }
    return db[REFERRALS].put(referral)


def insure(db: ClinicDb, patient_id: str, plan_id: str, member_id: str, effective_date: str) -> Patient:
    """Put a new insurance on file. From today it replaces the present one; otherwise it is the upcoming one."""
    patient = copy_of(db, PATIENTS, patient_id)
    if need_date(effective_date, "effective_date") < TODAY:
        raise ToolError(f"effective_date {effective_date} is past; insurance begins on {TODAY} at the earliest")
    insurance = new_insurance(row_of(db, PLANS, plan_id), member_id, effective_date)
    if effective_date == TODAY:
        patient["insurance"] = insurance
    else:
        patient["upcoming_insurance"] = insurance
    return db[PATIENTS].put(patient)


def contact(db: ClinicDb, patient_id: str, given: Mapping[str, str | None]) -> Patient:
    """Change the given contact details. They are stored in one format."""
    patient = copy_of(db, PATIENTS, patient_id)
    details = {field: _cleaned(field, text) for field, text in given.items() if text is not None}
    if not details:
        raise ToolError("nothing to change: give at least one contact detail")
    patient["phone"] = details.get("phone", patient["phone"])
    patient["email"] = details.get("email", patient["email"])
    old = patient["address"]
    new: Address = {
        "street": details.get("street", old["street"]),
        "city": details.get("city", old["city"]),
        "state": details.get("state", old["state"]),
        "zip": details.get("zip", old["zip"]),
    }
    patient["address"] = new
    return db[PATIENTS].put(patient)


def _cleaned(field: str, text: str) -> str:
    """Return a contact detail in its stored form. Raise a ToolError if it is not valid."""
    text = " ".join(text.split())
    if field == "phone":
        digits = re.sub(r"[^0-9]", "", text)
        if len(digits.removeprefix("1")) != 10:
            raise ToolError(f"phone {text!r} must have ten digits, such as '303-555-0142'")
        return f"{digits[-10:-7]}-{digits[-7:-4]}-{digits[-4:]}"
    if field == "email" and not _EMAIL.fullmatch(text):
        raise ToolError(f"email {text!r} is not an email address")
    if field == "state" and not re.fullmatch(r"[A-Za-z]{2}", text):
        raise ToolError(f"state {text!r} must be two letters, such as 'CO'")
    if field == "zip" and not re.fullmatch(r"[0-9]{5}", text):
        raise ToolError(f"zip {text!r} must have five digits")
    if not text:
        raise ToolError(f"{field} must not be empty")
    return {"email": text.lower(), "state": text.upper()}.get(field, text)


def consent(
    db: ClinicDb,
    patient_id: str,
    name: Name,
    dob: str,
    relationship: Relationship,
    scopes: list[Scope],
    expires_on: str,
) -> Consent:
    """Record that a person may speak for the patient. Raise a ToolError if a consent for them is in force."""
    person = name_dob(name, need_date(dob, "dob"))
    if need_date(expires_on, "expires_on") < TODAY:
        raise ToolError(f"expires_on {expires_on} is past")
    if not scopes:
        raise ToolError("scopes is empty: name at least one")
    on_file = of_patient(db, CONSENTS, patient_id)
    if len(on_file) >= MOST_CONSENTS:
        raise ToolError(f"patient {patient_id} has {len(on_file)} consents on file, the most allowed")
    for known in on_file:
        in_force = known["status"] == "active" and known["expires_on"] >= TODAY
        if in_force and name_dob(known["name"], known["dob"]) == person:
            raise ToolError(f"consent {known['consent_id']} for that person is in force; revoke it first")
    row: Consent = {
        "consent_id": new_id(db, CONSENTS, "C", patient_id, *person),
        "patient_id": patient_id,
        "name": name,
        "dob": dob,
        "relationship": relationship,
        "scopes": sorted(set(scopes)),
        "granted_on": TODAY,
        "expires_on": expires_on,
        "status": "active",
    }
    return db[CONSENTS].put(row)
