"""The world's fixed clock. Times are local, to the minute, as 'YYYY-MM-DDTHH:MM'."""

from datetime import date, datetime, timedelta
from typing import get_args

from env_server.domains.doordash.tables import Restaurant, Weekday

NOW = "2026-03-13T18:30"
"""The current time of the world, a Friday evening."""

WEEKDAYS: tuple[Weekday, ...] = get_args(Weekday)


def later(moment: str, minutes: int) -> str:
    """Return the time `minutes` after `moment`, or before it if `minutes` is negative."""
    return (datetime.fromisoformat(moment) + timedelta(minutes=minutes)).isoformat(timespec="minutes")


def minutes_between(start: str, end: str) -> int:
    """Return the minutes from `start` to `end`. The result is negative if `end` is earlier."""
    return int((datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()) // 60


def age(date_of_birth: str, moment: str = NOW) -> int:
    """Return the completed years at `moment` of a person born on 'YYYY-MM-DD'."""
    born, today = date.fromisoformat(date_of_birth), datetime.fromisoformat(moment).date()
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))


def is_open(restaurant: Restaurant, moment: str = NOW) -> bool:
    """Return whether the restaurant takes orders at `moment`: within that weekday's hours, and not paused."""
    hours = restaurant["hours"].get(WEEKDAYS[datetime.fromisoformat(moment).weekday()])
    return restaurant["accepting_orders"] and hours is not None and hours["opens"] <= moment[11:] < hours["closes"]
