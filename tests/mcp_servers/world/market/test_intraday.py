"""Minutes and hours agree with the day that they belong to."""

from datetime import timedelta
from itertools import pairwise

import pytest

from mcp_servers.world import NOW, calendar, read
from mcp_servers.world.rows import Bar
from mcp_servers.world.store import MemoryStore

CASES = [("ORCA", "2025-03-05"), ("HLVD", "2024-11-29"), ("LTMR", "2026-06-30"), ("X:XRPUSD", "2024-02-29")]


def day_of(world: MemoryStore, ticker: str, day: str) -> Bar:
    """The bar of a day as it was traded."""
    return read.bars(world, ticker, day, day, NOW, adjusted=False)[0]


@pytest.mark.parametrize("size", [1, 5, 60])
@pytest.mark.parametrize(("ticker", "day"), CASES)
def test_parts_of_a_day_make_the_day(world: MemoryStore, ticker: str, day: str, size: int) -> None:
    """First open, last close, highest high, lowest low, volume and trades are the day's."""
    bar, found = day_of(world, ticker, day), read.minutes(world, ticker, day, NOW, size=size, adjusted=False)
    assert (found[0].open, found[-1].close) == (bar["open"], bar["close"])
    assert (max(tick.high for tick in found), min(tick.low for tick in found)) == (bar["high"], bar["low"])
    assert (sum(tick.volume for tick in found), sum(tick.trades for tick in found)) == (bar["volume"], bar["trades"])
    assert all(tick.low <= min(tick.open, tick.close) <= max(tick.open, tick.close) <= tick.high for tick in found)
    assert all(tick.low <= tick.vwap <= tick.high and tick.volume >= 0 for tick in found)


def test_a_day_has_the_minutes_of_its_session(world: MemoryStore) -> None:
    """390 minutes, 210 before a holiday, 1,440 of crypto, none on a Sunday; each begins where the last ended."""
    assert [len(read.minutes(world, ticker, day, NOW)) for ticker, day in CASES] == [390, 210, 390, 1440]
    assert read.minutes(world, "ORCA", "2025-03-09", NOW) == []
    found = read.minutes(world, "ORCA", "2025-03-05", NOW)
    assert found[0].at == calendar.opens("2025-03-05")
    assert {b.at - a.at for a, b in pairwise(found)} == {timedelta(minutes=1)}
    assert all(a.close == b.open for a, b in pairwise(found))


def test_hours_are_those_of_the_clock(world: MemoryStore) -> None:
    """The first hour begins at nine, half an hour before the session."""
    hours = read.hours(world, "ORCA", "2025-03-05", NOW)
    assert [calendar.local(tick.at).hour for tick in hours] == [9, 10, 11, 12, 13, 14, 15]
    assert all(calendar.local(tick.at).minute == 0 for tick in hours)


def test_a_running_day_has_the_minutes_that_are_over(world: MemoryStore) -> None:
    """At any time of a day, only ended minutes exist, and later they are the same."""
    ten = calendar.opens("2025-03-05") + timedelta(minutes=30, seconds=20)
    found = read.minutes(world, "ORCA", "2025-03-05", ten)
    assert len(found) == 30
    assert found == read.minutes(world, "ORCA", "2025-03-05", NOW)[:30]
    running = read.so_far(world, "ORCA", ten)
    assert running is not None
    assert (running.open, running.close) == (found[0].open, found[-1].close)
    assert read.so_far(world, "ORCA", calendar.opens("2025-03-05")) is None
    assert read.minutes(world, "ORCA", "2025-03-06", ten) == []


def test_minutes_of_a_day_before_a_split_are_adjusted(world: MemoryStore) -> None:
    """Minutes are in the same shares as the adjusted bar of their day."""
    found = next(row for row in (read.splits(world, each["ticker"], NOW) for each in read.companies(world, NOW)) if row)
    ticker, day = found[0]["ticker"], calendar.session_before(found[0]["date"]) or ""
    bar, minutes = read.bars(world, ticker, day, day, NOW)[0], read.minutes(world, ticker, day, NOW)
    assert minutes[-1].close == bar["close"]
    assert sum(tick.volume for tick in minutes) == pytest.approx(bar["volume"], rel=1e-3)
