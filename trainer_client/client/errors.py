"""The exceptions of the client, for answers that are not the reply that was asked for."""

from collections.abc import Mapping

import httpx2
from pydantic import ValidationError

from agent_env_schemas import ErrorCode, Problem
from agent_env_schemas.base import ANY_VERSION

_GATEWAYS = frozenset({429, 500, 502, 503, 504})
"""Statuses of a proxy whose server did not answer; a retry may succeed. This server's own errors are problems."""

BROKEN = 0
"""The status of a batch item whose answer never came, while other items got theirs."""

_READABLE = frozenset({"application/json", "text/event-stream"})
"""The content types of this server; an answer of another type comes from another program."""

_FAILED = 500
"""The lowest status of an answer for which the server, and not its caller, is to blame."""

_UNSURE = _GATEWAYS | {BROKEN}
_SHOWN = 200


class AgentEnvError(Exception):
    """The base of the errors that a call raises: `ServerError` and `Unreachable`."""


class Unreachable(AgentEnvError, httpx2.TransportError):
    """The server did not answer within the client's patience. The last failure is the `__cause__`.

    The same call may be made again. `httpx2.TransportError` is a base too, so that callers can catch that instead.
    """


class ServerError(AgentEnvError):
    """The server, or a proxy before it, refused a call.

    `problem` is the server's own account of it (RFC 9457), or None where the answer was no problem document.
    """

    def __init__(self, status: int, problem: Problem | None, text: str, retry_after: float | None = None) -> None:
        """Take the HTTP status, the problem, the body as text, and the seconds after which to try again."""
        super().__init__(status, problem, text, retry_after)  # all of it, so that the exception can be pickled
        self.status = status
        self.problem = problem
        self.text = text
        self.retry_after = retry_after

    def __str__(self) -> str:
        """Say what went wrong in one line."""
        if self.problem is None:
            return f"HTTP {self.status}: {self.text[:_SHOWN]}"
        return f"{self.problem.code} (HTTP {self.status}): {self.problem.detail}"

    @property
    def code(self) -> ErrorCode | None:
        """The problem's code; one that only a newer server knows is plain text."""
        return None if self.problem is None else self.problem.code

    @property
    def retryable(self) -> bool:
        """Whether the same call, sent again, may succeed."""
        return self.status in _UNSURE if self.problem is None else self.problem.retryable


def is_outage(error: Exception | None) -> bool:
    """Return whether an error says that the environment failed, and not that a request was wrong."""
    if isinstance(error, ServerError):
        return error.status >= _FAILED or error.status == BROKEN
    return isinstance(error, httpx2.TransportError)


class BadAnswer(ServerError):
    """An answer that does not fit the endpoint; a retry would bring the same."""

    def __init__(self, status: int, text: str) -> None:
        """Take the HTTP status, and a text with the request and the answer."""
        super().__init__(status, None, text)
        self.args = (status, text)

    @property
    def retryable(self) -> bool:
        """Whether the same call, sent again, may succeed."""
        return False


class Damaged(BadAnswer):
    """An answer that cannot be parsed; a retry, which is safe for every call here, may bring a whole one."""

    @property
    def retryable(self) -> bool:
        """Whether the same call, sent again, may succeed."""
        return True


def from_answer(status: int, content: bytes, headers: Mapping[str, str]) -> ServerError:
    """The error for an HTTP answer whose status is not 200."""
    try:
        problem = Problem.model_validate_json(content, extra="ignore", context=ANY_VERSION)
    except ValidationError:
        problem = None
    return ServerError(status, problem, content.decode("utf-8", "replace"), seconds(headers.get("retry-after")))


def unreadable(status: int, text: str, headers: Mapping[str, str]) -> BadAnswer:
    """The error for an answer that cannot be parsed: a damaged one of this server, or another program's page."""
    media = headers.get("content-type", "none")
    if media.partition(";")[0].strip().lower() in _READABLE:
        return Damaged(status, text)
    return BadAnswer(status, f"{text} (content type: {media})")


def from_break(error: Exception) -> ServerError:
    """The error for a batch item whose connection broke. It is a result, because other items may have theirs."""
    return ServerError(BROKEN, None, f"no answer: {type(error).__name__}: {error}")


def from_item(fields: Mapping[str, object]) -> ServerError:
    """The error for one result of a batch.

    Raises:
        pydantic.ValidationError: if it is no problem.
    """
    problem = Problem.model_validate(fields, extra="ignore", context=ANY_VERSION)
    return ServerError(problem.status, problem, problem.detail, problem.retry_after)


def seconds(header: str | None) -> float | None:
    """A `Retry-After` header in seconds; its other form, a date, is ignored: the two clocks may differ."""
    return float(header) if header is not None and header.isascii() and header.isdigit() and len(header) < 10 else None
