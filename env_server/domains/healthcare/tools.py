"""Healthcare's tools. Dates are text of the form 'YYYY-MM-DD', times 'HH:MM', amounts US dollars.

They check what a clinic's computer can know. Whether a caller may ask, a referral is needed, a fee is due or a refill
is too early is left to the agent and the policy.
"""

from typing import Any, Literal

from env_server.domains.healthcare import booking, filing, times
from env_server.domains.healthcare.checks import ClinicDb, copy_of, of_patient, row_of
from env_server.domains.healthcare.clock import TODAY, need_date
from env_server.domains.healthcare.insurance import coverage_shown, insurance_shown, without_procedures
from env_server.domains.healthcare.tables import (
    APPOINTMENTS,
    CONSENTS,
    DOCTORS,
    LAB_RESULTS,
    PATIENTS,
    PHARMACIES,
    PLANS,
    PRESCRIPTIONS,
    PROCEDURES,
    REFERRALS,
    WAITLIST,
    Appointment,
    CancelReason,
    Channel,
    Consent,
    Doctor,
    LabResult,
    Name,
    Patient,
    Pharmacy,
    Prescription,
    Referral,
    Relationship,
    Scope,
    Specialty,
    VisitType,
    WaitlistEntry,
    name_dob,
    phone_dob,
)
from env_server.domains.kit import READ, WRITE, ToolError, tool

NAME_ALIASES = {"firstname": "first_name", "lastname": "last_name", "date_of_birth": "dob"}
TIME_ALIASES = {"new_date": "date", "new_time": "time"}
VISIT_ALIASES = {"type": "visit_type", "appointment_type": "visit_type"}
DAYS_SHOWN = 5


@tool(
    kind=READ, aliases=("search_patients", "find_patient_by_name_dob"), argument_aliases=NAME_ALIASES, identifies=True
)
def find_patient(db: ClinicDb, first_name: str, last_name: str, dob: str) -> list[str]:
    """Find the ids of the patients with this name and date of birth. Upper and lower case do not matter.

    Args:
        first_name: The first name, such as 'Jo'.
        last_name: The last name, such as 'Doe'.
        dob: The date of birth, such as '1980-12-31'.
    """
    name = name_dob({"first_name": first_name.strip(), "last_name": last_name.strip()}, need_date(dob, "dob"))
    found = [patient["patient_id"] for patient in db[PATIENTS].find("name_dob", name)]
    if not found:
        raise ToolError(f"no patient is named {first_name} {last_name} and born on {dob}")
    return found


@tool(kind=READ, argument_aliases={"phone_number": "phone", "date_of_birth": "dob"}, identifies=True)
def find_patient_by_phone(db: ClinicDb, phone: str, dob: str) -> list[str]:
    """Find the ids of the patients with this phone number and date of birth.

    Args:
        phone: The phone number, such as '303-555-0142'.
        dob: The date of birth, such as '1980-12-31'.
    """
    number = phone_dob(phone, need_date(dob, "dob"))
    found = [patient["patient_id"] for patient in db[PATIENTS].find("phone_dob", number)]
    if not found:
        raise ToolError(f"no patient has the phone number {phone!r} and was born on {dob}")
    return found


@tool(kind=READ, aliases=("get_patient", "get_patient_details"), argument_aliases={"id": "patient_id"}, identifies=True)
def get_patient_info(db: ClinicDb, patient_id: str) -> Patient:
    """Get a patient's name, date of birth, contact details, insurance, primary doctor, pharmacy and fees owed.

    Args:
        patient_id: The patient's id, which the tools that find patients give.
    """
    return row_of(db, PATIENTS, patient_id)


@tool(kind=READ, aliases=("list_proxies", "get_guardians"), identifies=True)
def get_proxies(db: ClinicDb, patient_id: str) -> list[Consent]:
    """List the guardians and proxies on a patient's file: who they are, for what, until when, and whether revoked.

    Args:
        patient_id: The patient's id.
    """
    return of_patient(db, CONSENTS, patient_id)


@tool(kind=READ, aliases=("get_appointments", "get_patient_appointments"))
def list_appointments(
    db: ClinicDb, patient_id: str, status: Literal["scheduled", "completed", "cancelled", "no_show"] | None = None
) -> list[Appointment]:
    """List a patient's appointments, past and future, earliest first.

    Args:
        patient_id: The patient's id.
        status: Only those with this status; all if left out.
    """
    found = [row for row in of_patient(db, APPOINTMENTS, patient_id) if status in (None, row["status"])]
    return sorted(found, key=lambda row: (row["date"], row["time"]))


@tool(kind=READ, aliases=("get_appointment", "get_appointment_info"), argument_aliases={"id": "appointment_id"})
def get_appointment_details(db: ClinicDb, appointment_id: str) -> Appointment:
    """Get an appointment: patient, doctor, date, time, kind of visit, status, copay, and how often it was moved.

    Args:
        appointment_id: The appointment's id.
    """
    return row_of(db, APPOINTMENTS, appointment_id)


@tool(kind=READ, aliases=("find_doctors", "search_providers", "list_doctors"))
def search_doctors(
    db: ClinicDb,
    specialty: Specialty,
    city: str | None = None,
    plan_id: str | None = None,
    accepts_new_patients: bool | None = None,
) -> list[Doctor]:
    """List the doctors of a specialty: clinic, ages seen, plans accepted, kinds of visit, if they take new patients.

    Args:
        specialty: The specialty.
        city: Only doctors in this city.
        plan_id: Only doctors in the network of this plan.
        accepts_new_patients: Only doctors who take new patients (true), or who do not (false).
    """
    if plan_id is not None:
        row_of(db, PLANS, plan_id)
    return [
        doctor
        for doctor in db[DOCTORS].find("specialty", specialty)
        if (city is None or doctor["city"].lower() == city.strip().lower())
        and (plan_id is None or plan_id in doctor["plans"])
        and accepts_new_patients in (None, doctor["accepts_new_patients"])
    ]


@tool(
    kind=READ, aliases=("get_doctor", "get_doctor_info", "get_provider_details"), argument_aliases={"id": "doctor_id"}
)
def get_doctor_details(db: ClinicDb, doctor_id: str) -> Doctor:
    """Get a doctor's name, specialty, clinic, ages seen, plans accepted, kinds of visit, if they take new patients.

    Args:
        doctor_id: The doctor's id.
    """
    return row_of(db, DOCTORS, doctor_id)


@tool(
    kind=READ,
    aliases=("get_available_slots", "check_availability", "get_doctor_schedule"),
    argument_aliases={"date": "from_date", "start_date": "from_date"},
)
def get_doctor_availability(db: ClinicDb, doctor_id: str, from_date: str = TODAY) -> dict[str, list[str]]:
    """Get the next five days on which a doctor has open times: date -> times.

    Args:
        doctor_id: The doctor's id.
        from_date: The first date to look at; today if left out.
    """
    row_of(db, DOCTORS, doctor_id)
    return times.open_days(db, doctor_id, need_date(from_date, "from_date"), DAYS_SHOWN)


@tool(kind=READ, aliases=("get_waitlist", "list_waitlist_entries"))
def get_waitlist_entries(db: ClinicDb, patient_id: str) -> list[dict[str, Any]]:
    """List the waitlists a patient is on, each with the patient's position; 1 is next.

    Args:
        patient_id: The patient's id.
    """
    entries = of_patient(db, WAITLIST, patient_id)
    return [filing.placed(db, entry) for entry in entries if entry["status"] == "waiting"]


@tool(kind=READ, aliases=("get_prescriptions", "get_medications"))
def list_prescriptions(db: ClinicDb, patient_id: str) -> list[Prescription]:
    """List a patient's prescriptions: medication, refills left, last fill and its days of supply, expiry, pharmacy.

    Args:
        patient_id: The patient's id.
    """
    return of_patient(db, PRESCRIPTIONS, patient_id)


@tool(kind=READ, aliases=("list_lab_results", "get_test_results"))
def get_lab_results(db: ClinicDb, patient_id: str) -> list[LabResult]:
    """List a patient's lab results with status and values. Values that are not released yet are shown to you too.

    Args:
        patient_id: The patient's id.
    """
    return of_patient(db, LAB_RESULTS, patient_id)


@tool(kind=READ, aliases=("list_referrals",))
def get_referrals(db: ClinicDb, patient_id: str) -> list[Referral]:
    """List a patient's referrals: specialty, status, expiry, and the visits allowed and used.

    Args:
        patient_id: The patient's id.
    """
    return of_patient(db, REFERRALS, patient_id)


@tool(kind=READ, aliases=("get_plans", "list_insurance_plans"))
def list_plans(db: ClinicDb) -> list[dict[str, Any]]:
    """List the insurance plans: id, name, kind, copays, deductible, and the specialties that need a referral."""
    return [without_procedures(plan) for plan in db[PLANS]]


@tool(kind=READ, aliases=("get_insurance", "get_insurance_info"))
def get_insurance_coverage(db: ClinicDb, patient_id: str) -> dict[str, Any]:
    """Get a patient's insurance in force today with its plan, and the insurance that takes its place later, if any.

    Args:
        patient_id: The patient's id.
    """
    return insurance_shown(db, patient_id)


@tool(kind=READ, aliases=("get_procedures",))
def list_procedures(db: ClinicDb) -> dict[str, str]:
    """List the names of all procedures in alphabetical order, each with its code."""
    return dict(sorted((procedure["name"], procedure["code"]) for procedure in db[PROCEDURES]))


@tool(kind=READ, aliases=("get_coverage", "check_procedure_coverage"), argument_aliases={"code": "procedure_code"})
def check_coverage(db: ClinicDb, patient_id: str, procedure_code: str) -> dict[str, Any]:
    """Get a procedure's price, what a patient's plan in force today does about it, and what is left of the deductible.

    Args:
        patient_id: The patient's id.
        procedure_code: The procedure's code, which is not its name.
    """
    return coverage_shown(db, patient_id, procedure_code)


@tool(kind=READ, aliases=("find_pharmacies", "list_pharmacies"))
def search_pharmacies(db: ClinicDb, city: str) -> list[Pharmacy]:
    """List the pharmacies in a city: id, name, address, phone, and whether they are open all night.

    Args:
        city: The city.
    """
    return db[PHARMACIES].find("city", city.strip().lower())


@tool(kind=WRITE, aliases=("book_appointment", "create_appointment"), argument_aliases=VISIT_ALIASES)
def schedule_appointment(
    db: ClinicDb,
    patient_id: str,
    doctor_id: str,
    date: str,
    time: str,
    visit_type: VisitType,
    referral_id: str | None = None,
) -> Appointment:
    """Book an open time of a doctor for a patient; the copay is that of the plan in force on the date.

    It does not check whether the plan needs a referral or the doctor takes new patients. Ask for confirmation first.

    Args:
        patient_id: The patient's id.
        doctor_id: The doctor's id.
        date: The date, such as '2026-03-31'.
        time: One of the doctor's open times on that date, such as '14:30'.
        visit_type: The kind of visit, one that the doctor offers.
        referral_id: The approved referral that the visit counts against, only where the plan needs one.
    """
    return booking.book(db, patient_id, doctor_id, date, time, visit_type, referral_id)


@tool(kind=WRITE, aliases=("move_appointment", "change_appointment"), argument_aliases=TIME_ALIASES)
def reschedule_appointment(db: ClinicDb, appointment_id: str, date: str, time: str) -> Appointment:
    """Move a scheduled appointment to another open time of the same doctor; the old time becomes open again.

    Ask for confirmation of the new date and time first.

    Args:
        appointment_id: The appointment's id.
        date: The new date, such as '2026-03-31'.
        time: One of the doctor's open times on that date, such as '14:30'.
    """
    return booking.move(db, appointment_id, date, time)


@tool(kind=WRITE, argument_aliases={"cancel_reason": "reason", "late_fee": "charge_late_fee"})
def cancel_appointment(db: ClinicDb, appointment_id: str, reason: CancelReason, charge_late_fee: bool) -> Appointment:
    """Cancel a scheduled appointment; its time becomes open again, and a referral gets the visit back.

    Ask for confirmation first, and name the fee where there is one. It cannot be undone.

    Args:
        appointment_id: The appointment's id.
        reason: Why it is cancelled.
        charge_late_fee: Whether the patient is charged the late fee, which the policy decides.
    """
    return booking.cancel(db, appointment_id, reason, charged=charge_late_fee)


@tool(kind=WRITE, aliases=("add_to_waitlist",), argument_aliases=VISIT_ALIASES)
def join_waitlist(db: ClinicDb, patient_id: str, doctor_id: str, visit_type: VisitType) -> dict[str, Any]:
    """Put a patient at the end of a doctor's waitlist, once per doctor, and get their position; 1 is next.

    Args:
        patient_id: The patient's id.
        doctor_id: The doctor's id.
        visit_type: The kind of visit they wait for, one that the doctor offers.
    """
    return filing.placed(db, filing.join(db, patient_id, doctor_id, visit_type))


@tool(kind=WRITE, aliases=("remove_from_waitlist",), argument_aliases={"waitlist_id": "entry_id", "id": "entry_id"})
def leave_waitlist(db: ClinicDb, entry_id: str) -> WaitlistEntry:
    """Take a patient off a waitlist. Whoever joins again starts at the end.

    Args:
        entry_id: The waitlist entry's id.
    """
    entry = copy_of(db, WAITLIST, entry_id)
    if entry["status"] != "waiting":
        raise ToolError(f"the patient of waitlist entry {entry_id} has left already")
    entry["status"] = "left"
    return db[WAITLIST].put(entry)


@tool(
    kind=WRITE, aliases=("refill_prescription",), argument_aliases={"id": "prescription_id", "pharmacy": "pharmacy_id"}
)
def request_refill(db: ClinicDb, prescription_id: str, pharmacy_id: str) -> Prescription:
    """Have a prescription filled again today at a pharmacy, which uses up one of its refills.

    It does not check whether the refill is too early, the prescription expired, or the medication controlled.

    Args:
        prescription_id: The prescription's id.
        pharmacy_id: The pharmacy that fills it, from now on.
    """
    return filing.refill(db, prescription_id, pharmacy_id)


@tool(kind=WRITE, aliases=("renew_prescription",), argument_aliases={"id": "prescription_id"})
def request_renewal(db: ClinicDb, prescription_id: str) -> Prescription:
    """Ask the doctor who prescribed a medication to renew the prescription; once for a prescription.

    Args:
        prescription_id: The prescription's id.
    """
    prescription = filing.active(db, prescription_id)
    if "renewal_requested_on" in prescription:
        raise ToolError(f"a renewal was requested on {prescription['renewal_requested_on']} already")
    prescription["renewal_requested_on"] = TODAY
    return db[PRESCRIPTIONS].put(prescription)


@tool(kind=WRITE, aliases=("create_referral",))
def request_referral(db: ClinicDb, patient_id: str, specialty: Specialty) -> Referral:
    """Ask a patient's primary doctor for a referral. It cannot be used before the doctor has approved it.

    Args:
        patient_id: The patient's id.
        specialty: The specialty, which must not be primary care.
    """
    return filing.refer(db, patient_id, specialty)


@tool(kind=WRITE, aliases=("send_lab_result",), argument_aliases={"id": "result_id", "method": "channel"})
def send_lab_results(db: ClinicDb, result_id: str, channel: Channel) -> LabResult:
    """Send the patient a copy of a lab result. It does not check whether the result is released.

    Args:
        result_id: The lab result's id.
        channel: Where to: the patient's account at the portal, their email address, or their postal address.
    """
    result = copy_of(db, LAB_RESULTS, result_id)
    if result["status"] == "pending":
        raise ToolError(f"lab result {result_id} is 'pending': it has no values to send yet")
    if channel in result["sent_to"]:
        raise ToolError(f"lab result {result_id} was sent by {channel} already")
    result["sent_to"] = sorted([*result["sent_to"], channel])
    return db[LAB_RESULTS].put(result)


@tool(kind=WRITE, aliases=("change_insurance",), argument_aliases={"start_date": "effective_date"})
def update_insurance(db: ClinicDb, patient_id: str, plan_id: str, member_id: str, effective_date: str) -> Patient:
    """Put a patient's new insurance on file. From a later date than today, the present one stays in force until then.

    Copays of appointments already booked stay as quoted. Ask for confirmation first.

    Args:
        patient_id: The patient's id.
        plan_id: The new plan's id.
        member_id: The member number on the patient's new card.
        effective_date: The first day on which it is in force; it cannot be past.
    """
    return filing.insure(db, patient_id, plan_id, member_id, effective_date)


@tool(kind=WRITE, aliases=("update_contact_info", "update_patient_info"), argument_aliases={"zip_code": "zip"})
def update_contact_details(
    db: ClinicDb,
    patient_id: str,
    phone: str | None = None,
    email: str | None = None,
    street: str | None = None,
    city: str | None = None,
    state: str | None = None,
    zip: str | None = None,
) -> Patient:
    """Change a patient's contact details; what is left out stays. Ask for confirmation first.

    Args:
        patient_id: The patient's id.
        phone: The phone number, such as '303-555-0142'.
        email: The email address.
        street: House number and street, such as '12 Elm Street'.
        city: The city.
        state: The state's two letters, such as 'CO'.
        zip: The zip code, such as '80203'.
    """
    address = {"street": street, "city": city, "state": state, "zip": zip}
    return filing.contact(db, patient_id, {"phone": phone, "email": email, **address})


@tool(kind=WRITE, aliases=("update_pharmacy", "set_preferred_pharmacy"))
def set_pharmacy(db: ClinicDb, patient_id: str, pharmacy_id: str) -> Patient:
    """Set the pharmacy that a patient's new prescriptions go to; prescriptions there are stay where they are.

    Args:
        patient_id: The patient's id.
        pharmacy_id: The pharmacy's id.
    """
    patient = copy_of(db, PATIENTS, patient_id)
    row_of(db, PHARMACIES, pharmacy_id)
    patient["pharmacy_id"] = pharmacy_id
    return db[PATIENTS].put(patient)


@tool(kind=WRITE, aliases=("add_proxy",), argument_aliases={**NAME_ALIASES, "expiry_date": "expires_on"})
def record_consent(
    db: ClinicDb,
    patient_id: str,
    first_name: str,
    last_name: str,
    dob: str,
    relationship: Relationship,
    scopes: list[Scope],
    expires_on: str,
) -> Consent:
    """Record that somebody may speak for a patient from today on. Ask for confirmation first.

    Args:
        patient_id: The patient's id.
        first_name: That person's first name.
        last_name: That person's last name.
        dob: That person's date of birth, such as '1980-12-31'.
        relationship: What that person is to the patient.
        scopes: The matters they may speak about, at least one.
        expires_on: The last day of the consent.
    """
    name = Name(first_name=first_name.strip(), last_name=last_name.strip())
    return filing.consent(db, patient_id, name, dob, relationship, scopes, expires_on)


@tool(kind=WRITE, aliases=("remove_proxy",), argument_aliases={"id": "consent_id"})
def revoke_consent(db: ClinicDb, consent_id: str) -> Consent:
    """End somebody's consent to speak for a patient, at once.

    Args:
        consent_id: The consent's id.
    """
    consent = copy_of(db, CONSENTS, consent_id)
    if consent["status"] == "revoked":
        raise ToolError(f"consent {consent_id} is revoked already")
    consent["status"] = "revoked"
    return db[CONSENTS].put(consent)
