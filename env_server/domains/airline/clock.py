"""The fixed current time of the builtin world. This module never reads the system clock."""

from datetime import date, datetime, timedelta

from env_server.domains.airline import tables

NOW = datetime.fromisoformat(tables.NOW)
"""The current time of the builtin world, in the time zone of all timetables."""

FIRST_DAY, LAST_DAY = date(2024, 5, 1), date(2024, 5, 30)
"""The days for which flights are listed, both included."""

DAYS = tuple(FIRST_DAY + timedelta(days=n) for n in range((LAST_DAY - FIRST_DAY).days + 1))


def at(day: date, time: str) -> datetime:
    """Return the datetime of a timetable time `HH:MM:SS` on `day`, or of `HH:MM:SS+1` on the day after `day`."""
    clock, _, later = time.partition("+")
    return datetime.fromisoformat(f"{day.isoformat()}T{clock}") + timedelta(days=int(later or 0))
