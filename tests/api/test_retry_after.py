"""The `Retry-After` of a problem."""

import math

import pytest

from agent_env_schemas import ErrorCode
from env_server.api.problems import problem_response
from env_server.errors import ProblemError


@pytest.mark.parametrize(
    ("wait", "said"),
    [(0.2, "1"), (-3.0, "0"), (60.0, "60"), (1e30, "3600"), (math.inf, "3600"), (math.nan, "3600"), (-math.inf, "0")],
)
def test_retry_after_is_a_number_of_seconds(wait: float, said: str) -> None:
    """The header is a whole number from 0 to 3600, whatever an endpoint behind the server has asked for."""
    response = problem_response(ProblemError(ErrorCode.USER_UNAVAILABLE, "x", retry_after=wait), None)
    assert response.headers["retry-after"] == said
