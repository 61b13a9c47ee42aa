"""Creates the folders of a server, and removes folders that an earlier server left.

A marker file inside identifies a folder of this package. The name of the folder does not. The server that made the
folder holds a lock on the marker until the server ends. The marker gets its name after the lock is taken. An unlocked
marker therefore means that its server has ended.
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
        parent: The folder to make it in. None uses the system's folder for temporary files.

    Attributes:
        path: The path of the folder.

    Raises:
        OSError: The folder cannot be made.
    """

    def __init__(self, parent: str | None) -> None:
        self.path = tempfile.mkdtemp(prefix=PREFIX, dir=parent)
        self._lock = _marked(self.path)

    def make(self, name: str, mode: int) -> str:
        """Make a subfolder and return its path."""
        path = os.path.join(self.path, name)
        os.mkdir(path, mode)
        return path

    def remove(self) -> None:
        """Remove the folder with its content."""
        # A worker that is still ending keeps the folder busy. The next server removes it.
        with contextlib.suppress(OSError):
            _remove(self.path)
        os.close(self._lock)


def fresh(parent: str | None) -> Folder:
    """Return a new folder. First remove the folders of servers that ended without doing so.

    Raises:
        Unusable: There is no place for the folder.
    """
    try:
        sweep(parent)
        return Folder(parent)
    except OSError as error:
        raise Unusable(f"The sandbox cannot make its scratch folders: {error}.") from error


def sweep(parent: str | None) -> None:
    """Remove the folders of servers that ended without removing them.

    Args:
        parent: The folder that holds them. None uses the system's folder for temporary files.

    Raises:
        OSError: `parent` cannot be read.
    """
    with os.scandir(parent or tempfile.gettempdir()) as entries:
        paths = [entry.path for entry in entries if entry.name.startswith(PREFIX)]
    for path in paths:
        # The folder has no marker, is in use, or another process removed it at the same time.
        with contextlib.suppress(OSError):
            lock = _lock_of(path)
            try:
                _remove(path)
            finally:
                os.close(lock)


def _marked(folder: str) -> int:
    """Put a locked marker into a folder. The lock holds until the descriptor is closed."""
    marker = os.path.join(folder, MARKER)
    descriptor = os.open(f"{marker}.new", os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.write(descriptor, _CONTENT)
    os.rename(f"{marker}.new", marker)
    return descriptor


def _lock_of(folder: str) -> int:
    """Take the lock of a folder that an earlier server left.

    Raises:
        OSError: The folder has no marker, belongs to another user, or its server is running.
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
    """Remove a folder. Remove the marker last, so that a later sweep finds what is left after a failure."""
    with os.scandir(path) as entries:
        inner = [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
    for each in inner:
        trees.remove(each)
    trees.remove(path)
