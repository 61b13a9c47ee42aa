"""The doctors of the builtin world and their times."""

from datetime import date, timedelta
from random import Random
from typing import Any

from env_server.domains.healthcare.catalogue import PLAN_SHARES, SPECIALTIES
from env_server.domains.healthcare.clock import NOW, TODAY
from env_server.domains.healthcare.people import DOCTORS, FIRST, TOWNS
from env_server.domains.healthcare.tables import PRIMARY_CARE, day_id

Row = dict[str, Any]

PER_SPECIALTY = 5
HORIZON = 40
"""The number of days from today for which there are times."""

CROWDED_UNTIL = 16
"""The number of days for which a crowded doctor has no open time."""

TIMES = tuple(f"{hour:02d}:{minute:02d}" for hour in range(8, 17) if hour != 12 for minute in (0, 30))
"""The start times of visits. There is none at noon."""

_OPEN = 0.3
_AGES = {"pediatrics": (0, 17), "internal_medicine": (18, 120), "gynecology": (14, 120), "psychiatry": (12, 120)}
_CLINICS = ("Clinic", "Health Center")


def doctors(rng: Random, plan_ids: list[str]) -> list[Row]:
    """Return the doctor rows, five of each specialty, spread over the towns. One of each five takes no new patients."""
    rows: list[Row] = []
    for specialty in SPECIALTIES:
        for i in range(PER_SPECIALTY):
            town = TOWNS[(len(rows) + i) % len(TOWNS)][0]
            youngest, oldest = _AGES.get(specialty, (0, 120))
            rows.append(
                {
                    "doctor_id": f"D{101 + 3 * len(rows)}",
                    "name": {"first_name": rng.choice(FIRST), "last_name": DOCTORS[len(rows)]},
                    "specialty": specialty,
                    "clinic": f"{town} {_CLINICS[i % 2]}",
                    "city": town,
                    "youngest": youngest,
                    "oldest": oldest,
                    "accepts_new_patients": i != PER_SPECIALTY - 1,
                    "plans": _plans(rng, plan_ids, i),
                    "visit_types": _visit_types(specialty, i),
                }
            )
    return rows


def _plans(rng: Random, plan_ids: list[str], number: int) -> list[str]:
    """Return the plans that a doctor accepts. All accept self-paying patients. The first two of a specialty accept
    every plan.
    """
    *insured, self_pay = plan_ids
    return [*(p for p in insured if number < 2 or rng.random() < 0.55), self_pay]


def _visit_types(specialty: str, number: int) -> list[str]:
    own = "annual_physical" if specialty in PRIMARY_CARE else "procedure"
    return ["new_patient", "follow_up", own, *(["video"] if number % 2 == 0 else [])]


def crowded(doctors: list[Row]) -> list[str]:
    """Return the ids of the doctors without an open time in the next weeks: the third of each specialty."""
    return [row["doctor_id"] for row in doctors[2::PER_SPECIALTY]]


def days(rng: Random, doctors: list[Row]) -> list[Row]:
    """Return the day rows with every time still open: four or five weekdays a week for each doctor, from today on."""
    rows: list[Row] = []
    first = date.fromisoformat(TODAY)
    for doctor in doctors:
        off = rng.randrange(1, 6)  # 5 is a Saturday: the doctor then works on all weekdays
        for day in (first + timedelta(days=n) for n in range(HORIZON)):
            if day.weekday() < 5 and day.weekday() != off:
                text = day.isoformat()
                times = [time for time in TIMES if f"{text}T{time}" > NOW]
                key = day_id(doctor["doctor_id"], text)
                rows.append({"day_id": key, "doctor_id": doctor["doctor_id"], "date": text, "open_times": times})
    return rows


def fill(rng: Random, rows: list[Row], full: list[str]) -> None:
    """Take most of the open times for other people's visits. Doctors in `full` have none in the next weeks."""
    until = (date.fromisoformat(TODAY) + timedelta(days=CROWDED_UNTIL)).isoformat()
    for row in rows:
        shut = row["doctor_id"] in full and row["date"] <= until
        row["open_times"] = [time for time in row["open_times"] if not shut and rng.random() < _OPEN]


def insured_with(rng: Random, plan_ids: list[str]) -> str:
    """Return a plan, drawn with its frequency among the patients."""
    return rng.choices(plan_ids, PLAN_SHARES)[0]
