"""MCP protocol errors. Their `data` holds the fields of a problem document."""

from collections.abc import Iterator
from contextlib import contextmanager

from mcp import MCPError
from mcp.types import INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, CallToolRequestParams

from agent_env_schemas import ErrorCode
from env_server.api.problems import problem_fields
from env_server.episodes.outages import outages_told
from env_server.errors import ProblemError

_CODES: dict[ErrorCode, int] = {
    ErrorCode.INVALID_REQUEST: INVALID_PARAMS,
    ErrorCode.NOT_FOUND: INVALID_PARAMS,
    ErrorCode.KEY_CONFLICT: INVALID_PARAMS,
    ErrorCode.EPISODE_NOT_FOUND: INVALID_REQUEST,
}


def rpc_error(problem: ProblemError) -> MCPError:
    """Return the MCP error of a problem; `data` has `code`, `retryable` and the rest of the problem document."""
    fields = {name: value for name, value in problem_fields(problem, None).items() if value is not None}
    return MCPError(_CODES.get(problem.code, INTERNAL_ERROR), problem.detail, fields)


def check_answers(params: CallToolRequestParams) -> None:
    """Check the form of a client's `inputResponses`. This server asks clients no questions, so it ignores valid ones.

    The SDK checks the form too, but accepts null in place of an object.

    Raises:
        MCPError: if `inputResponses` is null. Nothing has been played.
    """
    if "input_responses" in params.model_fields_set and params.input_responses is None:
        raise MCPError(INVALID_PARAMS, "inputResponses must be an object")


@contextmanager
def problems_told(episode_id: str) -> Iterator[None]:
    """Raise the problems of the episode, database outages included, as protocol errors.

    Raises:
        MCPError: in place of a ProblemError in the block.
    """
    try:
        with outages_told(episode_id):
            yield
    except ProblemError as e:
        raise rpc_error(e) from e
