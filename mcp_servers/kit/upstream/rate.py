"""A rate limit that a process keeps to by itself."""

import math
import time
from collections.abc import Callable
from weakref import WeakValueDictionary


class Bucket:
    """Lets `per_minute` calls through each minute, at first as many at once."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Start full."""
        self._size = float(per_minute)
        self._per_s = per_minute / 60.0
        self._clock = clock
        self._left = self._size
        self._seen = clock()

    def wait_s(self) -> float:
        """Take a call out of the bucket, and say how many seconds it has to wait before it is made."""
        now = self._clock()
        self._left = min(self._size, self._left + (now - self._seen) * self._per_s)
        self._seen = now
        self._left -= 1.0
        return max(0.0, -self._left / self._per_s)

    def give_back(self) -> None:
        """Put back a call that was not made after all."""
        self._left = min(self._size, self._left + 1.0)


_buckets: WeakValueDictionary[tuple[str, int, int], Bucket] = WeakValueDictionary()


def bucket(service: str, secret: object, per_minute: int | None) -> Bucket | None:
    """The bucket that all clients with the same key share in this process; None where there is no limit."""
    if per_minute is None or math.isinf(per_minute):
        return None
    name = (service, hash(secret), per_minute)
    found = _buckets.get(name)
    if found is None:
        found = _buckets[name] = Bucket(per_minute)
    return found
