"""The day and time it always is in this domain, and what is reckoned from it. All times are the clinics' local time."""

from datetime import date, datetime, timedelta

from env_server.domains.kit import ToolError

NOW = "2026-03-09T09:00"
"""The present moment, a Monday; policy.md says the same."""

TODAY = NOW[:10]
"""The present day. Dates are text, 'YYYY-MM-DD', and compare in the order of time."""


def need_date(text: str, name: str = "date") -> str:
    """`text`, which must be a date of the calendar; a ToolError that names the argument where it is not."""
    try:
        if date.fromisoformat(text).isoformat() == text:
            return text
    except ValueError:
        pass
    raise ToolError(f"{name} {text!r} is not a date of the form YYYY-MM-DD, such as {TODAY!r}")


def age_on(dob: str, day: str) -> int:
    """The age in completed years on `day` of somebody born on `dob`."""
    return int(day[:4]) - int(dob[:4]) - (day[5:] < dob[5:])


def days_after(day: str, count: int) -> str:
    """The date `count` days after `day` (before it, where `count` is negative)."""
    return (date.fromisoformat(day) + timedelta(days=count)).isoformat()


def hours_until(day: str, time: str) -> float:
    """The hours from now until `time` ('HH:MM') on `day`; negative for the past."""
    moment = datetime.fromisoformat(f"{day}T{time}")
    return (moment - datetime.fromisoformat(NOW)) / timedelta(hours=1)
