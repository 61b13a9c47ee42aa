"""SQLite files whose disk is slow, full or locked at times, and whose processes die before or after a commit.

Connections, transactions and errors are SQLite's own. What is simulated is when they happen.
"""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine, event

from tests.faults.simulation.loop import OWNER, Killed, Owner

ALL_PAGES = 1_000_000
_NO_WAIT = "PRAGMA busy_timeout="
"""In one thread, waiting for another connection's lock could not succeed. The writer itself tries again."""

_SYNC = "PRAGMA synchronous="
"""It matters when the machine loses power, which is not simulated."""


@dataclass
class Disk:
    """The disk under a database, and what is wrong with it."""

    path: str
    full: bool = False
    at_commit: Callable[[Owner, str], None] = lambda _owner, _when: None
    """Called before and after each COMMIT, with `before` or `after`. It may raise `Killed`."""

    _open: list["Connection"] = field(default_factory=list)
    _locker: sqlite3.Connection | None = None

    def watch(self, engine: Engine) -> Engine:
        """Make an engine's connections use this disk."""

        def connect(_dialect: Any, _record: Any, _args: Any, options: dict[str, Any]) -> None:
            if OWNER.get().dead:
                raise Killed
            options["factory"] = self._connection

        event.listen(engine, "do_connect", connect)
        return engine

    def _connection(self, *args: Any, **options: Any) -> "Connection":
        made = Connection(*args, **options)
        made.disk, made.owner = self, OWNER.get()
        self._open.append(made)
        if self.full:
            made.limit(1)
        return made

    def fill(self, *, full: bool) -> None:
        """Let the disk be full from now on, or have room again."""
        self.full = full
        for connection in self._open:
            connection.limit(1 if full else ALL_PAGES)

    def lock(self) -> None:
        """Take the write lock, as a backup or another program may."""
        if self._locker is None:
            locker = sqlite3.connect(self.path, isolation_level=None, timeout=0)
            try:
                locker.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                locker.close()
                return
            self._locker = locker

    def unlock(self) -> None:
        """Release the write lock."""
        if self._locker is not None:
            self._locker.close()
            self._locker = None

    def drop(self, owner: Owner) -> None:
        """Close the connections of a dead process, as the system does: transactions that are open are undone."""
        for connection in [c for c in self._open if c.owner is owner]:
            self._open.remove(connection)
            sqlite3.Connection.close(connection)

    def forget(self, connection: "Connection") -> None:
        """Forget a connection that was closed."""
        if connection in self._open:
            self._open.remove(connection)

    @property
    def connections(self) -> int:
        """How many connections are open."""
        return len(self._open)


class Connection(sqlite3.Connection):
    """A connection of a process."""

    disk: Disk
    owner: Owner

    def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
        """Execute a statement of the connection's set-up."""
        if sql.startswith(_NO_WAIT):
            sql = f"{_NO_WAIT}0"
        elif sql.startswith(_SYNC):
            sql = f"{_SYNC}OFF"
        return super().execute(sql, *args)

    def cursor(self, *args: Any, **options: Any) -> Any:
        """Return a cursor, if the process lives."""
        if self.owner.dead:
            raise Killed
        return super().cursor(*args, **options)

    def commit(self) -> None:
        """Commit. The process may die right before or after."""
        self.disk.at_commit(self.owner, "before")
        super().commit()
        self.disk.at_commit(self.owner, "after")

    def rollback(self) -> None:
        """Undo, if the process lives. The system has undone everything else."""
        if not self.owner.dead:
            super().rollback()

    def close(self) -> None:
        """Close, if the process lives."""
        if not self.owner.dead:
            self.disk.forget(self)
            super().close()

    def limit(self, pages: int) -> None:
        """Let the file have this many pages, or as many as it has."""
        super().execute(f"PRAGMA max_page_count={pages}").fetchall()
