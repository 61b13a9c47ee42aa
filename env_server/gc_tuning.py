"""Garbage collection: it is off while a pack loads. In the process of `env-server serve`, it skips long-lived objects.

Only that process calls `begin_freezing`. In a process with many applications, for example of tests, a frozen object
would outlive its application and never be freed.
"""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_busy = 0
_was_on = True
_freezes = False


def begin_freezing() -> None:
    """Let this module exclude live objects from collection: this process runs one server, and nothing else."""
    global _freezes  # noqa: PLW0603 - the collector belongs to the process, so this state does too
    _freezes = True


@contextmanager
def uncollected() -> Iterator[None]:
    """Turn garbage collection off for the duration of the context.

    At the end, the process of a server excludes all live objects from later collections, because hardly any object that
    the context made is garbage. Several threads may be in such a context at once. The last one that leaves turns
    collection on again, if it was on before.
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
                if _freezes:
                    gc.freeze()
                if _was_on:
                    gc.enable()


def begin_collecting() -> None:
    """In the process of a server, collect garbage with high thresholds, and exclude all live objects from it.

    The objects of a server's start live as long as the server, and requests leave few reference cycles.
    """
    if _freezes:
        gc.freeze()
        gc.set_threshold(50_000, 50, 100)
        gc.enable()
