"""Checks a worker from outside, for limits that the kernel does not enforce."""

import os
from collections.abc import Awaitable, Callable

from mcp_servers.python.sandbox.channel import Broken
from mcp_servers.python.sandbox.inside import removed, trees
from mcp_servers.python.sandbox.limits import Limits


class Watch:
    """A check of one process and its scratch folder.

    Args:
        pid: The process id of the worker.
        folder: The scratch folder of the worker.
        limits: The resource limits of the worker.
        held: Returns the bytes of removed files that the process holds open. The template answers, because it has the
            right to look.
    """

    def __init__(self, pid: int, folder: str, limits: Limits, held: Callable[[int], Awaitable[int]]) -> None:
        self.pid = pid
        self.folder = folder
        self.limits = limits
        self.seen: dict[str, trees.Entry] = {}
        self._held = held

    def threads(self) -> int:
        """Return the number of threads, or 0 if the process is gone."""
        try:
            return os.stat(f"/proc/{self.pid}/task").st_nlink - 2
        except OSError:
            return 0

    async def check(self) -> None:
        """Check the threads and files.

        Raises:
            Broken: There are too many threads or files, or the files are too large.
        """
        if self.threads() > self.limits.threads:
            raise Broken(f"it started more than {self.limits.threads - 1} threads")
        await self._listing()

    async def files(self) -> tuple[str, ...]:
        """Return the files that were written since the last call of this method.

        Raises:
            Broken: The files are too large, or there are too many.
        """
        before, self.seen = self.seen, await self._listing()
        return tuple(sorted(name for name, entry in self.seen.items() if before.get(name) != entry))

    async def _listing(self) -> dict[str, trees.Entry]:
        try:
            now = trees.listing(self.folder, self.limits.files)
        except trees.TooMuch as error:
            raise Broken(f"its scratch folder holds {error}") from error
        used = sum(max(entry.size, entry.blocks) for entry in now.values()) + await self._removed()
        if used > self.limits.disk:
            raise Broken(f"it wrote more than {self.limits.disk >> 20} MB to its scratch folder")
        return now

    async def _removed(self) -> int:
        try:
            return removed.held(self.pid) if removed.may_hold(self.pid) else 0
        except PermissionError:
            return await self._held(self.pid)
        except OSError:  # The worker has ended. The call that waits for its reply is about to notice.
            return 0
