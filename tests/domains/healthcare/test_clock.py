"""The fixed clock, and ages, days and hours computed from it."""

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.domains.healthcare.clock import NOW, TODAY, age_on, days_after, hours_until, need_date
from env_server.domains.kit import ToolError

DAYS = st.dates(date(1930, 1, 1), date(2030, 12, 31))


def test_now_is_the_morning_of_a_monday() -> None:
    """The clock shows the time in the policy."""
    assert datetime.fromisoformat(NOW).strftime("%A %H:%M") == "Monday 09:00"
    assert date.fromisoformat(TODAY).isoformat() == TODAY


@given(DAYS, DAYS)
def test_an_age_grows_by_one_on_each_birthday(dob: date, day: date) -> None:
    """The age is the number of past birthdays; for 29 February the birthday is 1 March in other years."""
    birthdays = 0
    for year in range(dob.year + 1, day.year + 1):
        try:
            birthdays += dob.replace(year=year) <= day
        except ValueError:
            birthdays += date(year, 3, 1) <= day
    if day >= dob:
        assert age_on(dob.isoformat(), day.isoformat()) == birthdays


@given(DAYS, st.integers(-400, 400))
def test_days_after_and_dates_as_text_agree_with_the_calendar(day: date, count: int) -> None:
    """Moved dates are the right number of days apart, and their text sorts in order."""
    moved = days_after(day.isoformat(), count)
    assert (date.fromisoformat(need_date(moved)) - day).days == count
    assert (moved > day.isoformat()) == (count > 0)


@pytest.mark.parametrize(
    ("day", "time", "hours"), [(TODAY, "09:30", 0.5), ("2026-03-10", "09:00", 24), (TODAY, "08:00", -1)]
)
def test_hours_are_counted_from_now(day: str, time: str, hours: float) -> None:
    """Hours from now have fractions, and are negative in the past."""
    assert hours_until(day, time) == hours


@pytest.mark.parametrize(
    "text", ["", "2026-02-29", "20260309", "2026-W11-1", "9 March", "2026-3-9", "2026-03-09T09:00"]
)
def test_what_is_no_date_is_refused_by_name(text: str) -> None:
    """Only real dates in one form are accepted; the message names the argument."""
    with pytest.raises(ToolError, match=r"dob .*YYYY-MM-DD"):
        need_date(text, "dob")
