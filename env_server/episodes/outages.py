"""Conversion of a database outage into an error response."""

from collections.abc import Iterator
from contextlib import contextmanager

from agent_env_schemas import ErrorCode
from env_server.errors import ProblemError
from env_server.records import StorageUnavailable


@contextmanager
def outages_told(episode_id: str | None = None) -> Iterator[None]:
    """Convert StorageUnavailable in the context into a retryable problem."""
    try:
        yield
    except StorageUnavailable as e:
        raise ProblemError(ErrorCode.STORAGE_UNAVAILABLE, str(e), episode_id) from e
