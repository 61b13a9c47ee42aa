"""The minutes of a day. They depend only on the daily bar, so every call returns the same minutes."""

from datetime import datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from math import fsum, sqrt
from typing import NamedTuple

from mcp_servers.world.chance import Stream


class Tick(NamedTuple):
    """Trading during one or several minutes."""

    at: datetime
    """The start of the interval, in UTC."""
    open: float
    high: float
    low: float
    close: float
    volume: int
    vwap: float
    trades: int


class Span(NamedTuple):
    """A day to generate minutes for: its bar, its first minute, and the number of minutes."""

    ticker: str
    date: str
    begins: datetime
    minutes: int
    open: float
    high: float
    low: float
    close: float
    volume: int
    trades: int


@lru_cache(maxsize=256)
def ticks(day: Span) -> tuple[Tick, ...]:
    """Return the minutes of a day. The first minute has the day's open, the last one has the day's close.

    The highest high and the lowest low are those of the day. Volumes and trades add up to those of the day.
    """
    stream = Stream("minutes", day.ticker, day.date, day.open, day.close, day.volume)
    digits = 4 if any(round(each, 2) != each for each in (day.open, day.high, day.low, day.close)) else 2
    path = _path(stream, day, digits)
    volumes, trades = _shared(stream, day.volume, day.minutes), _shared(stream, day.trades, day.minutes)
    found, minute = [], timedelta(minutes=1)
    at, random = day.begins, stream.random
    for i in range(day.minutes):
        first, last = path[i], path[i + 1]
        high = min(day.high, round(max(first, last) * (1.0 + 0.0003 * random()), digits))
        low = max(day.low, round(min(first, last) * (1.0 - 0.0003 * random()), digits))
        vwap = round((first + last + high + low) / 4.0, 4)
        found.append(Tick(at, first, high, low, last, volumes[i], vwap, trades[i]))
        at += minute
    return tuple(found)


def _path(stream: Stream, day: Span, digits: int) -> list[float]:
    """Return prices at the limits of the minutes, from open to close.

    The path touches the day's high and low in random order.
    """
    count = day.minutes
    first, second = sorted((stream.whole(1, count // 2), stream.whole(count // 2 + 1, count - 1)))
    turns = [(first, day.high), (second, day.low)] if stream.chance(0.5) else [(first, day.low), (second, day.high)]
    points = [(0, day.open), *turns, (count, day.close)]
    found = [day.open]
    for (start, begin), (stop, end) in pairwise(points):
        found += _walk(stream, begin, end, stop - start, day, digits)
    return found


def _walk(stream: Stream, begin: float, end: float, count: int, day: Span, digits: int) -> list[float]:
    """Return `count` prices from `begin` to `end`, which is the last one. All lie between the day's low and high."""
    steps = [stream.normal() for _ in range(count)]
    mean, scale = fsum(steps) / count, 0.12 * (day.high - day.low) / sqrt(count)
    found, walked = [], 0.0
    for i, step in enumerate(steps, 1):
        walked += step - mean
        price = begin + (end - begin) * i / count + scale * walked
        found.append(min(day.high, max(day.low, round(price, digits))))
    found[-1] = end
    return found


def _shared(stream: Stream, total: int, count: int) -> list[int]:
    """Return `total` in `count` random parts. Parts at both ends are larger."""
    middle = count / 2.0
    sides = [(i - middle) / middle for i in range(count)]
    weights = [(0.5 + side * side) * (0.5 + stream.random()) for side in sides]
    share, found, given, sofar = total / fsum(weights), [], 0, 0.0
    for weight in weights:
        sofar += weight
        part = int(sofar * share) - given
        given += part
        found.append(part)
    found[-1] += total - given
    return found


def merged(minutes: tuple[Tick, ...] | list[Tick], size: int, origin: datetime) -> list[Tick]:
    """Return the minutes merged to groups of `size` minutes, counted from `origin`."""
    groups: dict[int, list[Tick]] = {}
    for tick in minutes:
        groups.setdefault(int((tick.at - origin).total_seconds() // 60) // size, []).append(tick)
    return [_merge(group, origin + timedelta(minutes=number * size)) for number, group in groups.items()]


def _merge(group: list[Tick], at: datetime) -> Tick:
    volume = sum(tick.volume for tick in group)
    weighed = fsum(tick.vwap * tick.volume for tick in group)
    return Tick(
        at,
        group[0].open,
        max(tick.high for tick in group),
        min(tick.low for tick in group),
        group[-1].close,
        volume,
        round(weighed / volume, 4) if volume else group[-1].vwap,
        sum(tick.trades for tick in group),
    )
