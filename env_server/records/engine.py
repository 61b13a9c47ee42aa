"""SQLAlchemy engines: the URL forms that users may give, and the SQLite settings for several processes."""

import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.pool import NullPool

from env_server.records.driver import execute
from env_server.records.errors import StorageUnavailable

Synchronous = Literal["NORMAL", "FULL"]
"""SQLite's durability: with NORMAL, commits survive a killed process; with FULL, they also survive a power loss."""

READ_ONLY: Final = "AUTOCOMMIT"
"""Isolation level of connections that only read. No transaction stays open between two reads."""

BUSY_TIMEOUT_MS: Final = 5_000
"""Milliseconds that a statement waits for another process's write lock before it fails as locked."""

CACHE_KIB: Final = 32_768
"""Page cache of one connection, in KiB. It is large enough to keep the newest parts of the indexes in memory."""

CHECKPOINT_PAGES: Final = 4_000
"""Pages in the write-ahead log before a checkpoint: 16 MB, so that checkpoints are rare."""

_DRIVERS = {"sqlite": "sqlite+pysqlite", "postgresql": "postgresql+psycopg"}


def make_engine(url: str, synchronous: Synchronous = "NORMAL", statement_timeout_s: float | None = None) -> Engine:
    """Return an engine for `sqlite:///file` or `postgresql://...`. It keeps no connection pool.

    With `statement_timeout_s`, PostgreSQL ends a statement that takes longer. A connection that receives nothing for
    this time counts as broken.

    Raise ValueError for another scheme, and for SQLite without a file, because a second connection could not see the
    data.
    """
    target = _with_driver(make_url(url))
    # Both databases use positional parameters, so that row tuples go to the driver unchanged.
    if target.get_backend_name() == "postgresql":
        limits = {} if statement_timeout_s is None else _postgresql_limits(target, statement_timeout_s)
        return create_engine(target, poolclass=NullPool, paramstyle="format", connect_args=limits)
    Path(str(target.database)).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(target, poolclass=NullPool)
    event.listen(engine, "connect", _sqlite_connect(synchronous))
    event.listen(engine, "begin", _begin_immediate)
    return engine


def make_read_only_engine(url: str) -> Engine:
    """Return an engine for the same URLs that changes nothing: the database refuses every write.

    Raise ValueError as `make_engine` does.
    """
    target = _with_driver(make_url(url))
    if target.get_backend_name() == "postgresql":
        options = {"options": "-c default_transaction_read_only=on"}
        return create_engine(target, poolclass=NullPool, paramstyle="format", connect_args=options)
    path = Path(str(target.database)).resolve()
    # A file in write-ahead mode needs a second file in the same folder. If the folder cannot be written and has no
    # second file, nothing can change the database.
    fixed = not os.access(path.parent, os.W_OK) and not path.with_name(f"{path.name}-wal").exists()
    opened = f"{path.as_uri()}?mode=ro" + ("&immutable=1" if fixed else "")
    return create_engine(
        target, poolclass=NullPool, creator=lambda: sqlite3.connect(opened, uri=True, isolation_level=None)
    )


class SameFile:
    """A check that the database file is still the one that was opened.

    Writes to a file that was removed or replaced would be lost.
    """

    def __init__(self, engine: Engine) -> None:
        """Record the identity of a SQLite engine's file. For other engines, record nothing."""
        self._path = engine.url.database if engine.dialect.name == "sqlite" else None
        self._known = self._identity()

    def check(self) -> None:
        """Check that the path still leads to the file that was opened.

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
    """Return whether a commit waits for a disk or a network. Such a commit must not run on the event loop."""
    return engine.dialect.name != "sqlite" or synchronous == "FULL"


def _with_driver(url: URL) -> URL:
    if url.drivername not in _DRIVERS:
        raise ValueError(f"unsupported database {url.drivername!r}: use sqlite:///file or postgresql://")
    if url.drivername == "sqlite" and url.database in (None, "", ":memory:"):
        raise ValueError("an in-memory database would lose every episode: use sqlite:///file")
    return url.set(drivername=_DRIVERS[url.drivername])


def _postgresql_limits(url: URL, seconds: float) -> dict[str, object]:
    """Return the driver's options for a connection that waits for the server for at most `seconds`."""
    milliseconds = max(1, round(seconds * 1000))
    given = str(url.query.get("options", ""))
    return {
        "connect_timeout": max(2, round(seconds)),
        "tcp_user_timeout": milliseconds,
        "keepalives_idle": max(1, round(seconds / 3)),
        "keepalives_interval": max(1, round(seconds / 6)),
        "keepalives_count": 3,
        "options": f"{given} -c statement_timeout={milliseconds}".strip(),
    }


def _sqlite_connect(synchronous: Synchronous) -> Callable[[sqlite3.Connection, object], None]:
    def configure(connection: sqlite3.Connection, _record: object) -> None:
        # The driver's implicit BEGIN is deferred and can fail in the middle of a transaction. `_begin_immediate` sends
        # an explicit one.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        _enable_wal(connection)
        connection.execute(f"PRAGMA synchronous={synchronous}")
        connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
        connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")

    return configure


def _enable_wal(connection: sqlite3.Connection) -> None:
    """Switch to write-ahead logging.

    SQLite does not apply its busy timeout here, so two processes that open the file first may collide. This function
    retries.
    """
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
    """Take the write lock at BEGIN. A deferred transaction that writes later can fail without waiting."""
    if connection.get_execution_options().get("isolation_level") != READ_ONLY:
        execute(connection, "BEGIN IMMEDIATE")
