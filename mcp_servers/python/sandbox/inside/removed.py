"""Files without a name: what a process removed and still holds open takes disk and is in no folder."""

import os
import stat
from typing import Final

OWN: Final = 4  # descriptors of a worker itself: input, output, error and its socket


def may_hold(pid: int) -> bool:
    """Say whether a process has more open than a worker needs; newer kernels count descriptors without looking."""
    return os.stat(f"/proc/{pid}/fd").st_size != OWN


def held(pid: int) -> int:
    """Return the bytes on disk of files that a process removed and still holds open.

    Raises:
        PermissionError: We may not look.
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
