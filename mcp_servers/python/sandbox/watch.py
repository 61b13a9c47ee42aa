"""Watches a worker from outside: what no resource limit of the kernel covers."""

import contextlib
import os
import stat

from .channel import Broken
from .inside import trees
from .limits import Limits


class Watch:
    """Looks at one process and its scratch folder.

    Args:
        pid: The process.
        folder: Its scratch folder.
        limits: What it may use.
    """

    def __init__(self, pid: int, folder: str, limits: Limits) -> None:
        self.pid = pid
        self.folder = folder
        self.limits = limits
        self.seen: dict[str, trees.Entry] = {}

    def threads(self) -> int:
        """Count the threads; 0 where the process is gone."""
        try:
            return os.stat(f"/proc/{self.pid}/task").st_nlink - 2
        except OSError:
            return 0

    def check(self) -> None:
        """Look at threads and files.

        Raises:
            Broken: There are too many.
        """
        if self.threads() > self.limits.threads:
            raise Broken(f"it started more than {self.limits.threads - 1} threads")
        self._listing()

    def files(self) -> tuple[str, ...]:
        """Return the files that were written since the last call of this method.

        Raises:
            Broken: They take too much, or there are too many.
        """
        before, self.seen = self.seen, self._listing()
        return tuple(sorted(name for name, entry in self.seen.items() if before.get(name) != entry))

    def _listing(self) -> dict[str, trees.Entry]:
        try:
            now = trees.listing(self.folder, self.limits.files)
        except trees.TooMuch as error:
            raise Broken(f"its scratch folder holds {error}") from error
        used = sum(max(entry.size, entry.blocks) for entry in now.values()) + self._unnamed()
        if used > self.limits.disk:
            raise Broken(f"it wrote more than {self.limits.disk >> 20} MB to its scratch folder")
        return now

    def _unnamed(self) -> int:
        """Return the bytes of files that the worker removed and still holds open, as far as we may look."""
        total = 0
        with contextlib.suppress(OSError):
            for name in os.listdir(f"/proc/{self.pid}/fd"):
                total += _size_of_removed(f"/proc/{self.pid}/fd/{name}")
        return total


def _size_of_removed(path: str) -> int:
    try:
        seen = os.stat(path)
    except OSError:
        return 0
    return seen.st_blocks * 512 if stat.S_ISREG(seen.st_mode) and seen.st_nlink == 0 else 0
