"""A rate limit that the process applies to its own calls."""

import math
import time
from collections.abc import Callable
from weakref import WeakValueDictionary


class Bucket:
    """A token bucket of `per_minute` calls. A full bucket allows as many calls at once."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with a full bucket."""
        self._size = float(per_minute)
        self._per_s = per_minute / 60.0
        self._clock = clock
        self._left = self._size
        self._seen = clock()

    def wait_s(self) -> float:
        """Take a call out of the bucket. Return the seconds to wait before making the call."""
        now = self._clock()
        self._left = min(self._size, self._left + (now - self._seen) * self._per_s)
        self._seen = now
        self._left -= 1.0
        return max(0.0, -self._left / self._per_s)

    def give_back(self) -> None:
        """Return a call to the bucket if the call was not made."""
        self._left = min(self._size, self._left + 1.0)


_buckets: WeakValueDictionary[tuple[str, int, int], Bucket] = WeakValueDictionary()


def bucket(service: str, secret: object, per_minute: int | None) -> Bucket | None:
    """Return the bucket that all clients with the same key share in this process. Return None if there is no limit."""
    if per_minute is None or math.isinf(per_minute):
        return None
    name = (service, hash(secret), per_minute)
    found = _buckets.get(name)
    if found is None:
        found = _buckets[name] = Bucket(per_minute)
    return found
