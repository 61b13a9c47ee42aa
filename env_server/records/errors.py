"""Errors of reads and writes of records."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import exc

_DAMAGED_STATES = frozenset({"XX001", "XX002"})
"""PostgreSQL's data_corrupted and index_corrupted."""

_DAMAGED_CODES = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})

# SQLSTATE codes deadlock_detected and serialization_failure (PostgreSQL documentation, appendix A). PostgreSQL aborted
# this transaction in favour of another one. The storage itself works.
_VICTIM_STATES = frozenset({"40P01", "40001"})


class Conflict(Exception):
    """A lost race: a key exists already, the turn or ending is committed, or a claim was lost.

    The caller drops its result, reads the store and answers from there.
    """


class StorageUnavailable(Exception):
    """An unreachable, locked or full database. The request may be retried.

    If the connection breaks during COMMIT, the outcome is unknown. If the commit succeeded, the retry raises
    `Conflict`.
    """


class StorageDamaged(StorageUnavailable):
    """A database file that the database cannot read. A retry does not help."""


class Busy(StorageUnavailable):
    """A write lock held by another process. The writer retries for a while before it raises this error."""


class Claimed(Exception):
    """A refused claim: another owner executes the turn. Its lease ends at `until` (seconds since the epoch)."""

    def __init__(self, until: float, owner: str) -> None:
        super().__init__(f"claimed by {owner} until {until}")
        self.until = until
        self.owner = owner


def translate(error: Exception) -> Exception:
    """Return the error that callers of the store see for `error`. Return other errors unchanged."""
    if isinstance(error, exc.IntegrityError):
        return Conflict(str(error.orig))
    if isinstance(error, exc.DBAPIError) and getattr(error.orig, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
        return Busy(str(error.orig))
    if isinstance(error, exc.DBAPIError) and _is_damage(error):
        return StorageDamaged(str(error.orig))
    if isinstance(error, exc.DBAPIError) and _is_outage(error):
        return StorageUnavailable(str(error.orig))
    return error


@contextmanager
def translated() -> Iterator[None]:
    """Raise the errors that callers of the store see for errors of the database in the context."""
    try:
        yield
    except exc.DBAPIError as error:
        raise translate(error) from error


def is_victim(error: Exception) -> bool:
    """Return whether the database aborted this transaction to break a deadlock. A smaller one may then succeed."""
    return isinstance(error, exc.DBAPIError) and getattr(error.orig, "sqlstate", None) in _VICTIM_STATES


def _is_damage(error: exc.DBAPIError) -> bool:
    code = getattr(error.orig, "sqlite_errorcode", None)
    damaged = code is not None and code & 0xFF in _DAMAGED_CODES  # the low byte is the kind of an extended code
    return damaged or getattr(error.orig, "sqlstate", None) in _DAMAGED_STATES


def _is_outage(error: exc.DBAPIError) -> bool:
    # sqlite3 reports some failures as a plain DatabaseError, so the exact type counts too.
    return (
        error.connection_invalidated
        or isinstance(error, exc.OperationalError | exc.InternalError)
        or type(error) is exc.DatabaseError
    )
