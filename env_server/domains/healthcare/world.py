"""The builtin base: seeded clinics with doctors, patients and what is on file. The same rows in every process."""

from random import Random
from typing import Any

from env_server.domains.healthcare import catalogue, people, records, staff, visits
from env_server.domains.healthcare.clock import TODAY
from env_server.domains.healthcare.visits import Clinic

SEED = 20260309
PATIENTS = 720
_REFERRALS = ("good", "good", "good", "expired", "expired", "used", "requested", "denied")
_NEW_YEAR = "2026-01-01"
_NEXT_QUARTER = "2026-04-01"

Row = dict[str, Any]


def world(*, scale: int = 1) -> dict[str, list[Row]]:
    """Return the rows of all tables. `scale` multiplies the patients and their records; the number
    of clinics is fixed.
    """
    rng = Random(SEED)
    plans, pharmacies = catalogue.plans(rng), catalogue.pharmacies(rng)
    doctors = staff.doctors(rng, [plan["plan_id"] for plan in plans])
    days = staff.days(rng, doctors)
    clinic = Clinic(
        plans={row["plan_id"]: row for row in plans},
        doctors={row["doctor_id"]: row for row in doctors},
        days={d["doctor_id"]: [day for day in days if day["doctor_id"] == d["doctor_id"]] for d in doctors},
    )
    kinds = [records.KINDS[records.MIX[n % len(records.MIX)]] for n in range(PATIENTS * scale)]
    patients = people.patients(rng, len(kinds), [kind.ages for kind in kinds], TODAY)
    tables: dict[str, list[Row]] = {"consents": [], "prescriptions": [], "lab_results": []}
    for patient, kind in zip(patients, kinds, strict=True):
        _complete(rng, clinic, patient, pharmacies)
        tables["consents"] += records.add_consents(rng, clinic, patient, kind)
        visits.add_visits(rng, clinic, patient)
        _refer(rng, clinic, patient)
        tables["prescriptions"] += records.prescriptions(rng, clinic, patient)
        tables["lab_results"] += records.lab_results(rng, clinic, patient)
    crowded = staff.crowded(doctors)
    staff.fill(rng, days, crowded)
    return tables | {
        "plans": plans,
        "procedures": catalogue.procedures(),
        "pharmacies": pharmacies,
        "doctors": doctors,
        "days": days,
        "patients": patients,
        "appointments": clinic.appointments,
        "waitlist": records.waitlist(rng, clinic, patients, crowded),
        "referrals": clinic.referrals,
    }


def _complete(rng: Random, clinic: Clinic, patient: Row, pharmacies: list[Row]) -> None:
    """Give a patient insurance, a primary doctor and a pharmacy. Some patients have a debt, some
    change insurance soon.
    """
    patient["insurance"] = _insurance(rng, clinic, _NEW_YEAR)
    if rng.random() < 0.04:
        patient["upcoming_insurance"] = _insurance(rng, clinic, _NEXT_QUARTER)
    patient["primary_doctor_id"] = visits.primary_doctor(rng, clinic, patient)
    nearby = [row for row in pharmacies if row["city"] == patient["address"]["city"]]
    patient["pharmacy_id"] = rng.choice(nearby)["pharmacy_id"]
    patient["balance"] = rng.randint(835, 24990) / 100 if rng.random() < 0.45 else 0.0


def _insurance(rng: Random, clinic: Clinic, effective: str) -> Row:
    plan = clinic.plans[staff.insured_with(rng, list(clinic.plans))]
    met = rng.random() < 0.35
    return {
        "plan_id": plan["plan_id"],
        "member_id": clinic.fresh(rng, "M"),
        "effective_date": effective,
        "deductible_left": 0.0 if met else round(plan["deductible"] * rng.randint(10, 99) / 100, 2),
    }


def _refer(rng: Random, clinic: Clinic, patient: Row) -> None:
    """Add referrals without bookings if the patient's plan requires any."""
    plan = clinic.plans[patient["insurance"]["plan_id"]]
    taken = {row["specialty"] for row in clinic.referrals[-3:] if row["patient_id"] == patient["patient_id"]}
    wanted = [specialty for specialty in plan["referral_specialties"] if specialty not in taken]
    for specialty in rng.sample(wanted, min(len(wanted), rng.choice((1, 2, 2, 3)))):
        if clinic.seeing(patient, (specialty,)):
            visits.add_referral(rng, clinic, patient, specialty, rng.choice(_REFERRALS))
