"""The trading calendar of the world's exchanges, computed by rule, and New York's clock."""

from bisect import bisect_left, bisect_right
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache

START, END = "2023-07-03", "2026-06-30"
"""The first and the last trading day of the world."""

NOW = datetime(2026, 7, 1, tzinfo=UTC)
"""The default now: the end of the last day, also for crypto (20:00 of that day in New York, after the close)."""

DAY = timedelta(days=1)
MONDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = 0, 3, 4, 5, 6
OPENS, CLOSES, CLOSES_EARLY = time(9, 30), time(16), time(13)


def _nth(year: int, month: int, weekday: int, count: int) -> date:
    """The `count`-th such weekday of a month; -1 for the last."""
    if count > 0:
        first = date(year, month, 1)
        return first + timedelta((weekday - first.weekday()) % 7 + 7 * (count - 1))
    last = date(year + month // 12, month % 12 + 1, 1) - DAY
    return last - timedelta((last.weekday() - weekday) % 7)


def _easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar."""
    golden, century = year % 19, year // 100
    epact = (century - century // 4 - (8 * century + 13) // 25 + 19 * golden + 15) % 30
    epact -= epact // 28 * (1 - 29 // (epact + 1) * ((21 - golden) // 11))
    weekday = (year + year // 4 + epact + 2 - century + century // 4) % 7
    step = epact - weekday
    month = 3 + (step + 40) // 44
    return date(year, month, step + 28 - 31 * (month // 4))


def _observed(day: date) -> date:
    """The weekday on which a fixed holiday is kept."""
    return day - DAY if day.weekday() == SATURDAY else day + DAY if day.weekday() == SUNDAY else day


@cache
def holidays(year: int) -> dict[date, str]:
    """The weekdays of a year on which nothing trades, with their names, in order."""
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
    if new_year.weekday() != SATURDAY:  # on a Saturday it is not kept: the day before closes the books of the year
        found[_observed(new_year)] = "New Year's Day"
    return dict(sorted(found.items()))


@cache
def early_closes(year: int) -> dict[date, str]:
    """The trading days of a year that end at 13:00, with the reason, in order."""
    eves = {date(year, 7, 3): "Independence Day", date(year, 12, 24): "Christmas Day"}
    found = {eve: name for eve, name in eves.items() if eve.weekday() <= THURSDAY}
    found[_nth(year, 11, THURSDAY, 4) + DAY] = "Thanksgiving Day"
    return dict(sorted(found.items()))


def trades_on(day: date) -> bool:
    """Whether the exchanges are open on `day`."""
    return day.weekday() < SATURDAY and day not in holidays(day.year)


def _all_days(start: str, end: str) -> tuple[date, ...]:
    first, last = date.fromisoformat(start), date.fromisoformat(end)
    return tuple(first + timedelta(i) for i in range((last - first).days + 1))


DAYS: tuple[str, ...] = tuple(day.isoformat() for day in _all_days(START, END))
"""Every day of the world, on which crypto trades."""

SESSIONS: tuple[str, ...] = tuple(day.isoformat() for day in _all_days(START, END) if trades_on(day))
"""The trading days of the world."""


def session_after(day: str) -> str | None:
    """The first trading day after `day`; None after the last."""
    at = bisect_right(SESSIONS, day)
    return SESSIONS[at] if at < len(SESSIONS) else None


def session_from(day: str) -> str | None:
    """`day` if the exchanges are open on it, else the next trading day; None after the last."""
    at = bisect_left(SESSIONS, day)
    return SESSIONS[at] if at < len(SESSIONS) else None


def session_before(day: str) -> str | None:
    """The last trading day before `day`; None before the first."""
    at = bisect_left(SESSIONS, day)
    return SESSIONS[at - 1] if at else None


def plus(day: str, days: int) -> str:
    """The date so many days later."""
    return (date.fromisoformat(day) + timedelta(days)).isoformat()


def weekday_from(day: str) -> str:
    """`day`, or the next day on which the exchanges are open, in the world or outside of it."""
    found = date.fromisoformat(day)
    while not trades_on(found):
        found += DAY
    return found.isoformat()


@cache
def _summer(year: int) -> tuple[date, date]:
    return _nth(year, 3, SUNDAY, 2), _nth(year, 11, SUNDAY, 1)


def offset(day: date) -> timedelta:
    """New York's offset from UTC at noon of `day`: -4 hours in summer, else -5."""
    begins, ends = _summer(day.year)
    return timedelta(hours=-4 if begins <= day < ends else -5)


def new_york(day: str, at: time) -> datetime:
    """New York's time `at` of a day, as UTC. Unsure only in the night in which the clock changes."""
    local = date.fromisoformat(day)
    return datetime.combine(local, at, tzinfo=UTC) - offset(local)


def local(moment: datetime) -> datetime:
    """What New York's clock shows at `moment`; the result has no time zone."""
    utc = moment.astimezone(UTC).replace(tzinfo=None)
    standard = utc - timedelta(hours=5)
    begins, ends = _summer(standard.year)
    at_two = time(2)
    if datetime.combine(begins, at_two) <= standard < datetime.combine(ends, time(1)):
        return standard + timedelta(hours=1)
    return standard


@cache
def opens(day: str) -> datetime:
    """When the session of `day` begins."""
    return new_york(day, OPENS)


@cache
def closes(day: str) -> datetime:
    """When the session of `day` ends: 16:00 in New York, or 13:00."""
    parsed = date.fromisoformat(day)
    return new_york(day, CLOSES_EARLY if parsed in early_closes(parsed.year) else CLOSES)


BEGIN = closes(SESSIONS[1])
"""The earliest now, `NOW` being the latest: with two days of trading behind it, each share has a price and a change."""


def stamp(moment: datetime) -> str:
    """A moment as rows write it: ISO, in UTC, with `Z`."""
    return moment.astimezone(UTC).isoformat()[:19] + "Z"


def as_now(given: str | datetime) -> datetime:
    """A time that can count as now: an ISO date or time, in UTC where it names no zone.

    Raises:
        ValueError: It is no time, or it is outside of the world.
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
    """The moment that a row writes."""
    return datetime.fromisoformat(text)


@lru_cache(maxsize=1024)
def last_session(now: datetime) -> str | None:
    """The last trading day whose session has ended at `now`; None before the first."""
    day = local(now).date().isoformat()
    at = bisect_right(SESSIONS, day) - 1
    if at >= 0 and closes(SESSIONS[at]) > now:
        at -= 1
    return SESSIONS[at] if at >= 0 else None


@lru_cache(maxsize=1024)
def last_day(now: datetime) -> str:
    """The last day (UTC) of crypto trading that has ended at `now`."""
    return (now.astimezone(UTC).date() - DAY).isoformat()
