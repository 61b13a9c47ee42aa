"""The owner of a row: the patient to whom an id belongs."""

from typing import Any

from env_server.domains.healthcare.tables import (
    APPOINTMENTS,
    CONSENTS,
    LAB_RESULTS,
    PATIENTS,
    PRESCRIPTIONS,
    REFERRALS,
    WAITLIST,
)
from env_server.domains.kit import Db, Table

_OF_PATIENTS: tuple[Table[Any], ...] = (APPOINTMENTS, PRESCRIPTIONS, LAB_RESULTS, REFERRALS, WAITLIST, CONSENTS)


def owner(db: Db[Any], value: str) -> str | None:
    """Return the id of the patient who owns the row with this id, or who is that row. Return None
    for any other value.
    """
    if value in db[PATIENTS]:
        return value
    rows = (db[table].get(value) for table in _OF_PATIENTS)
    return next((str(row["patient_id"]) for row in rows if row is not None), None)
