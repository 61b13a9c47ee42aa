"""The trading calendar of the world's exchanges, computed by rule, and the conversion of New York's time."""

from bisect import bisect_left, bisect_right
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache

START, END = "2023-07-03", "2026-06-30"
"""The first and the last trading day of the world."""

NOW = datetime(2026, 7, 1, tzinfo=UTC)
"""The default now: the end of the last day, also for crypto. In New York it is 20:00 of that day, after the close."""

DAY = timedelta(days=1)
MONDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = 0, 3, 4, 5, 6
OPENS, CLOSES, CLOSES_EARLY = time(9, 30), time(16), time(13)


def _nth(year: int, month: int, weekday: int, count: int) -> date:
    """Return the `count`-th given weekday of a month. -1 means the last one."""
    if count > 0:
        first = date(year, month, 1)
        return first + timedelta((weekday - first.weekday()) % 7 + 7 * (count - 1))
    last = date(year + month // 12, month % 12 + 1, 1) - DAY
    return last - timedelta((last.weekday() - weekday) % 7)


def _easter(year: int) -> date:
    """Return Easter Sunday in the Gregorian calendar."""
    golden, century = year % 19, year // 100
    epact = (century - century // 4 - (8 * century + 13) // 25 + 19 * golden + 15) % 30
    epact -= epact // 28 * (1 - 29 // (epact + 1) * ((21 - golden) // 11))
    weekday = (year + year // 4 + epact + 2 - century + century // 4) % 7
    step = epact - weekday
    month = 3 + (step + 40) // 44
    return date(year, month, step + 28 - 31 * (month // 4))


def _observed(day: date) -> date:
    """Return the weekday on which a fixed holiday is observed."""
    return day - DAY if day.weekday() == SATURDAY else day + DAY if day.weekday() == SUNDAY else day


@cache
def holidays(year: int) -> dict[date, str]:
    """Return the weekdays of a year on which the exchanges are closed, with their names, in order."""
    found = {
        _nth(year, 1, MONDAY, 3): "Martin Luther King, Jr. Day",
        _nth(year, 2, MONDAY, 3): "Washington's Birthday",
        _easter(year) - 2 * DAY: "Good Friday",
        _nth(year, 5, MONDAY, -1): "Memorial Day",
        _observed(date(year, 6, 19)): "Juneteenth",
        _observed(date(year, 7, 4)): "Independence Day",
        _nth(year, 9, MONDAY, 1): "Labor Day",
        _nth(year, 11, THURSDAY, 4): "Thanksgiving Day",
        _observed(date(year, 12, 25)): "Christmas Day",
    }
    new_year = date(year, 1, 1)
    # A New Year's Day on a Saturday is not observed: the Friday before closes the books of the year.
    if new_year.weekday() != SATURDAY:
        found[_observed(new_year)] = "New Year's Day"
    return dict(sorted(found.items()))


@cache
def early_closes(year: int) -> dict[date, str]:
    """Return the trading days of a year that end at 13:00, with the reason, in order."""
    eves = {date(year, 7, 3): "Independence Day", date(year, 12, 24): "Christmas Day"}
    found = {eve: name for eve, name in eves.items() if eve.weekday() <= THURSDAY}
    found[_nth(year, 11, THURSDAY, 4) + DAY] = "Thanksgiving Day"
    return dict(sorted(found.items()))


def trades_on(day: date) -> bool:
    """Return whether the exchanges are open on `day`."""
    return day.weekday() < SATURDAY and day not in holidays(day.year)


def _all_days(start: str, end: str) -> tuple[date, ...]:
    first, last = date.fromisoformat(start), date.fromisoformat(end)
    return tuple(first + timedelta(i) for i in range((last - first).days + 1))


DAYS: tuple[str, ...] = tuple(day.isoformat() for day in _all_days(START, END))
"""Every day of the world. Crypto trades on all of them."""

SESSIONS: tuple[str, ...] = tuple(day.isoformat() for day in _all_days(START, END) if trades_on(day))
"""The trading days of the world."""


def session_after(day: str) -> str | None:
    """Return the first trading day after `day`, or None after the last."""
    at = bisect_right(SESSIONS, day)
    return SESSIONS[at] if at < len(SESSIONS) else None


def session_from(day: str) -> str | None:
    """Return `day` if the exchanges are open on it, else the next trading day. Return None after the last."""
    at = bisect_left(SESSIONS, day)
    return SESSIONS[at] if at < len(SESSIONS) else None


def session_before(day: str) -> str | None:
    """Return the last trading day before `day`, or None before the first."""
    at = bisect_left(SESSIONS, day)
    return SESSIONS[at - 1] if at else None


def plus(day: str, days: int) -> str:
    """Return the date `days` days later."""
    return (date.fromisoformat(day) + timedelta(days)).isoformat()


def weekday_from(day: str) -> str:
    """Return `day`, or the next day on which the exchanges are open.

    The result may lie outside of the world.
    """
    found = date.fromisoformat(day)
    while not trades_on(found):
        found += DAY
    return found.isoformat()


@cache
def _summer(year: int) -> tuple[date, date]:
    return _nth(year, 3, SUNDAY, 2), _nth(year, 11, SUNDAY, 1)


def offset(day: date) -> timedelta:
    """Return New York's offset from UTC at noon of `day`: -4 hours in summer, else -5."""
    begins, ends = _summer(day.year)
    return timedelta(hours=-4 if begins <= day < ends else -5)


def new_york(day: str, at: time) -> datetime:
    """Return New York's time `at` of a day, as UTC.

    The result can be wrong during the night in which the clock changes.
    """
    local = date.fromisoformat(day)
    return datetime.combine(local, at, tzinfo=UTC) - offset(local)


def local(moment: datetime) -> datetime:
    """Return New York's local time at `moment`, without a time zone."""
    utc = moment.astimezone(UTC).replace(tzinfo=None)
    standard = utc - timedelta(hours=5)
    begins, ends = _summer(standard.year)
    at_two = time(2)
    if datetime.combine(begins, at_two) <= standard < datetime.combine(ends, time(1)):
        return standard + timedelta(hours=1)
    return standard


@cache
def opens(day: str) -> datetime:
    """Return the start of the session of `day`."""
    return new_york(day, OPENS)


@cache
def closes(day: str) -> datetime:
    """Return the end of the session of `day`: 16:00 in New York, or 13:00."""
    parsed = date.fromisoformat(day)
    return new_york(day, CLOSES_EARLY if parsed in early_closes(parsed.year) else CLOSES)


BEGIN = closes(SESSIONS[1])
"""The earliest now; the latest is `NOW`. After two trading days, each share has a price and a change."""


def stamp(moment: datetime) -> str:
    """Return a moment in the format of rows: ISO, in UTC, with `Z`."""
    return moment.astimezone(UTC).isoformat()[:19] + "Z"


def as_now(given: str | datetime) -> datetime:
    """Return a valid time for now from an ISO date or time. A time without a zone is UTC.

    Raises:
        ValueError: The text is not a time, or the time is outside of the world.
    """
    try:
        found = given if isinstance(given, datetime) else datetime.fromisoformat(given.strip())
    except ValueError:
        raise ValueError("is no time; one looks like 2025-03-05T21:00Z, and is in UTC if it names no zone") from None
    found = found if found.tzinfo is not None else found.replace(tzinfo=UTC)
    if not BEGIN <= found <= NOW:
        raise ValueError(f"is outside of the offline world, which goes from {stamp(BEGIN)} to {stamp(NOW)}")
    return found


def parse(text: str) -> datetime:
    """Parse the moment of a row."""
    return datetime.fromisoformat(text)


@lru_cache(maxsize=1024)
def last_session(now: datetime) -> str | None:
    """Return the last trading day whose session has ended at `now`, or None before the first."""
    day = local(now).date().isoformat()
    at = bisect_right(SESSIONS, day) - 1
    if at >= 0 and closes(SESSIONS[at]) > now:
        at -= 1
    return SESSIONS[at] if at >= 0 else None


@lru_cache(maxsize=1024)
def last_day(now: datetime) -> str:
    """Return the last day (UTC) of crypto trading that has ended at `now`."""
    return (now.astimezone(UTC).date() - DAY).isoformat()
