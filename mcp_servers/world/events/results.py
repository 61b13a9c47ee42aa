"""The announcements of quarterly results: their times, the surprise, and the reaction of prices."""

from typing import NamedTuple

from mcp_servers.world.calendar import START, plus, weekday_from
from mcp_servers.world.chance import Stream
from mcp_servers.world.companies.company import Firm
from mcp_servers.world.events.base import Diary, When, clock

ENDS = tuple(f"{year}-{end}" for year in range(2021, 2027) for end in ("03-31", "06-30", "09-30", "12-31"))[:21]
"""The last days of the quarters that the world's companies have reported."""


class Result(NamedTuple):
    """The announcement of a quarter."""

    ends: str
    year: int
    """The fiscal year. `quarter` is the fiscal quarter."""
    quarter: int
    at: str
    session: When
    filed: str
    accepted: str
    surprise: float
    """The surprise of earnings per share, relative to the expectation."""
    revenue_surprise: float
    move: float


def fiscal(ends: str, fiscal_end: int) -> tuple[int, int]:
    """Return the fiscal year and quarter of the calendar quarter that ends on `ends`."""
    year, month = int(ends[:4]), int(ends[5:7])
    later = (month - fiscal_end - 1) % 12
    return (year if month <= fiscal_end else year + 1), later // 3 + 1


def results(seed: int, firm: Firm, diary: Diary) -> list[Result]:
    """Return the company's announcements, oldest first. Record those during the world in the diary."""
    stream = Stream(seed, "results", firm.ticker)
    lag = stream.whole(17, 34)
    session: When = "before" if stream.chance(0.36) else "after"
    found = []
    for ends in ENDS:
        year, quarter = fiscal(ends, firm.row["fiscal_end"])
        day = weekday_from(plus(ends, lag + stream.whole(0, 6) + (9 if quarter == 4 else 0)))
        filed = weekday_from(plus(day, stream.pick((0, 0, 1, 1, 2, 5))))
        surprise = 0.07 * stream.normal() + 0.012
        move = 0.42 * (surprise - 0.012) + 0.018 * stream.normal()
        if day >= START:
            diary.note(firm.ticker, day)
        at, later = clock(stream, day, session), stream.whole(137, 220)
        found.append(
            Result(
                ends, year, quarter, at, session, filed, _accepted(filed, later), round(surprise, 4),
                round(0.35 * surprise + 0.012 * stream.normal(), 4), round(move, 4),
            )
        )  # fmt: skip
    return found


def _accepted(filed: str, minutes: int) -> str:
    """Return the time `minutes` minutes after 20:00 UTC. It is later than every announcement of the day."""
    return f"{filed}T{20 + minutes // 60:02d}:{minutes % 60:02d}:{minutes % 59:02d}Z"
