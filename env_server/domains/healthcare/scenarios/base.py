"""Base classes of healthcare's scenarios: the front desk's rows, and one wish of a caller about a patient."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from random import Random
from typing import Any

from env_server.domains import kit
from env_server.domains.healthcare import people
from env_server.domains.healthcare.clock import TODAY, age_on, days_after, hours_until
from env_server.domains.healthcare.staff import HORIZON, TIMES
from env_server.domains.kit import GoldCall, Patch, Row, Snapshot, read

GUARDIANS = ("parent", "legal_guardian")
SPEAKERS = (*GUARDIANS, "adult_child", "caregiver")
"""The relationships in which another person speaks for a patient. All other adult patients call themselves."""

LAST_TWELVE_MONTHS = "2025-03-09"
SOON = days_after(TODAY, 14)
"""The last day on which an open time keeps a waitlist closed."""

FAR = days_after(TODAY, HORIZON)
"""A day after the last day that can be booked."""

SAME_PLAN_UNTIL = "2026-04-01"
"""The day from which a patient may be in another plan, so that the copay of a visit may differ."""

FIRST_DAY = days_after(TODAY, 3)
"""The first day on which callers are free."""

MISSED_SINCE = "2025-12-09"
"""The date since which a missed visit stops the patient from booking with the doctor again."""

LATE = 24
"""Hours before a visit within which a cancellation is late."""

_date = itemgetter(0)

OF_PATIENT = ("appointments", "prescriptions", "lab_results", "referrals", "waitlist", "consents")


class Desk:
    """The front desk's look-ups in the rows of a base snapshot. Patients are the customers."""

    def __init__(self, base: Snapshot) -> None:
        """Read `base`; rows stay shared and frozen."""
        self.rows: dict[str, Mapping[str, Row]] = {name: table.rows for name, table in base.tables.items()}
        self._of: dict[str, dict[str, list[Row]]] = {name: defaultdict(list) for name in OF_PATIENT}
        for name in OF_PATIENT:
            for row in self.rows[name].values():
                self._of[name][row["patient_id"]].append(row)

        self._taken: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for row in self.rows["appointments"].values():
            if row["status"] == "scheduled":
                self._taken[row["doctor_id"]].add((row["date"], row["time"]))

        self._open: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for row in sorted(self.rows["days"].values(), key=lambda row: row["date"]):
            self._open[row["doctor_id"]] += [(row["date"], time) for time in row["open_times"]]

    @property
    def customers(self) -> Mapping[str, Row]:
        """The patients by id."""
        return self.rows["patients"]

    def owned(self, customer: Row) -> Iterable[str]:
        """Return all values that identify only this patient."""
        yield from (customer["patient_id"], customer["phone"], customer["email"], customer["insurance"]["member_id"])
        for name in OF_PATIENT:
            for row in self._of[name][customer["patient_id"]]:
                yield str(next(iter(row.values())))

    @cached_property
    def phones(self) -> frozenset[str]:
        """All patients' telephone numbers."""
        return frozenset(patient["phone"] for patient in self.customers.values())

    def of(self, patient: Row, table: str) -> list[Row]:
        """Return the patient's rows in a table, in its order."""
        return self._of[table][patient["patient_id"]]

    def doctor(self, row: Row) -> Row:
        """Return the doctor whom `row` names."""
        return self.rows["doctors"][row["doctor_id"]]

    def plan(self, patient: Row) -> Row:
        """Return the patient's plan in force."""
        return self.rows["plans"][patient["insurance"]["plan_id"]]

    def speaker(self, patient: Row) -> Row | None:
        """Return the consent of the person who calls about this patient. Return None if patients call themselves."""
        first = next(iter(self.of(patient, "consents")), None)
        spoken_for = first is not None and (self.minor(patient) or first["relationship"] in SPEAKERS)
        return first if spoken_for else None

    def minor(self, patient: Row) -> bool:
        """Return whether the patient is under 18."""
        return age_on(patient["dob"], TODAY) < 18

    def may(self, patient: Row, scope: str | None) -> bool:
        """Return whether the caller may act on matters of `scope`. None stands for matters of patients and guardians
        only.
        """
        consent = self.speaker(patient)
        if consent is None:
            return True
        if consent["status"] != "active" or consent["expires_on"] < TODAY:
            return False
        if self.minor(patient):
            return consent["relationship"] in GUARDIANS
        return scope in consent["scopes"]

    def scheduled(self, patient: Row) -> list[Row]:
        """Return the patient's appointments to come."""
        return [row for row in self.of(patient, "appointments") if row["status"] == "scheduled"]

    def seen(self, patient: Row, doctor_id: str, since: str = "") -> bool:
        """Return whether the patient had a completed visit with the doctor on `since` or later."""
        return any(
            row["status"] == "completed" and row["doctor_id"] == doctor_id and row["date"] >= since
            for row in self.of(patient, "appointments")
        )

    def met(self, patient: Row, doctor_id: str) -> list[Row]:
        """Return the patient's completed visits with the doctor, the latest first."""
        rows = [r for r in self.of(patient, "appointments") if r["doctor_id"] == doctor_id]
        return sorted((r for r in rows if r["status"] == "completed"), key=lambda r: str(r["date"]), reverse=True)

    def missed(self, patient: Row, doctor_id: str) -> bool:
        """Return whether the patient has recently missed a visit with the doctor."""
        return any(
            row["status"] == "no_show" and row["doctor_id"] == doctor_id and row["date"] >= MISSED_SINCE
            for row in self.of(patient, "appointments")
        )

    def taken_times(self, patient: Row, doctor_id: str) -> list[tuple[str, str]]:
        """Return times at which the doctor works but has no open slot, and neither doctor nor patient has an
        appointment.

        They are more than a day away, and before the patient's plan can change.
        """
        days = [day for day in self.rows["days"].values() if day["doctor_id"] == doctor_id]
        busy = self._taken[doctor_id] | {(row["date"], row["time"]) for row in self.scheduled(patient)}
        found = [(day["date"], time) for day in days for time in TIMES if time not in day["open_times"]]
        return [slot for slot in found if FIRST_DAY <= slot[0] < SAME_PLAN_UNTIL and slot not in busy]

    def open_times(self, doctor_id: str, start: str, until: str = "9") -> list[tuple[str, str]]:
        """Return the doctor's open times (date, time) on `start` and later, through `until`."""
        slots = self._open[doctor_id]
        return slots[bisect_left(slots, start, key=_date) : bisect_right(slots, until, key=_date)]

    def has_free_time(self, patient: Row, doctor_id: str, start: str) -> bool:
        """Return whether `free_times` returns any."""
        busy = {(row["date"], row["time"]) for row in self.scheduled(patient)}
        slots = self._open[doctor_id]
        return any(slots[i] not in busy for i in range(bisect_left(slots, start, key=_date), len(slots)))

    def free_times(self, patient: Row, doctor_id: str, start: str) -> list[tuple[str, str]]:
        """Return the open times at which the patient has no other appointment."""
        busy = {(row["date"], row["time"]) for row in self.scheduled(patient)}
        return [slot for slot in self.open_times(doctor_id, start) if slot not in busy]

    def fits(self, patient: Row, doctor: Row) -> bool:
        """Return whether the doctor sees patients of this age, today and in the weeks that can be booked."""
        ages = (age_on(patient["dob"], TODAY), age_on(patient["dob"], FAR))
        return all(doctor["youngest"] <= age <= doctor["oldest"] for age in ages)

    def in_network(self, patient: Row, doctor: Row) -> bool:
        """Return whether the doctor is in the network of the patient's plan, now and later."""
        upcoming = patient.get("upcoming_insurance", patient["insurance"])
        return {patient["insurance"]["plan_id"], upcoming["plan_id"]} <= set(doctor["plans"])

    def needs_referral(self, patient: Row, specialty: str) -> bool:
        """Return whether the patient's plan pays for the specialty only with a referral."""
        return specialty in self.plan(patient)["referral_specialties"]

    def usable_referral(self, patient: Row, specialty: str) -> Row | None:
        """Return the only referral to the specialty that can be used for a visit in the coming weeks, or None."""
        found = [
            row
            for row in self.of(patient, "referrals")
            if row["specialty"] == specialty
            and row["status"] == "approved"
            and row["visits_used"] < row["visits_allowed"]
            and row["expires_on"] >= FAR
        ]
        return found[0] if len(found) == 1 else None

    def referrals(self, patient: Row, specialty: str) -> list[Row]:
        """Return the patient's referrals to a specialty, of whatever status."""
        return [row for row in self.of(patient, "referrals") if row["specialty"] == specialty]

    def busy_with(self, patient: Row, specialty: str) -> list[Row]:
        """Return the patient's scheduled appointments in a specialty."""
        return [row for row in self.scheduled(patient) if self.doctor(row)["specialty"] == specialty]


@dataclass(frozen=True)
class Case(kit.Case[Desk]):
    """One wish of a caller about a patient. The patient is the customer."""

    @property
    def patient(self) -> Row:
        """The patient whom it is about."""
        return self.customer

    @property
    def patient_id(self) -> str:
        """The patient's id."""
        return str(self.customer["patient_id"])

    @cached_property
    def speaker(self) -> Row | None:
        """The consent of the person who calls; None if the patient calls."""
        return self.world.speaker(self.patient)

    def row(self, table: str) -> Row:
        """Return the row that the wish is about."""
        return self.world.rows[table][self.subject]

    def new_phone(self) -> str:
        """Return a telephone number that no patient has."""
        number = people.phone(self.rng)
        return self.new_phone() if number in self.world.phones else number

    def new_id(self, prefix: str) -> str:
        """Return an id for a row that exists in this task only: the prefix and eight digits."""
        return f"{prefix}{self.rng.randrange(10**8):08}"

    def met_on(self, doctor_id: str, latest: str) -> Patch:
        """Return the patient's completed visits with the doctor, moved so that the latest was on `latest`."""
        rows = self.world.met(self.patient, doctor_id)
        return {
            "appointments": {r["appointment_id"]: {"date": days_after(latest, -35 * n)} for n, r in enumerate(rows)}
        }

    def listing(self, tool: str) -> GoldCall:
        """Return the look-up of one of the patient's lists. Its filters are not compared."""
        return read(tool, patient_id=self.patient_id)


def is_late(appointment: Row) -> bool:
    """Return whether the appointment begins in less than 24 hours."""
    return hours_until(appointment["date"], appointment["time"]) < LATE


def due_on(prescription: Row) -> str:
    """Return the first day on which the prescription may be filled again."""
    return days_after(prescription["last_filled"], prescription["days_supply"] - 7)


def ago(rng: Random, fewest: int, most: int) -> str:
    """Return a day from `fewest` to `most` days ago."""
    return days_after(TODAY, -rng.randint(fewest, most))


def ahead(rng: Random, fewest: int, most: int) -> str:
    """Return a day from `fewest` to `most` days from now."""
    return days_after(TODAY, rng.randint(fewest, most))


def together(*patches: Patch) -> Patch:
    """Return all of the patches, table by table. No two of them change the same row."""
    tables: dict[str, dict[str, Mapping[str, Any] | None]] = {}
    for patch in patches:
        for table, rows in patch.items():
            tables.setdefault(table, {}).update(rows)
    return tables
