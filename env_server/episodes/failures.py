"""Counting what fails again and again, so that it is given up."""

from math import inf
from time import monotonic
from typing import Final, Generic, TypeVar

from env_server.episodes.recent import Recent

KEPT: Final = 10_000
"""Things whose failures are remembered."""

K = TypeVar("K")


class Failures(Generic[K]):
    """How often each thing failed, as far as this process has seen."""

    def __init__(self, most: int, lasts_s: float = inf) -> None:
        """Something is given up once it has failed `most` times; `lasts_s` seconds after a failure all is forgotten."""
        self._most = most
        self._lasts = lasts_s
        self._seen: Recent[K, tuple[int, float]] = Recent(KEPT)

    def count(self, what: K) -> None:
        """Note that `what` failed once more."""
        self._seen.put(what, (1 + self._of(what), monotonic()))

    def too_many(self, what: K) -> bool:
        """Whether `what` is to be given up."""
        return self._of(what) >= self._most

    def _of(self, what: K) -> int:
        times, last = self._seen.get(what) or (0, inf)
        return times if monotonic() - last < self._lasts else 0
