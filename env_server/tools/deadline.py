"""Timeouts for tools that hang: an endless loop, a sleep, or a regular expression that backtracks without end.

Tools are plain functions in the event loop's thread. While one runs, nothing else runs, not even a timer of the loop. A
signal of the operating system still interrupts it: the handler of SIGALRM raises `CutOff` in the middle of the tool.

This works in the main thread of a Unix process in which no other code uses SIGALRM. Elsewhere, and before
`cutting_off`, tools have no timeout. A tool in C code that does not check signals is cut off when the C code returns. A
tool that catches every `BaseException` in an endless loop is never cut off. A tool that catches it once and then
returns counts as cut off.

If the cut came while a thread acquires or releases a lock that is written in Python, the lock could stay locked for all
threads. In a callback of a weak reference Python prints the exception and drops it. So the handler waits for a short
time until the code leaves the standard library's modules with such locks and callbacks.
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
"""Seconds until the next cut if a finalizer or a bare `except` has swallowed the first one."""

SOON_S: Final = 0.002
"""Seconds until the next alarm if the handler must not raise at this moment."""

GRACE_S: Final = 2.0
"""Maximum seconds after the timeout for which code of `NOT_WITHIN` delays a cut. Then the call is cut there."""

NOT_WITHIN: Final = frozenset({"logging", "threading", "importlib", "weakref", "_weakrefset"})
"""Modules whose code is not cut off: the exception would leave a lock locked, or be lost in a weakref callback."""

log = structlog.get_logger(__name__)


class CutOff(BaseException):
    """The exception that ends a tool after its timeout.

    It is no `Exception`, so `except Exception` does not catch it.
    """


class Guard:
    """A context that raises `CutOff` if it takes longer than the limit. A nested context has no effect.

    One alarm serves many calls. When it goes off, the handler checks how long the current call has run, and sets the
    next alarm for the end of that call's limit. So a call costs one read of the clock and no system call.
    """

    def __init__(self) -> None:
        """Create the guard without a limit. `start` sets it."""
        self.limit_s = 0.0
        self._users = 0
        self._before: Any = signal.SIG_DFL
        self._thread: int | None = None
        self._depth = 0
        self._since = 0.0
        self._is_set = False
        self._is_cut = False

    def start(self, limit_s: float) -> None:
        """Cut off code of this thread, the main one, that runs within the guard for longer than `limit_s` seconds.

        If the guard is started already, the limit stays unchanged.
        """
        self._users += 1
        if self._users > 1:
            return
        self.limit_s, self._depth, self._is_set = limit_s, 0, False
        self._before = signal.signal(signal.SIGALRM, self._on_alarm)
        self._thread = get_ident()

    def stop(self) -> None:
        """Remove the limit and restore SIGALRM's handler when every `start` has had its `stop`."""
        self._users -= 1
        if self._users > 0:
            return
        self._thread = None
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._before)

    def rest(self) -> None:
        """Unset an alarm that is left from the last call and would disturb the use of another signal."""
        if get_ident() == self._thread and self._depth == 0:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self._is_set = False

    @property
    def started(self) -> bool:
        """Whether there is a limit."""
        return self._thread is not None

    def __enter__(self) -> None:
        """Record the start of the outermost call, and set the alarm if none is set."""
        if get_ident() != self._thread:
            return
        if self._depth == 0:
            self._since, self._is_cut = monotonic(), False
            if not self._is_set:
                self._is_set = True
                signal.setitimer(signal.ITIMER_REAL, self.limit_s)
        self._depth += 1

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """End the call. If it was cut off but swallowed the exception, raise `CutOff` again."""
        if get_ident() != self._thread:
            return
        self._depth -= 1
        if self._is_cut and kind is not CutOff:
            raise CutOff

    def _on_alarm(self, _signal: int, frame: FrameType | None) -> None:
        """Cut off the current call if its time is over; else set the alarm for that time."""
        ours = frame is not None and frame.f_code in _OURS  # this handler or the guard itself: must not raise
        if self._depth == 0 and not ours:
            self._is_set = False
            return
        left = self._since + self.limit_s - monotonic()
        if left > 0:
            signal.setitimer(signal.ITIMER_REAL, left)
        elif ours or (left > -GRACE_S and _must_wait(frame)):
            signal.setitimer(signal.ITIMER_REAL, SOON_S)
        else:
            signal.setitimer(signal.ITIMER_REAL, AGAIN_S)
            self._is_cut = True
            raise CutOff


_OURS: Final = frozenset(m.__code__ for m in (Guard.__enter__, Guard.__exit__, Guard._on_alarm))

GUARD: Final = Guard()
"""The guard of the process. There is only one, because signals belong to the process."""


def _must_wait(frame: FrameType | None) -> bool:
    """Return whether `frame` or one of its callers belongs to a module in `NOT_WITHIN`."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] in NOT_WITHIN:
            return True
        frame = frame.f_back
    return False


@contextmanager
def cutting_off(limit_s: float) -> Iterator[None]:
    """Cut off tools after `limit_s` seconds for the duration of the context. If that is impossible, log the reason.

    If another such context is open, its limit stays. The timeout is removed when the last context ends.
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
    """Return the reason why SIGALRM cannot be used, or None."""
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
