"""When a call is sent again, and what is said about it: one line as an outage begins, one as it ends."""

import logging
import random
import ssl
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import httpx2
import stamina

from trainer_client.batch import Unfinished
from trainer_client.errors import ServerError
from trainer_client.quiet import quiet

T = TypeVar("T")

log = logging.getLogger("trainer_client")

_HOPELESS = (httpx2.UnsupportedProtocol, httpx2.LocalProtocolError)
"""The request itself is wrong: its address, or a header."""

_BROKEN_TLS = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError)
"""A connection that broke while it was encrypted; every other TLS error is a disagreement, and stays one."""


class Patience:
    """How long failed calls to one server are sent again. One serves all calls of a client, from many threads."""

    def __init__(self, url: str, seconds: float) -> None:
        """For the server at `url`; with 0 seconds nothing is sent again."""
        self.url, self.seconds = url, seconds
        self._down = False

    def call(self, once: Callable[[], T], within: float | None = None) -> T:
        """What `once` returns, tried until it succeeds, fails for good, or patience (at most `within`) is over.

        One attempt is always made, and the last begins when patience ends.
        """
        spell = _Spell(self, within)
        with quiet():
            for attempt in stamina.retry_context(spell.again, attempts=None, timeout=None):
                with attempt, spell.noted(attempt.next_wait):
                    return once()
        raise AssertionError("unreachable")

    async def acall(self, once: Callable[[], Awaitable[T]], within: float | None = None) -> T:
        """`call` for asyncio."""
        spell = _Spell(self, within)
        with quiet():
            async for attempt in stamina.retry_context(spell.again, attempts=None, timeout=None):
                with attempt, spell.noted(attempt.next_wait):
                    return await once()
        raise AssertionError("unreachable")

    def failed(self, error: Exception, wait: float, seconds: float) -> None:
        """Say that the server fails, aloud only when that is news; the next try is in `wait` seconds."""
        level = logging.DEBUG if self._down or isinstance(error, Unfinished) else logging.WARNING
        self._down = self._down or level == logging.WARNING
        text = "%s: %s; next try in %.1f s, for up to %g s"
        log.log(level, text, self.url, described(error), wait, round(seconds, 1))

    def answered(self) -> None:
        """Say that an outage is over, if there was one."""
        if self._down:
            self._down = False
            log.warning("%s answers again", self.url)


class _Spell:
    """The attempts at one call."""

    def __init__(self, patience: Patience, within: float | None) -> None:
        self._patience = patience
        self._seconds = patience.seconds if within is None else min(within, patience.seconds)
        self._end = time.monotonic() + self._seconds
        self._wait: float | None = None

    @contextmanager
    def noted(self, backoff: float) -> Iterator[None]:
        """One attempt; after it `again` knows what to do, by default to wait for about `backoff` seconds."""
        self._wait = None
        try:
            yield
        except Exception as error:
            self._wait = self._pause(error, backoff)
            if self._wait is not None:
                self._patience.failed(error, self._wait, self._seconds)
            raise
        self._patience.answered()

    def again(self, _error: Exception) -> bool | float:
        """Whether to try again after the attempt that was noted last; as a number: after so many seconds."""
        return False if self._wait is None else self._wait

    def _pause(self, error: Exception, backoff: float) -> float | None:
        """The seconds until the next attempt, if there is to be one: it begins before patience ends."""
        left, asked = self._end - time.monotonic(), _asked_for(error)
        wait = backoff if asked is None else asked
        if left <= 0 or not may_pass(error) or (asked is not None and asked > left):
            return None
        # Not all callers that failed together should come back at the same moment.
        return min(wait + random.uniform(0, 1), left)


def may_pass(error: Exception) -> bool:
    """Whether a call that ended in `error` may succeed later."""
    if isinstance(error, httpx2.TransportError):
        return not isinstance(error, _HOPELESS) and not _refused_tls(error)
    return isinstance(error, ServerError | Unfinished) and error.retryable


def _asked_for(error: Exception) -> float | None:
    """The seconds that the server wants to be left alone."""
    return error.retry_after if isinstance(error, ServerError) else None


def described(error: BaseException) -> str:
    """`error` in one line."""
    text = str(error) if isinstance(error, ServerError) else f"{type(error).__name__}: {error}"
    return " ".join(text.split())


def _refused_tls(error: BaseException | None) -> bool:
    """Whether `error` comes from two sides that cannot agree on TLS: a wrong scheme, an untrusted certificate."""
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return not isinstance(error, _BROKEN_TLS)
        error = error.__cause__ or error.__context__
    return False
