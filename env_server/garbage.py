"""When garbage is collected: not while a pack is loaded, and never among what lives as long as the process."""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_busy = 0
_was_on = True


@contextmanager
def uncollected() -> Iterator[None]:
    """Collect nothing meanwhile, and look no more at what was made meanwhile: hardly anything of it is garbage.

    Several threads may be within at once; the last one out switches collection on again, if it was on.
    """
    global _busy, _was_on  # noqa: PLW0603 - the collector is the process's, and so is this
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
    """Collect from now on, seldom: what a server has at its start stays, and requests leave few cycles behind."""
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)
    gc.enable()
