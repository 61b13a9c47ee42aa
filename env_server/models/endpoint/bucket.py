"""A token bucket: the rate limit for calls of an endpoint."""

import asyncio
import time
from collections.abc import Callable

from env_server.models.errors import ModelUnavailable

LONGEST_WAIT_S = 20.0
"""The maximum wait in seconds. A caller that would wait longer gets an error with the time of the next try."""


class Bucket:
    """A rate limiter. It lets `rate` calls per second pass, in order of arrival, and at most one second's worth at
    once.

    Without a rate it lets all calls pass.
    """

    def __init__(self, rate: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with a full bucket."""
        self._rate, self._clock = rate, clock
        self._size = max(1.0, rate or 1.0)
        self._level, self._at = self._size, clock()

    async def take(self) -> None:
        """Wait until this call may pass.

        Raises:
            ModelUnavailable: if the queue is too long.
        """
        if self._rate is None:
            return
        now = self._clock()
        self._level = min(self._size, self._level + (now - self._at) * self._rate)
        self._at = now
        wait = max(0.0, (1.0 - self._level) / self._rate)
        if wait > LONGEST_WAIT_S:
            raise ModelUnavailable("too many calls are waiting for the model's endpoint", wait, asked=False)
        self._level -= 1.0
        if wait:
            await asyncio.sleep(wait)
