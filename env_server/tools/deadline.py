"""Cutting off a tool that hangs: an endless loop, a sleep, a pattern that backtracks for ever.

Tools are plain functions in the event loop's thread, so nothing else happens while one of them runs, no timer of the
loop either. An alarm of the operating system does reach it: its handler raises `CutOff` in the middle of the tool.

That works in the main thread of a process on Unix in which nobody else uses SIGALRM. Elsewhere, and before
`cutting_off`, tools may take as long as they like. A tool in foreign code that looks for no signals is cut off when it
comes back from there; one that swallows every `BaseException` for ever is not cut off at all, and one that swallows it
once and ends has been cut off all the same.

A cut amid the taking or leaving of a lock that is written in Python would leave it taken for ever, for all threads. So
it waits, for a short while, until the standard library's modules with such locks are left.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, get_ident, main_thread
from time import monotonic
from types import FrameType
from typing import Any, Final

import structlog

AGAIN_S: Final = 0.25
"""How long after a cut the next one follows, where a finalizer or a bare `except` has swallowed the first."""

SOON_S: Final = 0.002
"""How soon the alarm rings again where it rang at a moment at which nothing may be raised."""

GRACE_S: Final = 2.0
"""For how long past its time a call is left alone while it is within `LOCKING`; whoever waits there for ever is cut."""

LOCKING: Final = frozenset({"logging", "threading", "importlib"})
"""Modules whose code takes locks step by step: between two of the steps an exception would leave one taken."""

log = structlog.get_logger(__name__)


class CutOff(BaseException):
    """Raised in the middle of a tool that took too long; no `except Exception` on the way out keeps it."""


class Guard:
    """A context that ends with `CutOff` if it takes longer than the limit; one within another adds nothing.

    The alarm is set once for many calls, not for each: when it rings it looks for how long the call of that moment has
    run, and rings again when that will have been the limit. So a call costs a look at the clock and no system call.
    """

    def __init__(self) -> None:
        """Without a limit, until `start`."""
        self.limit_s = 0.0
        self._users = 0
        self._before: Any = signal.SIG_DFL
        self._thread: int | None = None
        self._depth = 0
        self._since = 0.0
        self._is_set = False
        self._is_cut = False

    def start(self, limit_s: float) -> None:
        """Cut off what this thread, the main one, runs within the guard for longer than `limit_s` seconds.

        For whoever starts it while it is started, the limit stays as it is.
        """
        self._users += 1
        if self._users > 1:
            return
        self.limit_s, self._depth, self._is_set = limit_s, 0, False
        self._before = signal.signal(signal.SIGALRM, self._on_alarm)
        self._thread = get_ident()

    def stop(self) -> None:
        """Once all who started it have stopped it: let everything take its time, and leave SIGALRM as it was."""
        self._users -= 1
        if self._users > 0:
            return
        self._thread = None
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._before)

    def rest(self) -> None:
        """Unset the alarm, which may still be set from the last call, where it is in the way of another signal."""
        if get_ident() == self._thread and self._depth == 0:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self._is_set = False

    @property
    def started(self) -> bool:
        """Whether there is a limit."""
        return self._thread is not None

    def __enter__(self) -> None:
        """Look at the clock."""
        if get_ident() != self._thread:
            return
        if self._depth == 0:
            self._since, self._is_cut = monotonic(), False
            if not self._is_set:
                self._is_set = True
                signal.setitimer(signal.ITIMER_REAL, self.limit_s)
        self._depth += 1

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """From here on nothing is cut off; what was, ends so, whatever it made of that."""
        if get_ident() != self._thread:
            return
        self._depth -= 1
        if self._is_cut and kind is not CutOff:
            raise CutOff

    def _on_alarm(self, _signal: int, frame: FrameType | None) -> None:
        """Cut off the call of this moment if its time is over; else see to it that the alarm rings then."""
        ours = frame is not None and frame.f_code in _OURS  # counting in, counting out, or in here: never raise there
        if self._depth == 0 and not ours:
            self._is_set = False
            return
        left = self._since + self.limit_s - monotonic()
        if left > 0:
            signal.setitimer(signal.ITIMER_REAL, left)
        elif ours or (left > -GRACE_S and _is_locking(frame)):
            signal.setitimer(signal.ITIMER_REAL, SOON_S)
        else:
            signal.setitimer(signal.ITIMER_REAL, AGAIN_S)
            self._is_cut = True
            raise CutOff


_OURS: Final = frozenset(m.__code__ for m in (Guard.__enter__, Guard.__exit__, Guard._on_alarm))

GUARD: Final = Guard()
"""The process's one; signals belong to the process, too."""


def _is_locking(frame: FrameType | None) -> bool:
    """Whether `frame`, or one that waits for it, is of a module in `LOCKING`."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] in LOCKING:
            return True
        frame = frame.f_back
    return False


@contextmanager
def cutting_off(limit_s: float) -> Iterator[None]:
    """Cut off tools after `limit_s` seconds for as long as the context lasts; where that cannot be, the log says why.

    Where it lasts already, the limit stays as it is, and it lasts until the last of them ends.
    """
    why = _why_not()
    if why is not None:
        log.info("tools that hang are not cut off", why=why)
        yield
        return
    GUARD.start(limit_s)
    try:
        yield
    finally:
        GUARD.stop()


def _why_not() -> str | None:
    """What stands in the way of using SIGALRM, if anything does."""
    if not hasattr(signal, "setitimer"):
        return "this system has no SIGALRM"
    if current_thread() is not main_thread():
        return "only the main thread gets signals"
    if GUARD.started:
        return None
    taken = signal.getsignal(signal.SIGALRM) not in (signal.SIG_DFL, signal.SIG_IGN)
    if taken or signal.getitimer(signal.ITIMER_REAL)[0] > 0:
        return "somebody else uses SIGALRM"
    return None
