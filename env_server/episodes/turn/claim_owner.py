"""The owner name of this process's claims.

A process on the same machine can tell from it whether the owner still runs.
"""

import hashlib
import os
import platform
import secrets
from contextlib import suppress
from functools import cache
from pathlib import Path


def _place() -> str:
    """Return a name for the set of processes that share process ids: one boot of a machine, or one container of it."""
    parts = [platform.node()]
    with suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"))
    with suppress(OSError):
        parts.append(str(os.stat("/proc/self/ns/pid").st_ino))
    return hashlib.sha256("/".join(parts).encode()).hexdigest()[:12]


_PLACE = _place()


def owner() -> str:
    """Return this process's name, unique among all that share a database. A forked process has its own name."""
    return _name(os.getpid())


@cache
def _name(pid: int) -> str:
    return f"{_PLACE}-{pid}-{secrets.token_hex(6)}"


def is_gone(holder: str) -> bool:
    """Return whether `holder` is known to have ended; False if this process cannot know that."""
    place, _, rest = holder.partition("-")
    pid = rest.partition("-")[0]
    if place != _PLACE or not pid.isdigit() or os.name != "posix":
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return int(pid) == os.getpid() and holder != owner()
