"""Checks and look-ups shared by healthcare's tools. A ToolError describes the problem in plain words."""

from typing import TypeVar

from env_server.domains.healthcare.clock import TODAY, age_on
from env_server.domains.healthcare.tables import DOCTORS, PATIENTS, Doctor, VisitType
from env_server.domains.kit import Db, Dialect, Table, ToolError

R = TypeVar("R")

ClinicDb = Db[Dialect]


def row_of(db: ClinicDb, table: Table[R], key: str) -> R:
    """Return the row with this key. Raise a ToolError where there is none."""
    row = db[table].get(key)
    if row is None:
        raise ToolError(f"there is no {table.key.replace('_', ' ')} {key!r}")
    return row


def copy_of(db: ClinicDb, table: Table[R], key: str) -> R:
    """Return a mutable copy of the row. Raise a ToolError where there is none."""
    row_of(db, table, key)
    return db[table].edit(key)


def of_patient(db: ClinicDb, table: Table[R], patient_id: str) -> list[R]:
    """Return the patient's rows of `table`, which must have an index `patient`."""
    row_of(db, PATIENTS, patient_id)
    return db[table].find("patient", patient_id)


def doctor_for(db: ClinicDb, patient_id: str, doctor_id: str, date: str = TODAY) -> Doctor:
    """Return the doctor. Raise a ToolError if they do not see patients of this patient's age on `date`."""
    doctor = row_of(db, DOCTORS, doctor_id)
    age = age_on(row_of(db, PATIENTS, patient_id)["dob"], date)
    if not doctor["youngest"] <= age <= doctor["oldest"]:
        ages = f"{doctor['youngest']} to {doctor['oldest']}"
        raise ToolError(f"doctor {doctor_id} sees patients aged {ages}; patient {patient_id} is {age} on {date}")
    return doctor


def need_offered(doctor: Doctor, visit_type: VisitType) -> None:
    """Raise a ToolError unless the doctor offers visits of this kind."""
    if visit_type not in doctor["visit_types"]:
        offered = ", ".join(doctor["visit_types"])
        raise ToolError(f"doctor {doctor['doctor_id']} offers no {visit_type!r} visit; they offer: {offered}")
