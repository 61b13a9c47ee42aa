"""Garbage collection: it is off while a pack loads, and it skips objects that live as long as the process."""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_busy = 0
_was_on = True


@contextmanager
def uncollected() -> Iterator[None]:
    """Turn garbage collection off for the duration of the context.

    At the end, exclude all live objects from later collections, because hardly any object that the context made is
    garbage. Several threads may be in such a context at once. The last one that leaves turns collection on again, if it
    was on before.
    """
    global _busy, _was_on  # noqa: PLW0603 - the collector belongs to the process, so this state does too
    with _lock:
        if not _busy:
            _was_on = gc.isenabled()
            gc.disable()
        _busy += 1
    try:
        yield
    finally:
        with _lock:
            _busy -= 1
            if not _busy:
                gc.freeze()
                if _was_on:
                    gc.enable()


def begin_collecting() -> None:
    """Turn on garbage collection with high thresholds. Exclude all live objects from it.

    The objects of a server's start live as long as the server, and requests leave few reference cycles.
    """
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)
    gc.enable()
