"""The fixed current time of this domain, and date arithmetic. All times are the clinics' local time."""

from datetime import date, datetime, timedelta

from env_server.domains.kit import ToolError

NOW = "2026-03-09T09:00"
"""The current time, a Monday. policy.md says the same."""

TODAY = NOW[:10]
"""The current date. Dates are text, 'YYYY-MM-DD', and compare in the order of time."""


def need_date(text: str, name: str = "date") -> str:
    """Return `text`. Raise a ToolError that names the argument if it is not a date of the calendar."""
    try:
        if date.fromisoformat(text).isoformat() == text:
            return text
    except ValueError:
        pass
    raise ToolError(f"{name} {text!r} is not a date of the form YYYY-MM-DD, such as {TODAY!r}")


def age_on(dob: str, day: str) -> int:
    """Return the age in completed years on `day` of a person born on `dob`."""
    return int(day[:4]) - int(dob[:4]) - (day[5:] < dob[5:])


def days_after(day: str, count: int) -> str:
    """Return the date `count` days after `day`, or before it if `count` is negative."""
    return (date.fromisoformat(day) + timedelta(days=count)).isoformat()


def hours_until(day: str, time: str) -> float:
    """Return the hours from now until `time` ('HH:MM') on `day`. The result is negative for the past."""
    moment = datetime.fromisoformat(f"{day}T{time}")
    return (moment - datetime.fromisoformat(NOW)) / timedelta(hours=1)
