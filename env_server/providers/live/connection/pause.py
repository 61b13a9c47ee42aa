"""The pause before a server that failed is tried again."""

import random
import time

FIRST_S = 0.5
LONGEST_S = 60.0


class Pause:
    """A pause that doubles with each failure in a row, and ends with a success."""

    def __init__(self, first_s: float = FIRST_S, longest_s: float = LONGEST_S) -> None:
        """Begin without a pause."""
        self._first_s, self._longest_s = first_s, longest_s
        self._failures = 0
        self._until = 0.0

    @property
    def left_s(self) -> float:
        """Seconds that are left of it; 0 if there is none."""
        return max(0.0, self._until - time.monotonic())

    def failed(self) -> None:
        """Begin a pause, longer than the one before."""
        wait = min(self._longest_s, self._first_s * 2.0**self._failures)
        self._failures = min(self._failures + 1, 30)
        # A random part, so that servers that failed at the same time are not tried again at the same time.
        self._until = time.monotonic() + wait * random.uniform(0.8, 1.2)

    def over(self) -> None:
        """Forget the failures."""
        self._failures, self._until = 0, 0.0
