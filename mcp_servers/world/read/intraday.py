"""Reads minutes and hours of trading until now."""

from datetime import UTC, date, datetime, time, timedelta

from mcp_servers.world import calendar
from mcp_servers.world.market.intraday import Span, Tick, merged, ticks
from mcp_servers.world.read.common import is_pair
from mcp_servers.world.read.prices import factor
from mcp_servers.world.rows import BARS, Bar
from mcp_servers.world.store import Store


def minutes(store: Store, ticker: str, day: str, now: datetime, *, size: int = 1, adjusted: bool = True) -> list[Tick]:
    """Return the trading of one day until `now` in bars of `size` minutes, counted from midnight.

    A day that still trades has only the minutes that have ended. A day without trading has none.
    """
    bar = next((bar for bar in _month(store, ticker, day) if bar["date"] == day), None)
    if bar is None:
        return []
    begins, ends = _session(ticker, day)
    found: list[Tick] | tuple[Tick, ...] = ticks(
        Span(
            ticker, day, begins, int((ends - begins).total_seconds() // 60),
            bar["open"], bar["high"], bar["low"], bar["close"], bar["volume"], bar["trades"],
        )
    )  # fmt: skip
    if now < ends:
        found = [tick for tick in found if tick.at + timedelta(minutes=1) <= now]
    if size > 1:
        found = merged(found, size, _midnight(ticker, day))
    shares = factor(store, ticker, day, now) if adjusted and not is_pair(ticker) else 1.0
    return [_scaled(tick, shares) for tick in found] if shares != 1.0 else list(found)


def hours(store: Store, ticker: str, day: str, now: datetime, *, adjusted: bool = True) -> list[Tick]:
    """Return the trading of one day in clock hours, in the same way as `minutes`."""
    return minutes(store, ticker, day, now, size=60, adjusted=adjusted)


def so_far(store: Store, ticker: str, now: datetime) -> Tick | None:
    """Return the current day until `now` as one bar. Return None if there is no trading yet."""
    day = (now.astimezone(UTC) if is_pair(ticker) else calendar.local(now)).date().isoformat()
    found = minutes(store, ticker, day, now)
    return merged(found, 24 * 60, _midnight(ticker, day))[0] if found else None


def _month(store: Store, ticker: str, day: str) -> list[Bar]:
    row = store.rows(BARS).get(f"{ticker}:{day[:7]}")
    return row["bars"] if row is not None else []


def _midnight(ticker: str, day: str) -> datetime:
    if is_pair(ticker):
        return datetime.combine(date.fromisoformat(day), time(0), tzinfo=UTC)
    return calendar.new_york(day, time(0))


def _session(ticker: str, day: str) -> tuple[datetime, datetime]:
    if is_pair(ticker):
        midnight = _midnight(ticker, day)
        return midnight, midnight + timedelta(days=1)
    return calendar.opens(day), calendar.closes(day)


def _scaled(tick: Tick, shares: float) -> Tick:
    return tick._replace(
        open=round(tick.open / shares, 4),
        high=round(tick.high / shares, 4),
        low=round(tick.low / shares, 4),
        close=round(tick.close / shares, 4),
        volume=round(tick.volume * shares),
        vwap=round(tick.vwap / shares, 4),
    )
