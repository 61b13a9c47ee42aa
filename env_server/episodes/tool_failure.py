"""Tools that fail through no fault of the model's: what is logged, and what their caller is told."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import Final, TypeVar

from env_server.episodes.failures import Failures
from env_server.errors import ProblemError
from env_server.telemetry import metrics
from env_server.tools import ToolCrashed, ToolHung
from schemas import ErrorCode

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


class Hangs(Failures[K]):
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
