"""Who holds claims: this process, named so that another one on the same machine can see whether it still lives."""

import hashlib
import os
import platform
import secrets
from contextlib import suppress
from functools import cache
from pathlib import Path


def _place() -> str:
    """Names the set of processes whose numbers mean the same: one start of one machine, or one container of it."""
    parts = [platform.node()]
    with suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"))
    with suppress(OSError):
        parts.append(str(os.stat("/proc/self/ns/pid").st_ino))
    return hashlib.sha256("/".join(parts).encode()).hexdigest()[:12]


_PLACE = _place()


def owner() -> str:
    """This process, among all that share a database; a forked process has another name than the one it comes from."""
    return _name(os.getpid())


@cache
def _name(pid: int) -> str:
    return f"{_PLACE}-{pid}-{secrets.token_hex(6)}"


def is_gone(holder: str) -> bool:
    """Whether `holder` is known to have ended; False where that cannot be known from here."""
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
