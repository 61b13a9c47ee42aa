"""Makes the clock, seeds and entropy equal in every worker, so that the same calls print the same text.

It does not cover the monotonic clocks, `numpy.datetime64("now")`, the order of threads, and addresses of objects.
"""

import datetime
import gc
import os
import random
import sys
import time
from collections.abc import Callable
from ctypes import py_object, pythonapi
from typing import Any, Final

_real_time_ns: Final = time.time_ns
_real_gmtime: Final = time.gmtime
_real_localtime: Final = time.localtime
_real_strftime: Final = time.strftime
_real_asctime: Final = time.asctime
_real_ctime: Final = time.ctime
_real_clock_gettime_ns: Final = time.clock_gettime_ns
_EPOCH: Final = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_frozen: int | None = None  # Nanoseconds since the epoch.


def freeze(now: str | None) -> None:
    """Stop the clock at `now`, an ISO 8601 time with an offset. None lets it run."""
    global _frozen  # noqa: PLW0603 - the clock of this process
    if now is None:
        _frozen = None
        return
    since = datetime.datetime.fromisoformat(now) - _EPOCH
    _frozen = (since.days * 86_400 + since.seconds) * 1_000_000_000 + since.microseconds * 1000


def _time_ns() -> int:
    return _real_time_ns() if _frozen is None else _frozen


def _time() -> float:
    return _time_ns() / 1_000_000_000


def _gmtime(seconds: float | None = None, /) -> time.struct_time:
    return _real_gmtime(_time() if seconds is None else seconds)


def _localtime(seconds: float | None = None, /) -> time.struct_time:
    return _real_localtime(_time() if seconds is None else seconds)


def _strftime(form: str, moment: Any = None, /) -> str:
    return _real_strftime(form, _localtime() if moment is None else moment)


def _asctime(moment: Any = None, /) -> str:
    return _real_asctime(_localtime() if moment is None else moment)


def _ctime(seconds: float | None = None, /) -> str:
    return _real_ctime(_time() if seconds is None else seconds)


def _clock_gettime_ns(clock: int, /) -> int:
    return _time_ns() if clock == time.CLOCK_REALTIME else _real_clock_gettime_ns(clock)


def _clock_gettime(clock: int, /) -> float:
    return _clock_gettime_ns(clock) / 1_000_000_000


def _now(cls: type[datetime.datetime], tz: datetime.tzinfo | None = None) -> datetime.datetime:
    moment = _EPOCH + datetime.timedelta(microseconds=_time_ns() // 1000)
    local = moment.astimezone(tz) if tz else moment.replace(tzinfo=None)  # The time zone of the worker is UTC.
    return cls.combine(local.date(), local.timetz())


def _utcnow(cls: type[datetime.datetime]) -> datetime.datetime:
    return _now(cls)


def _replace_on_type(kind: type, name: str, method: Callable[..., Any]) -> None:
    """Replace a class method of a type written in C.

    The change is in place, because other modules hold the same type.
    """
    (attributes,) = (each for each in gc.get_referents(kind.__dict__) if isinstance(each, dict))
    attributes[name] = classmethod(method)
    pythonapi.PyType_Modified(py_object(kind))


def take_over_clock() -> None:
    """Make `time` and `datetime` read the clock of this module."""
    for name, function in {
        "time": _time,
        "time_ns": _time_ns,
        "gmtime": _gmtime,
        "localtime": _localtime,
        "strftime": _strftime,
        "asctime": _asctime,
        "ctime": _ctime,
        "clock_gettime": _clock_gettime,
        "clock_gettime_ns": _clock_gettime_ns,
    }.items():
        setattr(time, name, function)
    _replace_on_type(datetime.datetime, "now", _now)
    _replace_on_type(datetime.datetime, "utcnow", _utcnow)


def seed(value: int) -> None:
    """Seed `random` and NumPy. Also seed Python's entropy functions with `value`."""
    source = random.Random(value)
    plain = random.Random.seed

    def seed_like_the_rest(self: random.Random, a: Any = None, version: int = 2) -> None:
        plain(self, source.getrandbits(256) if a is None else a, version)

    os.urandom = source.randbytes
    vars(random)["_urandom"] = source.randbytes  # SystemRandom reads this name. `secrets` and NumPy use SystemRandom.
    random.Random.seed = seed_like_the_rest  # type: ignore[method-assign]
    random.seed(value)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(value % 2**32)
