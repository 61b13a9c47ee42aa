"""Failures that are nobody's action: how callers are told of them, and when what fails again and again is given up."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from time import monotonic
from typing import Final, Generic, TypeVar

from agent_env_schemas import ErrorCode
from env_server.episodes.recent import Recent
from env_server.errors import ProblemError
from env_server.models import ModelUnavailable, SpendCapReached
from env_server.records import StorageUnavailable
from env_server.telemetry import metrics
from env_server.tools import ToolCrashed, ToolHung

KEPT: Final = 10_000
"""Things whose failures are remembered."""

MOST_CUTS: Final = 2
"""How often the same work is cut off; the first time the machine may have been busy."""

GIVEN_UP: Final = "a tool in this was cut off {most} times and is not called for it again; the server's log names it"

K = TypeVar("K")


def tool_problem(error: ToolCrashed, blame: str, episode_id: str | None = None) -> ProblemError:
    """What a request ends with in which a tool failed with `error`; it is logged as a defect of the server.

    One that was cut off may be tried again: it may have waited for something that does not last.
    """
    metrics.log_defect(blame, error)
    code = ErrorCode.STEP_TIMEOUT if isinstance(error, ToolHung) else ErrorCode.TOOL_CRASHED
    return ProblemError(code, f"{blame}; see the server's log", episode_id)


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


class Failures(Generic[K]):
    """How often each thing failed, as far as this process has seen."""

    def __init__(self, most: int, lasts_s: float = inf) -> None:
        """Something is given up once it has failed `most` times; `lasts_s` seconds after a failure all is forgotten."""
        self._most = most
        self._lasts = lasts_s
        self._seen: Recent[K, tuple[int, float]] = Recent(KEPT)

    def count(self, what: K) -> None:
        """Note that `what` failed once more."""
        self._seen.put(what, (1 + self._of(what), monotonic()))

    def too_many(self, what: K) -> bool:
        """Whether `what` is to be given up."""
        return self._of(what) >= self._most

    def _of(self, what: K) -> int:
        times, last = self._seen.get(what) or (0, inf)
        return times if monotonic() - last < self._lasts else 0


class HungWork(Failures[K]):
    """Work in which tools hang. While one does the process serves nobody, so the same work is not done for ever."""

    def __init__(self, lasts_s: float = inf) -> None:
        """Work that was given up may be tried again `lasts_s` seconds later."""
        super().__init__(MOST_CUTS, lasts_s)

    @contextmanager
    def watched(self, what: K) -> Iterator[None]:
        """Do work that is known as `what`.

        Raises:
            ProblemError: `tool_crashed` if it was given up, before anything is done of it or with this last cut.
        """
        if self.too_many(what):
            raise ProblemError(ErrorCode.TOOL_CRASHED, GIVEN_UP.format(most=MOST_CUTS))
        try:
            yield
        except ProblemError as e:
            if not isinstance(e.__cause__, ToolHung):
                raise
            self.count(what)
            if self.too_many(what):
                raise ProblemError(ErrorCode.TOOL_CRASHED, f"{e.detail} (not the first time)", e.episode_id) from e
            raise
