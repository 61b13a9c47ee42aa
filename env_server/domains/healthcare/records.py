"""Patient records other than visits: consents, prescriptions, lab results and waitlist entries."""

from random import Random
from typing import Any, NamedTuple

from env_server.domains.healthcare import people
from env_server.domains.healthcare.catalogue import MEDICATIONS, SPECIALTIES, TESTS, Measure, Medication
from env_server.domains.healthcare.clock import TODAY, age_on, days_after
from env_server.domains.healthcare.visits import Clinic

Row = dict[str, Any]

ALL_SCOPES = ("appointments", "insurance", "prescriptions", "results")
"""All scopes of a consent, in alphabetical order."""


class PatientKind(NamedTuple):
    """A kind of patient, by age and by the people who may speak for them."""

    ages: tuple[int, int]
    relationships: tuple[str, ...] = ()
    """The relationships of the person who speaks for them. Empty means that none is on file."""

    all_scopes: bool = True
    lapsed: bool = False
    """Whether the consent is revoked or has expired."""


KINDS = {
    "S": PatientKind((19, 84)),
    "J": PatientKind((24, 70), ("spouse", "sibling")),
    "W": PatientKind((66, 93), ("adult_child", "caregiver")),
    "L": PatientKind((66, 93), ("adult_child", "caregiver"), all_scopes=False),
    "X": PatientKind((66, 93), ("adult_child", "caregiver"), lapsed=True),
    "M": PatientKind((3, 16), ("parent", "parent", "legal_guardian")),
    "C": PatientKind((3, 16), ("caregiver", "sibling")),
}
"""Kinds of patient by their letter in `MIX`. A caregiver or sibling of a minor is on file but is no guardian."""

MIX = "SJSMSWSCLSXMSLSJMSCX"
"""The kinds of twenty consecutive patients."""


def add_consents(rng: Random, clinic: Clinic, patient: Row, kind: PatientKind) -> list[Row]:
    """Return the consents of people who may speak for the patient. A minor whose first entry is another person also
    gets a parent.
    """
    if not kind.relationships:
        return []
    rows = [_consent(rng, clinic, patient, rng.choice(kind.relationships), kind)]
    if age_on(patient["dob"], TODAY) < 18 and rows[0]["relationship"] not in {"parent", "legal_guardian"}:
        rows.append(_consent(rng, clinic, patient, "parent", KINDS["M"]))
    return rows


def _consent(rng: Random, clinic: Clinic, patient: Row, relationship: str, kind: PatientKind) -> Row:
    minor = age_on(patient["dob"], TODAY) < 18
    surname = rng.random() < 0.7 and relationship != "caregiver"
    first = rng.choice([name for name in people.FIRST if name != patient["name"]["first_name"]])
    last = patient["name"]["last_name"] if surname else rng.choice(people.LAST)
    ages = (34, 58) if relationship in {"parent", "legal_guardian", "adult_child"} else (22, 64)
    expires = days_after(TODAY, rng.randint(60, 700))
    revoked = kind.lapsed and rng.random() < 0.5
    if kind.lapsed and not revoked:
        expires = days_after(TODAY, -rng.randint(3, 120))
    if minor and relationship != "caregiver":
        expires = _eighteenth(patient["dob"])
    scopes = ALL_SCOPES if kind.all_scopes else sorted(rng.sample(ALL_SCOPES, rng.choice((1, 2, 2))))
    return {
        "consent_id": clinic.fresh(rng, "C"),
        "patient_id": patient["patient_id"],
        "name": {"first_name": first, "last_name": last},
        "dob": people.birthday(rng, TODAY, *ages),
        "relationship": relationship,
        "scopes": list(scopes),
        "granted_on": max(days_after(TODAY, -rng.randint(150, 900)), patient["dob"]),
        "expires_on": expires,
        "status": "revoked" if revoked else "active",
    }


def _eighteenth(dob: str) -> str:
    """Return the last day before an eighteenth birthday."""
    return days_after(f"{int(dob[:4]) + 18}{dob[4:]}".replace("-02-29", "-03-01"), -1)


def prescriptions(rng: Random, clinic: Clinic, patient: Row) -> list[Row]:
    """Return one to three prescriptions: due, too early, without refills, expired, controlled, or discontinued."""
    age = age_on(patient["dob"], TODAY)
    fitting = [medication for medication in MEDICATIONS if medication.youngest <= age]
    seen = [a["doctor_id"] for a in clinic.appointments[-8:] if a["patient_id"] == patient["patient_id"]]
    return [
        _prescription(rng, clinic, patient, medication, seen)
        for medication in rng.sample(fitting, rng.choice((1, 2, 2, 3)))
    ]


def _prescription(rng: Random, clinic: Clinic, patient: Row, medication: Medication, seen: list[str]) -> Row:
    doctor = patient["primary_doctor_id"]
    if medication.specialty != "primary":
        doctors = [d["doctor_id"] for d in clinic.seeing(patient, (medication.specialty,))]
        doctor = rng.choice([d for d in doctors if d in seen] or doctors)
    supply = rng.choice((30, 30, 60, 90))
    left = rng.randint(-14, 7) if rng.random() < 0.6 else rng.randint(8, supply - 1)
    expires = rng.randint(20, 330) if rng.random() < 0.8 else -rng.randint(2, 60)
    return {
        "prescription_id": clinic.fresh(rng, "RX"),
        "patient_id": patient["patient_id"],
        "doctor_id": doctor,
        "medication": medication.name,
        "strength": rng.choice(medication.strengths),
        "controlled": medication.controlled,
        "days_supply": supply,
        "refills_left": 0 if rng.random() < 0.25 else rng.randint(1, 5),
        "last_filled": days_after(TODAY, left - supply),
        "expires_on": days_after(TODAY, expires),
        "status": "discontinued" if rng.random() < 0.05 else "active",
        "pharmacy_id": patient["pharmacy_id"],
    }


def lab_results(rng: Random, clinic: Clinic, patient: Row) -> list[Row]:
    """Return one to three lab results of different tests."""
    rows: list[Row] = []
    for test in rng.sample(list(TESTS), rng.choice((1, 2, 2, 3))):
        status = rng.choices(("released", "in_review", "pending"), (56, 26, 18))[0]
        ago = {"released": (9, 200), "in_review": (3, 8), "pending": (1, 2)}[status]
        rows.append(
            {
                "result_id": clinic.fresh(rng, "L"),
                "patient_id": patient["patient_id"],
                "doctor_id": patient["primary_doctor_id"],
                "test": test,
                "collected_on": days_after(TODAY, -rng.randint(*ago)),
                "status": status,
                "values": [] if status == "pending" else [_value(rng, measure) for measure in TESTS[test]],
                "sent_to": [],
            }
        )
    return rows


def _value(rng: Random, measure: Measure) -> Row:
    """Return a value, usually inside the normal range, sometimes outside it, and never one of its limits."""
    found = round(rng.uniform(0.8 * measure.low, 1.25 * measure.high), measure.decimals)
    if found in (measure.low, measure.high):
        found = round(found + 10**-measure.decimals, measure.decimals)
    return {
        "name": measure.name,
        "value": found,
        "unit": measure.unit,
        "normal_range": f"{measure.low:g} to {measure.high:g}",
    }


def waitlist(rng: Random, clinic: Clinic, patients: list[Row], crowded: list[str]) -> list[Row]:
    """Return the patients who wait for the crowded doctors, in the order of joining. Some wait for two doctors."""
    rows: list[Row] = []
    for patient in patients:
        wanted = [doctor for doctor in clinic.seeing(patient, SPECIALTIES) if doctor["doctor_id"] in crowded]
        for doctor in rng.sample(wanted, min(len(wanted), rng.choice((0, 0, 1, 1, 2)))):
            moment = f"T{rng.randint(8, 16):02d}:{rng.randint(0, 59):02d}"
            row = {
                "entry_id": clinic.fresh(rng, "W"),
                "patient_id": patient["patient_id"],
                "doctor_id": doctor["doctor_id"],
                "visit_type": rng.choice([kind for kind in doctor["visit_types"] if kind != "new_patient"]),
                "joined_at": days_after(TODAY, -rng.randint(1, 45)) + moment,
                "status": "waiting",
            }
            rows.append(row)
    return sorted(rows, key=lambda row: (row["joined_at"], row["entry_id"]))
