"""Invariants of every state: of the base, and after any tool calls."""

from collections.abc import Iterable, Iterator
from typing import Any

from env_server.domains.healthcare.clock import NOW, TODAY
from env_server.domains.healthcare.tables import (
    APPOINTMENTS,
    CONSENTS,
    DAYS,
    DOCTORS,
    LAB_RESULTS,
    PATIENTS,
    PHARMACIES,
    PLANS,
    PRESCRIPTIONS,
    PROCEDURES,
    REFERRALS,
    TABLES,
    WAITLIST,
    day_id,
)
from env_server.domains.kit import Db, Dialect, Row, Table

ClinicDb = Db[Dialect]
_NAMED: dict[str, Table[Any]] = {
    "patient_id": PATIENTS,
    "doctor_id": DOCTORS,
    "primary_doctor_id": DOCTORS,
    "referring_doctor_id": DOCTORS,
    "pharmacy_id": PHARMACIES,
    "referral_id": REFERRALS,
    "plan_id": PLANS,
}
"""Field -> the table in which its value is a key."""


def invariants(db: ClinicDb) -> Iterable[str]:
    """Return one sentence for each inconsistency of the state."""
    for check in (_keys, _plans, _days, _visits, _cancelled, _referrals, _patients, _prescriptions, _results, _lists):
        yield from check(db)


def _rows(db: ClinicDb, table: Table[Any]) -> Iterator[tuple[str, Row]]:
    return ((str(row[table.key]), row) for row in db[table])


def _keys(db: ClinicDb) -> Iterator[str]:
    """Check that every reference to a row of another table names an existing row."""
    for table in TABLES:
        for key, row in _rows(db, table):
            for field, target in _NAMED.items():
                if field in row and row[field] not in db[target]:
                    yield f"{table.name} {key} names {field} {row[field]}, which does not exist"


def _plans(db: ClinicDb) -> Iterator[str]:
    """Check that plans cover existing procedures, doctors accept existing plans, and patients have existing plans."""
    for key, plan in _rows(db, PLANS):
        yield from (f"plan {key} speaks of procedure {c}" for c in plan["procedures"] if c not in db[PROCEDURES])
    for key, doctor in _rows(db, DOCTORS):
        yield from (f"doctor {key} accepts plan {p}" for p in doctor["plans"] if p not in db[PLANS])
    for key, patient in _rows(db, PATIENTS):
        for field in ("insurance", "upcoming_insurance"):
            if field in patient and patient[field]["plan_id"] not in db[PLANS]:
                yield f"patient {key} has {field} with plan {patient[field]['plan_id']}"


def _days(db: ClinicDb) -> Iterator[str]:
    """Check that open times are sorted and unique, under the key of their day."""
    for key, row in _rows(db, DAYS):
        if key != day_id(row["doctor_id"], row["date"]):
            yield f"day {key} is of doctor {row['doctor_id']} on {row['date']}"
        if list(row["open_times"]) != sorted(set(row["open_times"])):
            yield f"the open times of day {key} are not in order"


def _visits(db: ClinicDb) -> Iterator[str]:
    """Check that no doctor and no patient has two scheduled visits at one time, and that no scheduled visit is past or
    at an open time.
    """
    taken: set[tuple[str, str, str]] = set()
    for key, row in _rows(db, APPOINTMENTS):
        if row["status"] != "scheduled":
            continue
        for whose in (row["doctor_id"], row["patient_id"]):
            if (whose, row["date"], row["time"]) in taken:
                yield f"{whose} has two appointments on {row['date']} at {row['time']}"
            taken.add((whose, row["date"], row["time"]))
        day = db[DAYS].get(day_id(row["doctor_id"], row["date"]))
        if day and row["time"] in day["open_times"]:
            yield f"the time of appointment {key} is still open"
        if f"{row['date']}T{row['time']}" <= NOW:
            yield f"appointment {key} is scheduled for a time that is past"


def _cancelled(db: ClinicDb) -> Iterator[str]:
    """Check that exactly the cancelled visits have a reason and a time, and that only they have a fee."""
    for key, row in _rows(db, APPOINTMENTS):
        cancelled = row["status"] == "cancelled"
        if {"cancel_reason" in row, "cancelled_at" in row} != {cancelled}:
            yield f"appointment {key} is {row['status']}, which its reason for cancelling does not fit"
        if "late_fee" in row and not cancelled:
            yield f"appointment {key} has a late fee and is {row['status']}"


def _referrals(db: ClinicDb) -> Iterator[str]:
    """Check that a referral counts the visits booked on it, which are of its patient and specialty."""
    booked: dict[str, int] = {}
    for key, row in _rows(db, APPOINTMENTS):
        referral = db[REFERRALS].get(row.get("referral_id", ""))
        if referral is None:
            continue
        doctor = db[DOCTORS].get(row["doctor_id"])
        if referral["patient_id"] != row["patient_id"] or not doctor or referral["specialty"] != doctor["specialty"]:
            yield f"appointment {key} is booked on referral {referral['referral_id']}, which is for something else"
        booked[referral["referral_id"]] = booked.get(referral["referral_id"], 0) + (row["status"] != "cancelled")
    for key, row in _rows(db, REFERRALS):
        if not booked.get(key, 0) <= row["visits_used"] <= row["visits_allowed"]:
            yield f"referral {key} has {row['visits_used']} of {row['visits_allowed']} visits used"
        if ("expires_on" in row) != (row["status"] == "approved"):
            yield f"referral {key} is {row['status']}, which its expiry does not fit"


def _patients(db: ClinicDb) -> Iterator[str]:
    """Check that no balance is negative or has fractions of a cent, that the upcoming insurance is in the future, and
    the present one in force.
    """
    for key, row in _rows(db, PATIENTS):
        if row["balance"] < 0 or row["balance"] != round(row["balance"], 2):
            yield f"patient {key} owes {row['balance']}"
        if row["insurance"]["effective_date"] > TODAY:
            yield f"the insurance of patient {key} is not in force yet"
        if "upcoming_insurance" in row and row["upcoming_insurance"]["effective_date"] <= TODAY:
            yield f"the upcoming insurance of patient {key} is in force already"


def _prescriptions(db: ClinicDb) -> Iterator[str]:
    """Check that refills are not negative and no fill is in the future."""
    for key, row in _rows(db, PRESCRIPTIONS):
        if row["refills_left"] < 0 or row["last_filled"] > TODAY:
            yield f"prescription {key} has {row['refills_left']} refills left since {row['last_filled']}"


def _results(db: ClinicDb) -> Iterator[str]:
    """Check that only results with values are sent, once by each channel."""
    for key, row in _rows(db, LAB_RESULTS):
        if (row["status"] == "pending") == bool(row["values"]):
            yield f"lab result {key} is {row['status']} with {len(row['values'])} values"
        if list(row["sent_to"]) != sorted(set(row["sent_to"])) or (row["sent_to"] and not row["values"]):
            yield f"lab result {key} was sent to {list(row['sent_to'])}"


def _lists(db: ClinicDb) -> Iterator[str]:
    """Check that no patient is twice on a waitlist, and that consents have sorted, unique scopes."""
    waiting: set[tuple[str, str]] = set()
    for _, row in _rows(db, WAITLIST):
        if row["status"] == "waiting":
            if (row["patient_id"], row["doctor_id"]) in waiting:
                yield f"patient {row['patient_id']} waits twice for doctor {row['doctor_id']}"
            waiting.add((row["patient_id"], row["doctor_id"]))
    for key, row in _rows(db, CONSENTS):
        if not row["scopes"] or list(row["scopes"]) != sorted(set(row["scopes"])):
            yield f"consent {key} is for {list(row['scopes'])}"
