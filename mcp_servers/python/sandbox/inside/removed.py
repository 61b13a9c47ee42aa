"""Removed files that a process still holds open. They use disk space but are not in any folder."""

import os
import stat
from typing import Final

OWN: Final = 4  # Descriptors of the worker itself: standard input, output, error and its socket.


def may_hold(pid: int) -> bool:
    """Return whether a process has more open descriptors than a worker needs.

    Newer kernels report the count without listing the descriptors.
    """
    return os.stat(f"/proc/{pid}/fd").st_size != OWN


def held(pid: int) -> int:
    """Return the disk space in bytes of removed files that a process still holds open.

    Raises:
        PermissionError: The caller may not inspect the process.
        FileNotFoundError: The process is gone.
    """
    folder = f"/proc/{pid}/fd"
    return sum(_size(f"{folder}/{name}") for name in os.listdir(folder))


def _size(path: str) -> int:
    try:
        seen = os.stat(path)
    except FileNotFoundError:
        return 0
    return seen.st_blocks * 512 if stat.S_ISREG(seen.st_mode) and seen.st_nlink == 0 else 0
