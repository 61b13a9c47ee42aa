"""Builds events: their times, and the day on which prices react."""

from datetime import timedelta
from typing import Literal

from mcp_servers.world.calendar import SESSIONS, closes, opens, session_after, session_from, stamp
from mcp_servers.world.chance import Stream
from mcp_servers.world.rows import Event

Fact = str | float | int
When = Literal["before", "during", "after"]
GAP = 2
"""Minimum trading days between two price-moving events of a company."""


def event(
    ticker: str,
    at: str,
    kind: str,
    facts: dict[str, Fact],
    *,
    move: float = 0.0,
    other: str = "",
    other_move: float = 0.0,
) -> Event:
    """Return an event row. Its id holds company, day and kind."""
    return {
        "id": f"{ticker}:{at[:10]}:{kind}",
        "ticker": ticker,
        "at": at,
        "kind": kind,
        "facts": facts,
        "move": round(move, 4),
        "other": other,
        "other_move": round(other_move, 4),
    }


def clock(stream: Stream, day: str, when: When) -> str:
    """Return a time on a trading day: before its opening, during trading, or after its close."""
    first, last = opens(day), closes(day)
    if when == "before":
        return stamp(first - timedelta(minutes=stream.whole(20, 150)))
    if when == "after":
        return stamp(last + timedelta(minutes=stream.whole(4, 75)))
    length = int((last - first).total_seconds()) // 60
    return stamp(first + timedelta(minutes=stream.whole(25, length - 25)))


def at_any_time(stream: Stream, day: str) -> str:
    """Return a time on a trading day, mostly outside of trading."""
    times: tuple[When, ...] = ("before", "before", "after", "during")
    return clock(stream, day, stream.pick(times))


def reaction(at: str) -> tuple[str, bool] | None:
    """Return the trading day whose close is the first after `at`, and whether `at` is before its opening."""
    day = session_from(at[:10])
    if day is not None and stamp(closes(day)) <= at:
        day = session_after(day)
    return (day, at < stamp(opens(day))) if day is not None else None


class Diary:
    """The days with news of each company. It keeps two events from moving a company's price at the same time."""

    def __init__(self, stream: Stream) -> None:
        """Make a diary that chooses days with `stream`."""
        self._stream = stream
        self._taken: dict[str, set[int]] = {}

    def note(self, ticker: str, day: str) -> None:
        """Record an event of `ticker` on `day`. Its price reacts on that day or on the next trading day."""
        found = session_from(day)
        if found is not None:
            at = SESSIONS.index(found)
            self._taken.setdefault(ticker, set()).update(range(at - GAP, at + GAP + 1))

    def day(self, *tickers: str, first: int = 15, last: int = len(SESSIONS) - 15) -> str:
        """Choose a trading day on which none of the companies has news. Record it for all of them.

        Args:
            tickers: The companies.
            first: The number of the first possible trading day of the world.
            last: The number of the last possible one.
        """
        taken = set().union(*(self._taken.get(ticker, set()) for ticker in tickers))
        low, high = max(first, 0), min(max(last, first + 30), len(SESSIONS) - 3)
        at = self._stream.whole(low, high)
        for _ in range(60):
            if at not in taken:
                break
            at = self._stream.whole(low, high)
        for ticker in tickers:
            self.note(ticker, SESSIONS[at])
        return SESSIONS[at]


def neat(amount: float) -> int:
    """Return an amount in dollars, rounded as in announcements: two digits, and 5 or 0 as a third."""
    size: int = 10 ** max(len(str(int(abs(amount)))) - 2, 0)
    return round(amount / size * 2.0) * size // 2


def close(amount: float) -> int:
    """Return an amount in dollars with three digits, as in forecasts of revenue."""
    size: int = 10 ** max(len(str(int(abs(amount)))) - 3, 0)
    return round(amount / size) * size
