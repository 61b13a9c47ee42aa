"""When a call is sent again, and what is said about it: one line as an outage begins, one as it ends."""

import logging
import random
import ssl
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

    def call(self, once: Callable[[], T]) -> T:
        """What `once` returns, tried until it succeeds, fails for good, or patience is over."""
        with quiet():
            for attempt in stamina.retry_context(self.again, attempts=self._attempts, timeout=self._timeout):
                with attempt, self._noted(attempt):
                    return once()
        raise AssertionError("unreachable")

    async def acall(self, once: Callable[[], Awaitable[T]]) -> T:
        """`call` for asyncio."""
        with quiet():
            async for attempt in stamina.retry_context(self.again, attempts=self._attempts, timeout=self._timeout):
                with attempt, self._noted(attempt):
                    return await once()
        raise AssertionError("unreachable")

    def again(self, error: Exception) -> bool | float:
        """Whether to send a call again after `error`; as a number: after so many seconds."""
        if isinstance(error, httpx2.TransportError):
            return not isinstance(error, _HOPELESS) and not _refused_tls(error)
        if not isinstance(error, ServerError | Unfinished) or not error.retryable:
            return False
        if error.retry_after is None:
            return True
        # Not all callers that were told the same time should come back at the same moment.
        return min(error.retry_after, self.seconds) + random.uniform(0, 1)

    @property
    def _attempts(self) -> int | None:
        return None if self.seconds > 0 else 1

    @property
    def _timeout(self) -> float | None:
        return self.seconds or None

    @contextmanager
    def _noted(self, attempt: stamina.Attempt) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            if self.seconds > 0 and self.again(error) is not False:
                self._say(error, attempt.next_wait)
            raise
        if self._down:
            self._down = False
            log.warning("%s answers again", self.url)

    def _say(self, error: Exception, wait: float) -> None:
        """Say that the server fails, aloud only when that is news."""
        level = logging.DEBUG if self._down or isinstance(error, Unfinished) else logging.WARNING
        self._down = self._down or level == logging.WARNING
        wait = max(wait, getattr(error, "retry_after", None) or 0.0)
        text = "%s: %s; next try in %.1f s, for up to %g s"
        log.log(level, text, self.url, described(error), wait, self.seconds)


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
