"""A token bucket: how many calls an endpoint gets in a second."""

import asyncio
import time
from collections.abc import Callable

from env_server.models.errors import ModelUnavailable

LONGEST_WAIT_S = 20.0
"""Whoever would have to wait longer is told to come back instead."""


class Bucket:
    """Lets `rate` calls a second pass, in order, and at most one second's worth at once; without a rate, all."""

    def __init__(self, rate: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin full."""
        self._rate, self._clock = rate, clock
        self._size = max(1.0, rate or 1.0)
        self._level, self._at = self._size, clock()

    async def take(self) -> None:
        """Wait for one's place.

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
