"""Healthcare's tables. Money is in US dollars, dates are 'YYYY-MM-DD', times 'HH:MM', moments 'YYYY-MM-DDTHH:MM'."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from env_server.domains.kit import Index, Table

Specialty = Literal[
    "cardiology",
    "dermatology",
    "endocrinology",
    "family_medicine",
    "gastroenterology",
    "gynecology",
    "internal_medicine",
    "neurology",
    "ophthalmology",
    "orthopedics",
    "pediatrics",
    "psychiatry",
]

PRIMARY_CARE: tuple[Specialty, ...] = ("family_medicine", "internal_medicine", "pediatrics")
"""The specialties whose doctors can be a patient's primary doctor."""

VisitType = Literal["new_patient", "follow_up", "annual_physical", "procedure", "video"]
CancelReason = Literal[
    "no_longer_needed",
    "schedule_conflict",
    "changed_doctor",
    "transport_problem",
    "illness",
    "bereavement",
    "severe_weather",
    "clinic_request",
]
Relationship = Literal[
    "parent",
    "legal_guardian",
    "step_parent",
    "grandparent",
    "aunt_or_uncle",
    "spouse",
    "adult_child",
    "sibling",
    "caregiver",
]
Scope = Literal["appointments", "prescriptions", "results", "insurance"]
Channel = Literal["portal", "email", "mail"]


class Coverage(TypedDict):
    """What a plan does about one procedure; `coinsurance_percent` is the patient's part of the price."""

    covered: bool
    coinsurance_percent: float
    prior_authorization: bool


class Copays(TypedDict):
    """What a patient pays for a visit, by its kind."""

    primary: float
    specialist: float
    video: float
    out_of_network: float


class Plan(TypedDict):
    """An insurance plan. `referral_specialties` are those it pays for with a referral only.

    `procedures` maps procedure codes to coverage; a code that is missing is not covered.
    """

    plan_id: str
    name: str
    kind: Literal["HMO", "EPO", "PPO", "self_pay"]
    copays: Copays
    deductible: float
    referral_specialties: list[str]
    procedures: dict[str, Coverage]


class Procedure(TypedDict):
    """A procedure that the clinics carry out, with its list price."""

    code: str
    name: str
    specialty: Specialty
    price: float


class Pharmacy(TypedDict):
    """A pharmacy that prescriptions can be sent to."""

    pharmacy_id: str
    name: str
    street: str
    city: str
    zip: str
    phone: str
    open_all_night: bool


class Name(TypedDict):
    """A person's name."""

    first_name: str
    last_name: str


class Doctor(TypedDict):
    """A doctor at one clinic, who sees patients of the ages `youngest` to `oldest` (both included, in years)."""

    doctor_id: str
    name: Name
    specialty: Specialty
    clinic: str
    city: str
    youngest: int
    oldest: int
    accepts_new_patients: bool
    plans: list[str]
    visit_types: list[VisitType]


class Day(TypedDict):
    """The times still open with a doctor on one day, in order. `day_id` is made by `day_id`."""

    day_id: str
    doctor_id: str
    date: str
    open_times: list[str]


class Address(TypedDict):
    """A postal address."""

    street: str
    city: str
    state: str
    zip: str


class Insurance(TypedDict):
    """A patient's membership of a plan; `deductible_left` is what they still pay themselves this year."""

    plan_id: str
    member_id: str
    effective_date: str
    deductible_left: float


class Patient(TypedDict):
    """A patient. `upcoming_insurance` takes the place of `insurance` on its effective date.

    `balance` is what the patient owes for fees.
    """

    patient_id: str
    name: Name
    dob: str
    phone: str
    email: str
    address: Address
    insurance: Insurance
    upcoming_insurance: NotRequired[Insurance]
    primary_doctor_id: str
    pharmacy_id: str
    balance: float


class Consent(TypedDict):
    """That somebody may speak for a patient about the matters in `scopes`, up to and including `expires_on`.

    Guardians of minors stand here too, as parents or legal guardians. `scopes` are in alphabetical order.
    """

    consent_id: str
    patient_id: str
    name: Name
    dob: str
    relationship: Relationship
    scopes: list[Scope]
    granted_on: str
    expires_on: str
    status: Literal["active", "revoked"]


class Appointment(TypedDict):
    """A visit. `copay` is as quoted at its booking or last change; what a cancellation adds is absent until then."""

    appointment_id: str
    patient_id: str
    doctor_id: str
    date: str
    time: str
    visit_type: VisitType
    status: Literal["scheduled", "completed", "cancelled", "no_show"]
    copay: float
    times_rescheduled: int
    referral_id: NotRequired[str]
    cancel_reason: NotRequired[CancelReason]
    cancelled_at: NotRequired[str]
    late_fee: NotRequired[float]


class WaitlistEntry(TypedDict):
    """A patient waiting for a time with a doctor; those who joined first, which is the rows' order, go first."""

    entry_id: str
    patient_id: str
    doctor_id: str
    visit_type: VisitType
    joined_at: str
    status: Literal["waiting", "left"]


class Prescription(TypedDict):
    """A prescription. A fill lasts `days_supply` days from `last_filled`."""

    prescription_id: str
    patient_id: str
    doctor_id: str
    medication: str
    strength: str
    controlled: bool
    days_supply: int
    refills_left: int
    last_filled: str
    expires_on: str
    status: Literal["active", "discontinued"]
    pharmacy_id: str
    renewal_requested_on: NotRequired[str]


class Value(TypedDict):
    """One measured value of a lab result."""

    name: str
    value: float
    unit: str
    normal_range: str


class LabResult(TypedDict):
    """A lab result. It has values once it is in review; patients may know them once it is released."""

    result_id: str
    patient_id: str
    doctor_id: str
    test: str
    collected_on: str
    status: Literal["pending", "in_review", "released"]
    values: list[Value]
    sent_to: list[Channel]


class Referral(TypedDict):
    """A referral to a specialty. Its validity counts from its approval: it expires after `expires_on`."""

    referral_id: str
    patient_id: str
    referring_doctor_id: str
    specialty: Specialty
    status: Literal["requested", "approved", "denied"]
    issued_on: str
    expires_on: NotRequired[str]
    visits_allowed: int
    visits_used: int


PLANS = Table("plans", Plan, key="plan_id")

PROCEDURES = Table("procedures", Procedure, key="code")

PHARMACIES = Table(
    "pharmacies", Pharmacy, key="pharmacy_id", indexes=(Index("city", lambda row: (row["city"].lower(),)),)
)

DOCTORS = Table("doctors", Doctor, key="doctor_id", indexes=(Index("specialty", lambda row: (row["specialty"],)),))

DAYS = Table("days", Day, key="day_id", indexes=(Index("doctor", lambda row: (row["doctor_id"],)),))

PATIENTS = Table(
    "patients",
    Patient,
    key="patient_id",
    indexes=(
        Index("name_dob", lambda row: (name_dob(row["name"], row["dob"]),)),
        Index("phone_dob", lambda row: (phone_dob(row["phone"], row["dob"]),)),
    ),
)

CONSENTS = Table("consents", Consent, key="consent_id", indexes=(Index("patient", lambda row: (row["patient_id"],)),))

APPOINTMENTS = Table(
    "appointments", Appointment, key="appointment_id", indexes=(Index("patient", lambda row: (row["patient_id"],)),)
)

WAITLIST = Table(
    "waitlist",
    WaitlistEntry,
    key="entry_id",
    indexes=(
        Index("patient", lambda row: (row["patient_id"],)),
        Index("waiting", lambda row: (row["doctor_id"],) if row["status"] == "waiting" else ()),
    ),
)

PRESCRIPTIONS = Table(
    "prescriptions", Prescription, key="prescription_id", indexes=(Index("patient", lambda row: (row["patient_id"],)),)
)

LAB_RESULTS = Table(
    "lab_results", LabResult, key="result_id", indexes=(Index("patient", lambda row: (row["patient_id"],)),)
)

REFERRALS = Table(
    "referrals", Referral, key="referral_id", indexes=(Index("patient", lambda row: (row["patient_id"],)),)
)

TABLES = (
    PLANS,
    PROCEDURES,
    PHARMACIES,
    DOCTORS,
    DAYS,
    PATIENTS,
    CONSENTS,
    APPOINTMENTS,
    WAITLIST,
    PRESCRIPTIONS,
    LAB_RESULTS,
    REFERRALS,
)


def day_id(doctor_id: str, date: str) -> str:
    """Return the key of a doctor's day."""
    return f"{doctor_id}@{date}"


def name_dob(name: Name, dob: str) -> tuple[str, str, str]:
    """Return the index key for a patient's name and date of birth. The case of the name does not matter."""
    return name["first_name"].lower(), name["last_name"].lower(), dob


def phone_dob(phone: str, dob: str) -> tuple[str, str]:
    """Return the index key for a patient's phone number and date of birth. Only the last ten digits of the number
    count.
    """
    return "".join(c for c in phone if c.isdigit())[-10:], dob
