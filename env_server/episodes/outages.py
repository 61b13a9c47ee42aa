"""Conversion of a database outage into an error response."""

from collections.abc import Iterator
from contextlib import contextmanager

from agent_env_schemas import ErrorCode
from env_server.errors import ProblemError
from env_server.records import StorageDamaged, StorageUnavailable


def outage(error: StorageUnavailable, episode_id: str | None = None) -> ProblemError:
    """Return the problem that callers see for `error`. Damaged storage cannot be retried, any other outage can."""
    damaged = isinstance(error, StorageDamaged)
    return ProblemError(ErrorCode.STORAGE_DAMAGED if damaged else ErrorCode.STORAGE_UNAVAILABLE, str(error), episode_id)


def problem_of(error: Exception) -> ProblemError | None:
    """Return the problem that callers see for `error`; None if it is neither a problem nor an outage."""
    if isinstance(error, StorageUnavailable):
        return outage(error)
    return error if isinstance(error, ProblemError) else None


@contextmanager
def outages_told(episode_id: str | None = None) -> Iterator[None]:
    """Convert StorageUnavailable in the context into a problem: see `outage`."""
    try:
        yield
    except StorageUnavailable as e:
        raise outage(e, episode_id) from e
