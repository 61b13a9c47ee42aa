"""Folders that a server makes for itself, and the removal of those that an earlier server left behind.

A folder counts as one of ours by a marker file inside, not by its name. The server that made it holds a lock on the
marker for as long as it lives. The marker gets its name after the lock is taken, so nobody ever sees it unlocked
before its server has ended.
"""

import contextlib
import fcntl
import os
import stat
import tempfile
from typing import Final

from mcp_servers.python.sandbox.inside import trees
from mcp_servers.python.sandbox.result import Unusable

PREFIX: Final = "mcp-servers-python-"
MARKER: Final = ".mcp-servers-python-sandbox"
_CONTENT: Final = b"A server's scratch folder. The next server removes it once this file is locked no more.\n"


class Folder:
    """A new folder of this process.

    Args:
        parent: Where it is made; None for the system's place for temporary files.

    Attributes:
        path: Where it is.

    Raises:
        OSError: It cannot be made.
    """

    def __init__(self, parent: str | None) -> None:
        self.path = tempfile.mkdtemp(prefix=PREFIX, dir=parent)
        self._lock = _marked(self.path)

    def make(self, name: str, mode: int) -> str:
        """Make a folder inside and return its path."""
        path = os.path.join(self.path, name)
        os.mkdir(path, mode)
        return path

    def remove(self) -> None:
        """Remove the folder and all that is in it."""
        with contextlib.suppress(OSError):  # a worker that still ends keeps a folder busy; the next server removes it
            _remove(self.path)
        os.close(self._lock)


def fresh(parent: str | None) -> Folder:
    """A new folder, after those of servers that ended without removing theirs are gone.

    Raises:
        Unusable: There is no place for it.
    """
    try:
        sweep(parent)
        return Folder(parent)
    except OSError as error:
        raise Unusable(f"The sandbox cannot make its scratch folders: {error}.") from error


def sweep(parent: str | None) -> None:
    """Remove the folders of servers that ended without doing so.

    Args:
        parent: Where they are; None for the system's place for temporary files.

    Raises:
        OSError: `parent` cannot be read.
    """
    with os.scandir(parent or tempfile.gettempdir()) as entries:
        paths = [entry.path for entry in entries if entry.name.startswith(PREFIX)]
    for path in paths:
        with contextlib.suppress(OSError):  # not ours, in use, or removed by somebody else at the same time
            lock = _lock_of(path)
            try:
                _remove(path)
            finally:
                os.close(lock)


def _marked(folder: str) -> int:
    """Put a locked marker into a folder; the lock holds until the descriptor is closed."""
    marker = os.path.join(folder, MARKER)
    descriptor = os.open(f"{marker}.new", os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.write(descriptor, _CONTENT)
    os.rename(f"{marker}.new", marker)
    return descriptor


def _lock_of(folder: str) -> int:
    """Take the lock of a folder that a server left.

    Raises:
        OSError: The folder has no marker, belongs to another user, or its server is alive.
    """
    inside = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        marker = os.open(MARKER, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=inside)
        try:
            _check(os.fstat(inside), os.fstat(marker))
            if os.read(marker, len(_CONTENT) + 1) != _CONTENT:
                raise FileNotFoundError(folder)
            fcntl.flock(marker, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BaseException:
            os.close(marker)
            raise
        return marker
    finally:
        os.close(inside)


def _check(folder: os.stat_result, marker: os.stat_result) -> None:
    if not stat.S_ISREG(marker.st_mode) or {folder.st_uid, marker.st_uid} != {os.geteuid()}:
        raise PermissionError


def _remove(path: str) -> None:
    """Remove a folder, the marker after all that workers wrote, so that what is left can be found again."""
    with os.scandir(path) as entries:
        inner = [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
    for each in inner:
        trees.remove(each)
    trees.remove(path)
