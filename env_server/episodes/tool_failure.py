"""Tools that fail through no fault of the model's: what is logged, and what their caller is told."""

from env_server.errors import ProblemError
from env_server.telemetry import metrics
from env_server.tools import ToolCrashed, ToolHung
from schemas import ErrorCode


def tool_problem(error: ToolCrashed, blame: str, episode_id: str | None = None) -> ProblemError:
    """What a request ends with in which a tool failed with `error`; it is logged as a defect of the server.

    One that was cut off may be tried again: it may have waited for something that does not last.
    """
    metrics.log_defect(blame, error)
    code = ErrorCode.STEP_TIMEOUT if isinstance(error, ToolHung) else ErrorCode.TOOL_CRASHED
    return ProblemError(code, f"{blame}; see the server's log", episode_id)
