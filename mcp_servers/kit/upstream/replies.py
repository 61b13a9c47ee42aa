"""Converts responses of a service to error kinds, by status, body and Retry-After."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from mcp_servers.kit.errors import ErrorKind, UpstreamError
from mcp_servers.kit.text import inline, quoted
from mcp_servers.kit.upstream.wire import Reply

Explain = Callable[[int, Any], tuple[ErrorKind, str] | None]
"""A function that reads a vendor's JSON.

It maps status and body to kind and text, or to None if it knows no such error.
"""

M = TypeVar("M", bound=BaseModel)

STATUSES = {
    400: ErrorKind.BAD_REQUEST,
    401: ErrorKind.UNAUTHORIZED,
    402: ErrorKind.PLAN,
    403: ErrorKind.PLAN,
    404: ErrorKind.NOT_FOUND,
    408: ErrorKind.TIMED_OUT,
    410: ErrorKind.NOT_FOUND,
    413: ErrorKind.BAD_REQUEST,
    422: ErrorKind.BAD_REQUEST,
    429: ErrorKind.RATE_LIMITED,
    504: ErrorKind.TIMED_OUT,
}
SURE = frozenset(
    {
        ErrorKind.BAD_REQUEST,
        ErrorKind.NOT_FOUND,
        ErrorKind.UNAUTHORIZED,
        ErrorKind.PLAN,
        ErrorKind.RATE_LIMITED,
        ErrorKind.REFUSED,
    }
)
"""Kinds that prove that a write had no effect."""


@dataclass(frozen=True)
class Failure:
    """A response that is an error."""

    kind: ErrorKind
    happened: str
    retry_after: float | None = None


def misread(reply: Reply) -> str | None:
    """Return why the body of a response is not JSON, according to its headers. Return None if it is JSON."""
    kind = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json" or kind.endswith("+json"):
        return None
    return f"{inline(kind, 60) or 'something without a content type'} instead of JSON"


def failure(
    name: str, explain: Explain | None, reply: Reply, body: Any, problem: str | None, write: bool
) -> Failure | None:
    """Return the error in a response, or None.

    Args:
        name: The service's name.
        explain: Reads the vendor's own errors.
        reply: The response.
        body: The JSON of the response, if `problem` is None.
        problem: Why the response has no JSON.
        write: Whether the request was a write. An error that does not tell its outcome becomes `OUTCOME_UNKNOWN`.
    """
    said = explain(reply.status, body) if explain is not None and problem is None else None
    if said is not None:
        kind, happened = said[0], f"{name} says {quoted(said[1])}"
    elif reply.status >= 400:
        kind = STATUSES.get(reply.status, ErrorKind.BAD_REQUEST if reply.status < 500 else ErrorKind.UNAVAILABLE)
        happened = f"{name} answered with status {reply.status}"
    elif not 200 <= reply.status < 300:
        kind, happened = ErrorKind.MALFORMED, f"{name} answered with a redirect (status {reply.status})"
    elif problem is not None:
        kind, happened = ErrorKind.MALFORMED, f"{name} answered with {problem}"
    else:
        return None
    if write and kind not in SURE:
        kind = ErrorKind.OUTCOME_UNKNOWN
    return Failure(kind, happened, retry_after(reply.headers.get("retry-after")))


def retry_after(header: str | None) -> float | None:
    """Return the seconds that a Retry-After header requests, as a number or as a date.

    Return None if it is unreadable.
    """
    if not header:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def shaped(name: str, model: type[M], body: object) -> M:
    """Return a response of the service `name` as a model. Raise `UpstreamError` (malformed) if the shape differs."""
    try:
        return model.model_validate(body)
    except ValidationError as e:
        wrong = e.errors(include_url=False, include_input=False)[0]
        where = inline(".".join(map(str, wrong["loc"])), 80)
        happened = f"the answer of {name} has an unknown shape ({where or 'as a whole'}: {inline(wrong['msg'], 120)})"
        raise UpstreamError(ErrorKind.MALFORMED, happened) from None
