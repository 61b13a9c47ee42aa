"""A circuit breaker: after several consecutive failures, no requests go to an endpoint for a while."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from env_server.models.errors import ModelUnavailable


class Breaker:
    """A circuit breaker that opens after `failures` consecutive failures.

    After `pause_s` seconds one call may try the endpoint. Its outcome closes the breaker or opens it again.
    """

    def __init__(self, failures: int, pause_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Start closed."""
        self._most, self._pause, self._clock = failures, pause_s, clock
        self._in_a_row = 0
        self._open_until: float | None = None
        self._probing = False

    @contextmanager
    def guard(self, is_failure: Callable[[Exception], bool]) -> Iterator[None]:
        """Let one call through and record its outcome. An exception is a failure if `is_failure` returns true, else a
        success.

        Raises:
            ModelUnavailable: if the breaker is open.
        """
        probe = self._admit()
        try:
            yield
        except Exception as e:
            self._settle(failed=is_failure(e))
            raise
        except BaseException:  # a cancelled call is neither a success nor a failure
            raise
        else:
            self._settle(failed=False)
        finally:
            if probe:
                self._probing = False

    def _admit(self) -> bool:
        """Return whether the next call is the probe of an open breaker."""
        if self._open_until is None:
            return False
        left = self._open_until - self._clock()
        if left > 0 or self._probing:
            detail = "the model's endpoint has failed repeatedly and is left alone for a while"
            raise ModelUnavailable(detail, max(left, 1.0), asked=False)
        self._probing = True
        return True

    def _settle(self, *, failed: bool) -> None:
        if not failed:
            self._in_a_row, self._open_until = 0, None
            return
        self._in_a_row += 1
        if self._in_a_row >= self._most:
            self._open_until = self._clock() + self._pause
