"""Engines: one URL form for users, and the settings that make SQLite safe for several processes."""

import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.pool import NullPool

from .errors import StorageUnavailable

Synchronous = Literal["NORMAL", "FULL"]
"""SQLite's durability: NORMAL survives a killed process, FULL also a power loss."""

READ_ONLY: Final = "AUTOCOMMIT"
"""Isolation level of connections that only read: no transaction stays open between two reads."""

BUSY_TIMEOUT_MS: Final = 5_000
"""How long a statement waits for another process's write before it fails as locked."""

CACHE_KIB: Final = 32_768
"""Pages that a connection keeps in memory, so that the newest parts of the indexes are not read again."""

CHECKPOINT_PAGES: Final = 4_000
"""Pages in the write-ahead log before it is folded into the file: 16 MB, so that a checkpoint is rare."""

_DRIVERS = {"sqlite": "sqlite+pysqlite", "postgresql": "postgresql+psycopg"}


def make_engine(url: str, synchronous: Synchronous = "NORMAL") -> Engine:
    """An engine for `sqlite:///file` or `postgresql://...`; it keeps no pool of connections.

    Raises ValueError for another scheme and for SQLite without a file, which no second connection could see.
    """
    target = _with_driver(make_url(url))
    # Positional parameters on both databases: rows are tuples and go to the driver unchanged.
    if target.get_backend_name() == "postgresql":
        return create_engine(target, poolclass=NullPool, paramstyle="format")
    Path(str(target.database)).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(target, poolclass=NullPool)
    event.listen(engine, "connect", _sqlite_connect(synchronous))
    event.listen(engine, "begin", _begin_immediate)
    return engine


class SameFile:
    """Notices that the database's file was removed or replaced: what is then written would be lost."""

    def __init__(self, engine: Engine) -> None:
        """Remember the file of a SQLite `engine`; of another one, nothing."""
        self._path = engine.url.database if engine.dialect.name == "sqlite" else None
        self._known = self._identity()

    def check(self) -> None:
        """Make sure that the path still leads to the file that was opened.

        Raises:
            StorageUnavailable: if it does not.
        """
        if self._path is not None and self._identity() != self._known:
            raise StorageUnavailable(f"the database file {self._path} was removed or replaced; restart the server")

    def _identity(self) -> tuple[int, int] | None:
        if self._path is None:
            return None
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return found.st_dev, found.st_ino


def commits_are_slow(engine: Engine, synchronous: Synchronous) -> bool:
    """True where a commit waits for a disk or a network, so that it must not run on the event loop."""
    return engine.dialect.name != "sqlite" or synchronous == "FULL"


def _with_driver(url: URL) -> URL:
    if url.drivername not in _DRIVERS:
        raise ValueError(f"unsupported database {url.drivername!r}: use sqlite:///file or postgresql://")
    if url.drivername == "sqlite" and url.database in (None, "", ":memory:"):
        raise ValueError("an in-memory database would lose every episode: use sqlite:///file")
    return url.set(drivername=_DRIVERS[url.drivername])


def _sqlite_connect(synchronous: Synchronous) -> Callable[[sqlite3.Connection, object], None]:
    def configure(connection: sqlite3.Connection, _record: object) -> None:
        # The driver's own implicit BEGIN is deferred and could fail half-way; ours is explicit.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        _enable_wal(connection)
        connection.execute(f"PRAGMA synchronous={synchronous}")
        connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
        connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")

    return configure


def _enable_wal(connection: sqlite3.Connection) -> None:
    """Switches to write-ahead logging. Two first openers may collide where SQLite does not wait."""
    deadline = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _begin_immediate(connection: Connection) -> None:
    """Takes the write lock first: a deferred transaction that writes late can fail without waiting."""
    if connection.get_execution_options().get("isolation_level") != READ_ONLY:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
