"""When a call is sent again, and what is logged about it: one line as an outage begins, one as it ends."""

import logging
import math
import random
import ssl
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TypeVar

import httpx2
import stamina
from stamina.instrumentation import RetryDetails, RetryHook, get_on_retry_hooks, set_on_retry_hooks

from trainer_client.client.batch import Unfinished
from trainer_client.client.errors import BROKEN, ServerError, Unreachable

T = TypeVar("T")

log = logging.getLogger("trainer_client")

_HOPELESS = (httpx2.UnsupportedProtocol, httpx2.LocalProtocolError)
"""The request itself is wrong: its address, or a header."""

_BROKEN_TLS = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError)
"""A TLS connection that broke; every other TLS error is a disagreement, which does not pass."""


class Retrier:
    """Sends failed calls to one server again. One serves all calls of a client, from many threads."""

    def __init__(self, url: str, seconds: float, connect_seconds: float = math.inf) -> None:
        """Retry calls to the server at `url` for `seconds`; with 0 seconds nothing is sent again.

        Until the server has answered once, a refused connection is retried for `connect_seconds` only: the address is
        probably wrong.
        """
        self.url, self.seconds, self.connect_seconds = url, seconds, connect_seconds
        self.reached = False
        """Whether the server has ever answered."""
        self._down = False

    def call(self, once: Callable[[], T], within: float | None = None) -> T:
        """Call `once` until it succeeds, fails for good, or the time (at most `within` seconds) is over.

        One attempt is always made, and the last begins when the time ends.

        Raises:
            Unreachable: if there is no answer.
        """
        attempts = _Attempts(self, within)
        with self._unreachable(), _without_stamina_logs():
            for attempt in stamina.retry_context(attempts.again, attempts=None, timeout=None):
                with attempt, attempts.noted(attempt.next_wait):
                    return once()
        raise AssertionError("unreachable")

    async def acall(self, once: Callable[[], Awaitable[T]], within: float | None = None) -> T:
        """`call` for asyncio."""
        attempts = _Attempts(self, within)
        with self._unreachable(), _without_stamina_logs():
            async for attempt in stamina.retry_context(attempts.again, attempts=None, timeout=None):
                with attempt, attempts.noted(attempt.next_wait):
                    return await once()
        raise AssertionError("unreachable")

    @contextmanager
    def _unreachable(self) -> Iterator[None]:
        try:
            yield
        except (httpx2.TransportError, httpx2.InvalidURL) as error:
            raise Unreachable(f"{self.url} gave no answer: {described(error)}") from error

    def failed(self, error: Exception, wait: float, seconds: float) -> None:
        """Log a failure, as a warning only if it begins an outage; the next attempt is in `wait` seconds."""
        level = logging.DEBUG if self._down or isinstance(error, Unfinished) else logging.WARNING
        self._down = self._down or level == logging.WARNING
        text = "%s: %s; next try in %.1f s, for up to %g s"
        log.log(level, text, self.url, described(error), wait, round(seconds, 1))

    def answered(self) -> None:
        """Note that the server has answered, and log that an outage is over, if there was one."""
        self.reached = True
        if self._down:
            self._down = False
            log.warning("%s answers again", self.url)


class _Attempts:
    """The attempts at one call."""

    def __init__(self, retrier: Retrier, within: float | None) -> None:
        self._retrier = retrier
        self._seconds = retrier.seconds if within is None else min(within, retrier.seconds)
        self._begin = time.monotonic()
        self._wait: float | None = None

    @contextmanager
    def noted(self, backoff: float) -> Iterator[None]:
        """Wrap one attempt, and decide for `again` how long to wait after it, by default about `backoff` seconds."""
        self._wait = None
        try:
            yield
        except Exception as error:
            self._retrier.reached |= isinstance(error, ServerError) and error.status != BROKEN
            self._wait = self._pause(error, backoff)
            if self._wait is not None:
                self._retrier.failed(error, self._wait, self._patience(error))
            raise
        self._retrier.answered()

    def again(self, _error: Exception) -> bool | float:
        """Whether to try again; a number is the seconds to wait before the next attempt."""
        return False if self._wait is None else self._wait

    def _pause(self, error: Exception, backoff: float) -> float | None:
        """The seconds until the next attempt, which begins before the time is over; None if there is to be none."""
        left, asked = self._begin + self._patience(error) - time.monotonic(), _asked_for(error)
        wait = backoff if asked is None else asked
        if left <= 0 or not may_pass(error) or (asked is not None and asked > left):
            return None
        # The random part keeps callers that failed together from returning at the same moment.
        return min(wait + random.uniform(0, 1), left)

    def _patience(self, error: Exception) -> float:
        """The seconds from the first attempt within which the last one begins."""
        refused = isinstance(error, httpx2.ConnectError) and not self._retrier.reached
        return min(self._seconds, self._retrier.connect_seconds) if refused else self._seconds


def may_pass(error: Exception) -> bool:
    """Whether a call that ended in `error` may succeed later."""
    if isinstance(error, httpx2.TransportError):
        return not isinstance(error, _HOPELESS) and not _refused_tls(error)
    return isinstance(error, ServerError | Unfinished) and error.retryable


def described(error: BaseException) -> str:
    """`error` in one line."""
    text = str(error) if isinstance(error, ServerError) else f"{type(error).__name__}: {error}"
    return " ".join(text.split())


def _asked_for(error: Exception) -> float | None:
    """The seconds for which the server asks to be left alone."""
    return error.retry_after if isinstance(error, ServerError | Unfinished) else None


def _refused_tls(error: BaseException | None) -> bool:
    """Whether `error` comes from two sides that cannot agree on TLS: a wrong scheme, an untrusted certificate."""
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return not isinstance(error, _BROKEN_TLS)
        error = error.__cause__ or error.__context__
    return False


_our_call: ContextVar[bool] = ContextVar("our_call", default=False)


@contextmanager
def _without_stamina_logs() -> Iterator[None]:
    """Leave out stamina's own log line for every attempt in here: it names neither the server nor the error.

    Hooks that an application has set are called as before, for these calls too.
    """
    _wrap_hooks()
    token = _our_call.set(True)
    try:
        yield
    finally:
        _our_call.reset(token)


@cache
def _wrap_hooks() -> None:
    """Wrap stamina's logging hooks, once: hooks are global, and a call cannot have its own."""
    set_on_retry_hooks([_unless_our_call(hook) if _logs(hook) else hook for hook in get_on_retry_hooks()])


def _logs(hook: RetryHook) -> bool:
    """Whether `hook` is one of the two that stamina sets by itself to write a line."""
    return getattr(hook, "__module__", None) in {
        "stamina.instrumentation._logging",
        "stamina.instrumentation._structlog",
    }


def _unless_our_call(hook: RetryHook) -> RetryHook:
    def called(details: RetryDetails) -> AbstractContextManager[None] | None:
        return None if _our_call.get() else hook(details)

    return called
