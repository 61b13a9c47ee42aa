"""Dates in everyday notation: 2026-03-21, March 21st, 21 Mar 2026, 3/21/2026."""

import re
from datetime import date
from typing import NamedTuple

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<{0}>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{{0,6}}\.?"
_DAY = r"(?P<{0}>[0-9]{{1,2}})(?:st|nd|rd|th)?"
_FORMS = re.compile(
    r"(?<![\w/.-])(?:"
    r"(?P<y1>[0-9]{4})-(?P<m1>[0-9]{1,2})-(?P<d1>[0-9]{1,2})"
    r"|(?P<m2>[0-9]{1,2})/(?P<d2>[0-9]{1,2})/(?P<y2>[0-9]{4})"
    rf"|{_MONTH.format('m3')} (?:the )?{_DAY.format('d3')}(?:,? (?P<y3>[0-9]{{4}}))?"
    rf"|(?:the )?{_DAY.format('d4')} (?:of )?{_MONTH.format('m4')}(?:,? (?P<y4>[0-9]{{4}}))?"
    r")(?![\w/-]|\.[0-9])",
    re.IGNORECASE,
)


class Day(NamedTuple):
    """A day of the year; the year may be missing, as in ordinary speech."""

    year: int | None
    month: int
    day: int

    def meets(self, other: "Day") -> bool:
        """Return whether both may be the same day. A missing year matches every year."""
        return self[1:] == other[1:] and (self.year is None or other.year is None or self.year == other.year)


def days_in(text: str) -> list[Day]:
    """Return the days that `text` names, in order; 3/21/2026 is read with the month first."""
    found = (_day(match) for match in _FORMS.finditer(" ".join(text.split())))
    return [day for day in found if day is not None]


def as_day(text: str) -> Day | None:
    """Return the day if the whole `text` is a date with its year, else None."""
    match = _FORMS.fullmatch(text.strip())
    day = _day(match) if match is not None else None
    return day if day is not None and day.year is not None else None


def _day(match: re.Match[str]) -> Day | None:
    groups = {name[0]: value for name, value in match.groupdict().items() if value is not None}
    month = groups["m"].lower()[:3]
    number = _MONTHS.index(month) + 1 if month in _MONTHS else int(month)
    year = int(groups["y"]) if "y" in groups else None
    try:
        date(year or 2000, number, int(groups["d"]))  # 2000 is a leap year, so every day without a year is valid
    except ValueError:
        return None
    return Day(year, number, int(groups["d"]))
