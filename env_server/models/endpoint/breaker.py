"""A circuit breaker: an endpoint that failed many times in a row is left alone for a while."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from env_server.models.errors import ModelUnavailable


class Breaker:
    """Opens after `failures` in a row; after `pause_s` one call may try, and decides for the others."""

    def __init__(self, failures: int, pause_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin closed."""
        self._most, self._pause, self._clock = failures, pause_s, clock
        self._in_a_row = 0
        self._open_until: float | None = None
        self._probing = False

    @contextmanager
    def guard(self, is_failure: Callable[[Exception], bool]) -> Iterator[None]:
        """Let one call through and learn from it: an exception counts if `is_failure` says so, else as success.

        Raises:
            ModelUnavailable: if the breaker is open.
        """
        probe = self._admit()
        try:
            yield
        except Exception as e:
            self._settle(failed=is_failure(e))
            raise
        except BaseException:  # cancelled: nothing was learnt
            raise
        else:
            self._settle(failed=False)
        finally:
            if probe:
                self._probing = False

    def _admit(self) -> bool:
        """Whether the call about to be made is the one that tries an open endpoint."""
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
