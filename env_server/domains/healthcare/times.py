"""The open times of doctors. Every visit takes one. A cancellation gives it back."""

from bisect import insort

from env_server.domains.healthcare.checks import ClinicDb
from env_server.domains.healthcare.clock import hours_until, need_date
from env_server.domains.healthcare.tables import DAYS, Appointment, Day, day_id
from env_server.domains.kit import ToolError


def open_days(db: ClinicDb, doctor_id: str, from_date: str, most: int) -> dict[str, list[str]]:
    """Return the next days with open times from `from_date` on, at most `most`: date -> future times."""
    days = sorted(db[DAYS].find("doctor", doctor_id), key=lambda day: day["date"])
    open_then = ((day["date"], _still_open(day)) for day in days if day["date"] >= from_date)
    return dict([(date, times) for date, times in open_then if times][:most])


def take(db: ClinicDb, doctor_id: str, date: str, time: str) -> None:
    """Take a future open time. Raise a ToolError if it is not open."""
    key = day_id(doctor_id, need_date(date))
    day = db[DAYS].get(key)
    times = _still_open(day) if day else []
    if time not in times:
        known = f"open then: {', '.join(times)}" if times else "nothing is open then"
        raise ToolError(f"doctor {doctor_id} has no open time at {time!r} on {date}; {known}")
    day = db[DAYS].edit(key)
    day["open_times"].remove(time)
    db[DAYS].put(day)


def give_back(db: ClinicDb, appointment: Appointment) -> None:
    """Open the appointment's time again."""
    doctor_id, date = appointment["doctor_id"], appointment["date"]
    key = day_id(doctor_id, date)
    empty: Day = {"day_id": key, "doctor_id": doctor_id, "date": date, "open_times": []}
    day = db[DAYS].edit(key) if key in db[DAYS] else empty
    insort(day["open_times"], appointment["time"])
    db[DAYS].put(day)


def _still_open(day: Day) -> list[str]:
    return [time for time in day["open_times"] if hours_until(day["date"], time) > 0]
