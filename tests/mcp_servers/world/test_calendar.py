"""The trading calendar against the one that the New York exchanges published."""

from datetime import UTC, date, datetime, time, timedelta

import pytest

from mcp_servers.world import calendar, read, world

HOLIDAYS = {
    2023: ("01-02", "01-16", "02-20", "04-07", "05-29", "06-19", "07-04", "09-04", "11-23", "12-25"),
    2024: ("01-01", "01-15", "02-19", "03-29", "05-27", "06-19", "07-04", "09-02", "11-28", "12-25"),
    2025: ("01-01", "01-20", "02-17", "04-18", "05-26", "06-19", "07-04", "09-01", "11-27", "12-25"),
    2026: ("01-01", "01-19", "02-16", "04-03", "05-25", "06-19", "07-03", "09-07", "11-26", "12-25"),
}
EARLY = {
    2023: ("07-03", "11-24"),
    2024: ("07-03", "11-29", "12-24"),
    2025: ("07-03", "11-28", "12-24"),
    2026: ("11-27", "12-24"),
}


@pytest.mark.parametrize("year", HOLIDAYS)
def test_holidays_are_the_published_ones(year: int) -> None:
    """The rules give the holidays of each year of the world."""
    assert [day.isoformat() for day in calendar.holidays(year)] == [f"{year}-{day}" for day in HOLIDAYS[year]]


@pytest.mark.parametrize("year", EARLY)
def test_early_closes_are_the_published_ones(year: int) -> None:
    """The rules give the days that end at 13:00."""
    assert [day.isoformat() for day in calendar.early_closes(year)] == [f"{year}-{day}" for day in EARLY[year]]


def test_a_new_year_on_a_saturday_is_not_kept() -> None:
    """The last weekday of 2021 was a trading day."""
    assert calendar.trades_on(date(2021, 12, 31))
    assert not calendar.trades_on(date(2023, 1, 2))


def test_the_world_has_three_years_of_sessions() -> None:
    """Sessions begin and end with the world, and skip weekends and holidays."""
    assert (calendar.SESSIONS[0], calendar.SESSIONS[-1]) == (calendar.START, calendar.END)
    assert len(calendar.SESSIONS) == 752
    assert len(calendar.DAYS) == 1094
    assert all(calendar.trades_on(date.fromisoformat(day)) for day in calendar.SESSIONS)


@pytest.mark.parametrize(
    ("day", "hour"),
    [("2024-03-08", 14), ("2024-03-11", 13), ("2024-11-01", 13), ("2024-11-04", 14)],
)
def test_the_clock_of_new_york_changes_in_march_and_november(day: str, hour: int) -> None:
    """Sessions open at 9:30 in New York, whatever that is in UTC."""
    assert calendar.opens(day).time() == time(hour, 30)
    assert calendar.local(calendar.opens(day)) == datetime.combine(date.fromisoformat(day), time(9, 30))


def test_an_early_close_ends_the_day_at_one() -> None:
    """The day after Thanksgiving closes three hours earlier."""
    assert calendar.local(calendar.closes("2024-11-29")).time() == time(13)
    assert calendar.local(calendar.closes("2024-11-27")).time() == time(16)


def test_a_session_counts_from_its_close_on() -> None:
    """The last complete session changes at the close, and not at midnight."""
    close = calendar.closes("2025-03-05")
    assert calendar.last_session(close) == "2025-03-05"
    assert calendar.last_session(close.replace(minute=59, hour=close.hour - 1)) == "2025-03-04"
    assert calendar.last_session(datetime(2023, 7, 1, tzinfo=UTC)) is None


def test_a_day_of_crypto_counts_from_its_end_on() -> None:
    """The default now sees the whole last day; a second before, it is still running."""
    assert calendar.last_day(calendar.NOW) == calendar.END
    assert calendar.last_day(calendar.NOW - timedelta(seconds=1)) == calendar.plus(calendar.END, -1)
    assert calendar.last_day(datetime(2025, 1, 2, 12, tzinfo=UTC)) == "2025-01-01"


def test_neighbours_of_a_day() -> None:
    """The sessions before, at and after a day; None where there is none."""
    assert calendar.session_after("2023-07-03") == "2023-07-05"
    assert calendar.session_from("2023-07-04") == "2023-07-05"
    assert calendar.session_before("2023-07-05") == "2023-07-03"
    assert calendar.session_before(calendar.START) is None
    assert calendar.session_after(calendar.END) is None
    assert calendar.session_from("2026-07-01") is None
    assert calendar.weekday_from("2026-07-03") == "2026-07-06"


def test_the_earliest_now_has_prices() -> None:
    """At the first time that can count as now each company has a bar and the one before it, so all services agree."""
    store = world()
    companies = read.companies(store, calendar.BEGIN)
    assert companies
    assert {len(read.last_bars(store, row["ticker"], 2, calendar.BEGIN)) for row in companies} == {2}
