"""Doordash's clock and ids."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.domains.doordash import clock, ids
from tests.domains.doordash.town import restaurant


@pytest.mark.parametrize(
    ("born", "years"), [("2005-03-13", 21), ("2005-03-14", 20), ("2005-02-28", 21), ("2004-02-29", 22)]
)
def test_age_counts_completed_years(born: str, years: int) -> None:
    """A user is 21 from the morning of the 21st birthday."""
    assert clock.age(born) == years


@given(st.integers(-100_000, 100_000))
def test_later_and_between_are_inverse(minutes: int) -> None:
    """Moving the clock and measuring the time are inverse, across midnights and months."""
    assert clock.minutes_between(clock.NOW, clock.later(clock.NOW, minutes)) == minutes


@pytest.mark.parametrize(
    ("changed", "opened"),
    [
        ({}, True),
        ({"accepting_orders": False}, False),
        ({"hours": {"thursday": {"opens": "00:00", "closes": "24:00"}}}, False),
        ({"hours": {"friday": {"opens": "18:30", "closes": "18:31"}}}, True),
        ({"hours": {"friday": {"opens": "11:00", "closes": "18:30"}}}, False),
        ({"hours": {"friday": {"opens": "11:00", "closes": "24:00"}}}, True),
    ],
)
def test_open_is_within_todays_hours_and_not_paused(changed: dict[str, Any], opened: bool) -> None:
    """The first minute of the opening hours counts, the last one does not."""
    assert clock.is_open(restaurant("r", "R", **changed)) is opened  # type: ignore[arg-type]


def test_ids_follow_from_what_they_name() -> None:
    """Ids do not depend on the order of a list, and a taken id is not given again."""
    assert ids.line_id("i", {}) == "i"
    assert ids.line_id("i", {"a": "1", "b": "2"}) == ids.line_id("i", {"b": "2", "a": "1"})
    first = ids.order_id("u", "r", {"x": 1, "y": 2}, lambda _: False)
    assert first == ids.order_id("u", "r", {"y": 2, "x": 1}, lambda _: False)
    assert ids.order_id("u", "r", {"x": 1, "y": 2}, lambda found: found == first) != first
