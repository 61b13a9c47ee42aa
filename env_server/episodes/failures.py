"""Failures of tools and users: the errors that callers get, and the limits on repeated failures."""

from math import inf
from time import monotonic
from typing import Final, Generic, TypeVar

from agent_env_schemas import ErrorCode
from env_server.errors import ProblemError
from env_server.lru import Recent
from env_server.models import ModelUnavailable, SpendCapReached
from env_server.records import StorageUnavailable
from env_server.telemetry import metrics
from env_server.tools import ToolCrashed, ToolHung

KEPT: Final = 10_000
"""Maximum number of things whose failures are remembered."""

MOST_CUTS: Final = 2
"""Maximum number of times that the same work may be cut off. The first time, the machine may have been busy."""

GIVEN_UP: Final = "not tried again: a tool was cut off {most} times in this work; the server's log names the tool"

K = TypeVar("K")


def tool_problem(error: ToolCrashed, blame: str, episode_id: str | None = None) -> ProblemError:
    """Return the problem of a request in which a tool failed with `error`. Log the error as a defect of the server.

    A tool that was cut off gives a retryable problem, because the cause may be temporary.
    """
    metrics.log_defect(blame, error)
    code = ErrorCode.STEP_TIMEOUT if isinstance(error, ToolHung) else ErrorCode.TOOL_CRASHED
    return ProblemError(code, f"{blame}; see the server's log", episode_id)


def user_problem(error: Exception) -> Exception:
    """Return the problem of a request whose user failed with `error`."""
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
    """Return whether the user was asked for the turn and failed. A request that was only delayed does not count."""
    if isinstance(error.__cause__, ModelUnavailable):
        return error.__cause__.asked
    return error.code is ErrorCode.USER_UNAVAILABLE


class Failures(Generic[K]):
    """Counter of failures for each key, as seen by this process."""

    def __init__(self, most: int, lasts_s: float = inf) -> None:
        """Allow fewer than `most` failures. The count is forgotten `lasts_s` seconds after the last failure."""
        self._most = most
        self._lasts = lasts_s
        self._seen: Recent[K, tuple[int, float]] = Recent(KEPT)

    def count(self, what: K) -> None:
        """Count one more failure of `what`."""
        self._seen.put(what, (1 + self._of(what), monotonic()))

    def too_many(self, what: K) -> bool:
        """Return whether `what` has reached the limit."""
        return self._of(what) >= self._most

    def _of(self, what: K) -> int:
        times, last = self._seen.get(what) or (0, inf)
        return times if monotonic() - last < self._lasts else 0


class HungWork(Failures[K]):
    """Work in which tools hang. A hanging tool blocks the whole process, so the same work has a limit of attempts."""

    def __init__(self, lasts_s: float = inf) -> None:
        """Allow the work again `lasts_s` seconds after the last failure."""
        super().__init__(MOST_CUTS, lasts_s)

    def watched(self, what: K) -> "Watch[K]":
        """Return a context that watches the work `what`."""
        return Watch(self, what)


class Watch(Generic[K]):
    """A context in which a piece of work runs. It counts the work's failures by tools that hang."""

    __slots__ = ("_failures", "_what")

    def __init__(self, failures: HungWork[K], what: K) -> None:
        """Count in `failures`."""
        self._failures, self._what = failures, what

    def __enter__(self) -> None:
        """Begin the work.

        Raises:
            ProblemError: `tool_crashed` if the work has reached its limit.
        """
        if self._failures.too_many(self._what):
            raise ProblemError(ErrorCode.TOOL_CRASHED, GIVEN_UP.format(most=MOST_CUTS))

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        """Count the work's failure, if it has failed.

        Raises:
            ProblemError: `tool_crashed` if the work has reached its limit with this failure.
        """
        if not isinstance(error, ProblemError) or not isinstance(error.__cause__, ToolHung):
            return
        self._failures.count(self._what)
        if self._failures.too_many(self._what):
            detail = f"{error.detail} (not the first time)"
            raise ProblemError(ErrorCode.TOOL_CRASHED, detail, error.episode_id) from error
