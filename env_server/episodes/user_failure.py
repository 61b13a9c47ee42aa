"""Users that fail: what their caller is told, and whether it counts."""

from env_server.errors import ProblemError
from env_server.models import ModelUnavailable, SpendCapReached
from env_server.records import StorageUnavailable
from schemas import ErrorCode


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
