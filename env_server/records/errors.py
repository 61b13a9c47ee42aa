"""What can go wrong when records are written or read."""

import sqlite3

from sqlalchemy import exc

# PostgreSQL's deadlock_detected and serialization_failure (documentation, appendix A): the transaction was
# a victim, the storage itself is well.
_VICTIM_STATES = frozenset({"40P01", "40001"})


class Conflict(Exception):
    """Another commit won: a key exists already, the turn or ending is committed, or a claim was lost.

    The caller drops what it computed, reads the store and answers from there.
    """


class StorageUnavailable(Exception):
    """The database could not be reached, was locked too long, or is full. Retryable.

    When the connection broke during COMMIT the outcome is unknown; the retry then meets `Conflict`.
    """


class Busy(StorageUnavailable):
    """Another process holds the database's write lock; the writer tries again for a while before it says so."""


class Claimed(Exception):
    """Another owner is executing the turn; its lease ends at `until` (seconds since the epoch)."""

    def __init__(self, until: float, owner: str) -> None:
        super().__init__(f"claimed by {owner} until {until}")
        self.until = until
        self.owner = owner


def translate(error: Exception) -> Exception:
    """The error a caller of the store sees for `error`; what is neither conflict nor outage stays itself."""
    if isinstance(error, exc.IntegrityError):
        return Conflict(str(error.orig))
    if isinstance(error, exc.DBAPIError) and getattr(error.orig, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
        return Busy(str(error.orig))
    if isinstance(error, exc.DBAPIError) and _is_outage(error):
        return StorageUnavailable(str(error.orig))
    return error


def is_victim(error: Exception) -> bool:
    """True when the database chose this transaction to break a deadlock, so that a smaller one may pass."""
    return isinstance(error, exc.DBAPIError) and getattr(error.orig, "sqlstate", None) in _VICTIM_STATES


def _is_outage(error: exc.DBAPIError) -> bool:
    # sqlite3 reports a corrupt or foreign file as a bare DatabaseError, so its exact type counts too.
    return (
        error.connection_invalidated
        or isinstance(error, exc.OperationalError | exc.InternalError)
        or type(error) is exc.DatabaseError
    )
