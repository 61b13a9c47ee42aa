"""The exceptions of this package: the server answered, and the answer is no reply."""

from collections.abc import Mapping

from pydantic import ValidationError

from schemas import ErrorCode, Problem
from schemas.base import ANY_VERSION

_GATEWAYS = frozenset({429, 502, 503, 504})
"""What proxies answer where the server behind them did not; trying again may help."""

BROKEN = 0
"""The status of an item of a batch whose answer never came, while others had theirs."""

_READABLE = frozenset({"application/json", "text/event-stream"})
"""The types of the answers of our server; over any other address somebody else answers."""

_UNSURE = _GATEWAYS | {BROKEN}
_SHOWN = 200


class ServerError(Exception):
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


class BadAnswer(ServerError):
    """What came is not what the endpoint answers, and would come again."""

    def __init__(self, status: int, text: str) -> None:
        """Take the HTTP status, and what was asked and came."""
        super().__init__(status, None, text)
        self.args = (status, text)

    @property
    def retryable(self) -> bool:
        """Whether the same call, sent again, may succeed."""
        return False


class Damaged(BadAnswer):
    """What came cannot even be read; sent again, which is safe with every call of this package, it may be whole."""

    @property
    def retryable(self) -> bool:
        """Whether the same call, sent again, may succeed."""
        return True


def from_answer(status: int, content: bytes, headers: Mapping[str, str]) -> ServerError:
    """The error that an HTTP answer stands for."""
    try:
        problem = Problem.model_validate_json(content, extra="ignore", context=ANY_VERSION)
    except ValidationError:
        problem = None
    return ServerError(status, problem, content.decode("utf-8", "replace"), seconds(headers.get("retry-after")))


def unreadable(status: int, text: str, headers: Mapping[str, str]) -> BadAnswer:
    """What an answer that cannot be read stands for: one of ours that was damaged, or a page of somebody else's."""
    media = headers.get("content-type", "none")
    if media.partition(";")[0].strip().lower() in _READABLE:
        return Damaged(status, text)
    return BadAnswer(status, f"{text} (content type: {media})")


def from_break(error: Exception) -> ServerError:
    """The error that a broken connection stands for where it cannot be raised: other items of the call have results."""
    return ServerError(BROKEN, None, f"no answer: {type(error).__name__}: {error}")


def from_item(fields: Mapping[str, object]) -> ServerError:
    """The error that one result of a batch stands for.

    Raises:
        pydantic.ValidationError: if it is no problem.
    """
    problem = Problem.model_validate(fields, extra="ignore", context=ANY_VERSION)
    return ServerError(problem.status, problem, problem.detail)


def seconds(header: str | None) -> float | None:
    """A `Retry-After` in seconds; its other form, a date, is not worth trusting the clocks for."""
    return float(header) if header is not None and header.isascii() and header.isdigit() and len(header) < 10 else None
