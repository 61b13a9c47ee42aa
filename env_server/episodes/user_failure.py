"""Users that fail: what their caller is told, and how often a turn may fail before the episode ends."""

from env_server.episodes.recent import Recent
from env_server.errors import ProblemError
from env_server.models import ModelUnavailable, SpendCapReached
from env_server.records import StorageUnavailable
from schemas import ErrorCode

KEPT = 10_000
"""Turns whose failures are remembered."""


def user_problem(error: Exception) -> Exception:
    """What a request ends with whose user failed with `error`."""
    match error:
        case ProblemError() | StorageUnavailable():
            return error
        case SpendCapReached():
            return ProblemError(ErrorCode.SPEND_CAP, str(error))
        case ModelUnavailable():
            return ProblemError(ErrorCode.USER_UNAVAILABLE, str(error), retry_after=error.retry_after)
        case _:
            detail = f"the simulated user failed: {type(error).__name__}: {error}"
            return ProblemError(ErrorCode.USER_UNAVAILABLE, detail)


def has_failed(error: ProblemError) -> bool:
    """Whether `error` says that the user was asked for the turn and failed, rather than put off."""
    if isinstance(error.__cause__, ModelUnavailable):
        return error.__cause__.asked
    return error.code is ErrorCode.USER_UNAVAILABLE


class Failures:
    """How often the user failed in each turn, as far as this process has seen."""

    def __init__(self, most: int) -> None:
        """A turn is given up once it has failed `most` times."""
        self._most = most
        self._seen: Recent[tuple[int, int], int] = Recent(KEPT)

    def count(self, episode: int, turn: int) -> None:
        """Note that the turn failed once more."""
        self._seen.put((episode, turn), 1 + (self._seen.get((episode, turn)) or 0))

    def too_many(self, episode: int, turn: int) -> bool:
        """Whether the turn is to be given up."""
        return (self._seen.get((episode, turn)) or 0) >= self._most
