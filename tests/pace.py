"""Processor time of work: in units that are comparable between machines, and as it grows with a text."""

import json
import re
from collections.abc import Callable
from functools import cache
from time import process_time, thread_time

_TEXT = json.dumps([{"name": f"tool_{i}", "arguments": {"id": i, "text": "so many words " * 4}} for i in range(300)])
TRIES = 3
LINEAR = 8
"""Work that is linear in its text takes about four times as long for four times the text, and less than this many
times. Work that is quadratic takes sixteen times as long.
"""

_ENOUGH_S = 0.005
_SETTLES = 7
"""The maximum number of measurements. Other work on the machine disturbs some of them."""


def units(work: Callable[[], object]) -> float:
    """Return the processor time of `work` relative to a fixed piece of work in the same process.

    The piece reads JSON, searches text and sorts. It took 0.07 s on the machine where it was written.
    """
    return _taken(work) / _unit()


def growth(work: Callable[[str], object], part: str, length: int = 2_000) -> float:
    """Return how many times as long `work` takes for four times the text: repetitions of `part`, of about `length`
    characters and of four times as many. Each is repeated until the short one takes some milliseconds, and measured
    again while the factor is not `LINEAR`.
    """
    count = max(1, length // len(part))
    return grown(work, part * count, part * (4 * count))


def grown(work: Callable[[str], object], short: str, long: str) -> float:
    """Return how many times as long `work` takes for the text `long` as for `short`."""
    times = 1
    while (least := _repeated(work, short, times)) < _ENOUGH_S:
        times *= 2
    most = factor = float("inf")
    for _ in range(_SETTLES):
        most = min(most, _repeated(work, long, times))
        least = min(least, _repeated(work, short, times))
        factor = most / least
        if factor < LINEAR:
            break
    return factor


def once(work: Callable[[str], object], short: str, long: str) -> float:
    """Return the factor by one measurement of each text. It is rough, and takes little time."""
    work(short)
    return _repeated(work, long, 1) / max(_repeated(work, short, 1), 1e-9)


def _repeated(work: Callable[[str], object], text: str, times: int) -> float:
    began = process_time()
    for _ in range(times):
        work(text)
    return process_time() - began


@cache
def _unit() -> float:
    return min(_taken(_piece) for _ in range(TRIES))


def _piece() -> None:
    for _ in range(100):
        found = json.loads(_TEXT)
        re.findall(r"[a-z]+_\d+", _TEXT)
        sorted((entry["name"], str(entry)) for entry in found)


def _taken(work: Callable[[], object]) -> float:
    began = thread_time()
    work()
    return thread_time() - began
