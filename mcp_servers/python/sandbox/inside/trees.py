"""Measures and removes folders with untrusted content.

Names may be long, folders may be nested thousands deep, and entries may have no access rights. The functions therefore
do not recurse, do not join more than one untrusted name into a path, and do not follow links.
"""

import itertools
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class TooMuch(Exception):
    """A folder has more entries or deeper nesting than the caller allows."""


class Entry(NamedTuple):
    """The attributes of a file at the time of the scan."""

    size: int  # Length in bytes.
    blocks: int  # Space on disk in bytes.
    changed: int  # Time of the last change in nanoseconds.


@contextmanager
def _opened(name: str, parent: int | None = None) -> Iterator[int]:
    try:
        descriptor = os.open(name, _FOLDER, dir_fd=parent)
    except PermissionError:  # The folder was made without rights for its owner.
        os.chmod(name, 0o700, dir_fd=parent)
        descriptor = os.open(name, _FOLDER, dir_fd=parent)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def listing(folder: str, entries: int) -> dict[str, Entry]:
    """Return the regular files below `folder`, by their relative path.

    Args:
        folder: The folder.
        entries: Maximum number of entries to scan, folders included.

    Raises:
        TooMuch: There are more entries, or a path is longer than the system accepts.
    """
    found: dict[str, Entry] = {}
    pending, left = [""], entries
    while pending:
        prefix = pending.pop()
        try:
            with _opened(f"{folder}/{prefix}") as descriptor, os.scandir(descriptor) as children:
                for child in children:
                    left -= 1
                    if left < 0:
                        raise TooMuch(f"more than {entries} files and folders")
                    if child.is_dir(follow_symlinks=False):
                        pending.append(f"{prefix}{child.name}/")
                    else:
                        seen = child.stat(follow_symlinks=False)
                        found[prefix + child.name] = Entry(seen.st_size, seen.st_blocks * 512, seen.st_mtime_ns)
        except FileNotFoundError:  # The entry was removed during the scan. Code may still be running.
            continue
        except OSError as error:
            raise TooMuch("folders nested too deep") from error
    return found


def _empty(folder: int, top: int, names: Iterator[str]) -> None:
    """Remove the files in `folder`. Move its subfolders up into `top` under new names."""
    with os.scandir(folder) as children:
        entries = [(child.name, child.is_dir(follow_symlinks=False)) for child in children]
    for name, is_folder in entries:
        if is_folder:
            os.chmod(name, 0o700, dir_fd=folder)
            os.rename(name, next(names), src_dir_fd=folder, dst_dir_fd=top)
        else:
            os.unlink(name, dir_fd=folder)


def empty(path: str) -> None:
    """Remove the content of a folder. No process may be writing to it.

    The function moves nested folders to the top before it empties them. Depth therefore does not matter.

    Raises:
        OSError: The system refused the removal.
    """
    with _opened(path) as top:
        prefix = f"{os.urandom(8).hex()}-"
        names = (f"{prefix}{number}" for number in itertools.count())
        _empty(top, top, names)
        while pending := os.listdir(top):
            for name in pending:
                with _opened(name, top) as folder:
                    _empty(folder, top, names)
                os.rmdir(name, dir_fd=top)


def remove(path: str) -> None:
    """Remove a folder and its content. Do nothing if it does not exist. No process may be writing to it.

    Raises:
        OSError: The system refused the removal.
    """
    try:
        empty(path)
        os.rmdir(path)
    except FileNotFoundError:
        return


def read(folder: str, name: str, limit: int) -> bytes:
    """Return up to `limit` bytes of a file below `folder`.

    Raises:
        OSError: The file does not exist, or is not a regular file inside the folder.
    """
    parts = name.split("/")
    if not name or any(part in ("", ".", "..") for part in parts):
        raise FileNotFoundError(name)
    descriptor = os.open(folder, _FOLDER)
    try:
        for part in parts[:-1]:
            inner = os.open(part, _FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        file = os.open(parts[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=descriptor)
        with os.fdopen(file, "rb") as opened:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise FileNotFoundError(name)
            return opened.read(limit)
    finally:
        os.close(descriptor)
