"""Helpers of the readers."""

from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache

from mcp_servers.world import calendar


@lru_cache(maxsize=1024)
def current_day(now: datetime) -> str:
    """Return the date in New York."""
    return calendar.local(now).date().isoformat()


def is_pair(ticker: str) -> bool:
    """Return whether `ticker` has the form of a crypto pair."""
    return ticker[:2].upper() == "X:"


def months(start: str, end: str) -> Iterator[str]:
    """Yield the months (2025-03) from the month of `start` to the month of `end`."""
    year, month = int(start[:4]), int(start[5:7])
    while (found := f"{year}-{month:02d}") <= end[:7]:
        yield found
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)


def months_back(end: str, start: str) -> Iterator[str]:
    """Yield the months from the month of `end` back to the month of `start`."""
    year, month = int(end[:4]), int(end[5:7])
    while (found := f"{year}-{month:02d}") >= start[:7]:
        yield found
        year, month = (year - 1, 12) if month == 1 else (year, month - 1)
