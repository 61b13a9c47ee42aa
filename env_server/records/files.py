"""SQLite files as a whole: whether one can be read and written, and copies of one that is in use."""

import sqlite3
from contextlib import closing
from pathlib import Path

from env_server.records.engine import BUSY_TIMEOUT_MS
from env_server.records.errors import StorageDamaged, StorageUnavailable

REMEDY = "restore a copy of `env-server backup`, or move the file away to begin with an empty one"

READ_WHOLE = 256 * 1024**2
"""Size in bytes up to which a file is checked page by page. Of a larger one, the newest row of each table is read."""

PAGES_AT_ONCE = 1_000
"""Pages that a backup copies in one step. Between two steps other processes can write."""


def check_file(file: Path) -> None:
    """Check that a database file can be written and that it is intact.

    Raises:
        StorageUnavailable: if it cannot be written.
        StorageDamaged: if it is damaged.
    """
    try:
        with closing(_opened(file)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
            if file.stat().st_size <= READ_WHOLE:
                (state,) = connection.execute("PRAGMA quick_check(1)").fetchone()
                if state != "ok":
                    raise StorageDamaged(f"{file} is damaged: {state}; {REMEDY}")
            for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                connection.execute(f'SELECT * FROM "{table}" ORDER BY 1 DESC LIMIT 1').fetchall()
    except sqlite3.OperationalError as e:
        raise StorageUnavailable(f"{file}: {e}") from e
    except sqlite3.DatabaseError as e:
        raise StorageDamaged(f"{file}: {e}; {REMEDY}") from e


def copy_file(file: Path, to: Path) -> None:
    """Copy a database that may be in use to the new file `to`, as it is at one moment.

    Raises:
        FileExistsError: if `to` exists.
        StorageUnavailable: if the database cannot be read, or `to` cannot be written.
    """
    with to.open("xb"):
        pass
    try:
        with closing(_opened(file)) as source, closing(sqlite3.connect(to)) as target:
            source.backup(target, pages=PAGES_AT_ONCE)
            target.execute("PRAGMA journal_mode=DELETE")  # one file, which can be moved
    except sqlite3.Error as e:
        to.unlink()
        raise StorageUnavailable(f"{file} cannot be copied to {to}: {e}") from e


def _opened(file: Path) -> sqlite3.Connection:
    if not file.is_file():
        raise StorageUnavailable(f"there is no database {file}")
    return sqlite3.connect(file, isolation_level=None, timeout=BUSY_TIMEOUT_MS / 1000)
