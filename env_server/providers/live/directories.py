"""Directories for the child processes of episodes, all in one directory of this process.

A process that is killed leaves its directory behind. The next process that makes one removes it: the lock in it is
free.
"""

import atexit
import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

PREFIX: Final = "env-server-episodes-"
LOCK: Final = ".lock"


def episode_directory() -> Path:
    """Return a new, empty directory. Its owner removes it.

    Raises:
        OSError: if none can be made.
    """
    return Path(tempfile.mkdtemp(prefix="episode-", dir=_own()))


def remove_left_over() -> None:
    """Remove the directories of processes that were killed."""
    for found in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # another user's, or one that another process has just removed
            if found.lstat().st_uid == os.getuid() and not found.is_symlink():
                _remove_free(found)


def _remove_free(directory: Path) -> None:
    lock = os.open(directory / LOCK, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # an error while its process lives
        shutil.rmtree(directory, ignore_errors=True)
    finally:
        os.close(lock)


@cache
def _own() -> Path:
    """Return this process's directory. It gets its name when the lock is held, so that no other process removes it."""
    remove_left_over()
    made = Path(tempfile.mkdtemp(prefix=f".{PREFIX}"))
    lock = os.open(made / LOCK, os.O_CREAT | os.O_RDONLY)  # open until the process ends
    fcntl.flock(lock, fcntl.LOCK_EX)
    own = made.rename(made.with_name(made.name[1:])).resolve()
    atexit.register(shutil.rmtree, own, ignore_errors=True)
    return own
