"""What healthcare's tools check and look up in common; a ToolError says in plain words what is wrong."""

import hashlib
from typing import TypeVar

from env_server.domains.healthcare.clock import TODAY, age_on
from env_server.domains.healthcare.tables import DOCTORS, PATIENTS, Doctor, VisitType
from env_server.domains.kit import Db, Dialect, Table, ToolError

R = TypeVar("R")

ClinicDb = Db[Dialect]


def row_of(db: ClinicDb, table: Table[R], key: str) -> R:
    """The row with this key; a ToolError where there is none."""
    row = db[table].get(key)
    if row is None:
        raise ToolError(f"there is no {table.key.replace('_', ' ')} {key!r}")
    return row


def copy_of(db: ClinicDb, table: Table[R], key: str) -> R:
    """A copy of the row, free to change; a ToolError where there is none."""
    row_of(db, table, key)
    return db[table].edit(key)


def new_id(db: ClinicDb, table: Table[R], prefix: str, *about: str) -> str:
    """A key that is free in `table`, made of what the row is about.

    It depends on nothing else, so that two new rows get the same keys in whichever order they are made.
    """
    count = 0
    while True:
        digest = hashlib.sha256("\0".join((*about, str(count))).encode("utf-8", "surrogatepass")).digest()
        key = f"{prefix}{int.from_bytes(digest[:8], 'big') % 10**8:08}"
        if key not in db[table]:
            return key
        count += 1


def of_patient(db: ClinicDb, table: Table[R], patient_id: str) -> list[R]:
    """The rows of `table`, which must have an index `patient`, that belong to this patient."""
    row_of(db, PATIENTS, patient_id)
    return db[table].find("patient", patient_id)


def doctor_for(db: ClinicDb, patient_id: str, doctor_id: str, date: str = TODAY) -> Doctor:
    """The doctor; a ToolError where they do not see patients of the age that this patient has on `date`."""
    doctor = row_of(db, DOCTORS, doctor_id)
    age = age_on(row_of(db, PATIENTS, patient_id)["dob"], date)
    if not doctor["youngest"] <= age <= doctor["oldest"]:
        ages = f"{doctor['youngest']} to {doctor['oldest']}"
        raise ToolError(f"doctor {doctor_id} sees patients aged {ages}; patient {patient_id} is {age} on {date}")
    return doctor


def need_offered(doctor: Doctor, visit_type: VisitType) -> None:
    """Fail unless the doctor offers visits of this kind."""
    if visit_type not in doctor["visit_types"]:
        offered = ", ".join(doctor["visit_types"])
        raise ToolError(f"doctor {doctor['doctor_id']} offers no {visit_type!r} visit; they offer: {offered}")
