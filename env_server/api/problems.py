"""Errors as `application/problem+json` (RFC 9457)."""

import math
from collections.abc import Mapping
from typing import Any

import orjson
import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from agent_env_schemas import ErrorCode, Problem
from env_server.errors import ProblemError, status_of

MEDIA_TYPE = "application/problem+json"
_PROBLEM = {MEDIA_TYPE: {"schema": {"$ref": f"#/components/schemas/{Problem.__name__}"}}}
_EVERYWHERE = (
    ErrorCode.INVALID_REQUEST,
    ErrorCode.BODY_TOO_LARGE,
    ErrorCode.UNAUTHORIZED,
    ErrorCode.FORBIDDEN,
    ErrorCode.HOST_NOT_ALLOWED,
    ErrorCode.INTERNAL,
)
"""Errors that any endpoint may return."""

LONGEST_WAIT_S = 3_600
"""Maximum of `Retry-After` in seconds. A longer wait from another service is reduced to it."""

WAIT_S = 1.0
"""Seconds until a retry, if a retryable error names no time."""

MANY = 1_000
"""Number of faults above which a body's faults are only counted and not listed."""

log = structlog.get_logger(__name__)


def problem_fields(error: ProblemError, request_id: str | None) -> dict[str, Any]:
    """Return the fields of the problem document of `error`."""
    status = error.status
    return {
        "type": "about:blank",
        "title": status.phrase,
        "status": int(status),
        "detail": error.detail,
        "code": error.code,
        "retryable": error.retryable,
        "retry_after": _wait(error),
        "episode_id": error.episode_id,
        "request_id": request_id,
    }


def problem_response(error: ProblemError, request_id: str | None, headers: Mapping[str, str] | None = None) -> Response:
    """Return the HTTP response of `error`."""
    content = orjson.dumps(problem_fields(error, request_id))
    return Response(content, int(error.status), headers=_with_wait(error, headers), media_type=MEDIA_TYPE)


def rpc_response(error: ProblemError, request_id: str | None, headers: Mapping[str, str] | None = None) -> Response:
    """Return the HTTP response of `error` for an MCP client, which reads JSON-RPC errors and not problem documents."""
    data = problem_fields(error, request_id)
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": error.detail, "data": data}}
    return Response(
        orjson.dumps(body), int(error.status), headers=_with_wait(error, headers), media_type="application/json"
    )


def from_validation(error: ValidationError) -> ProblemError:
    """Return the problem of a body that does not fit its model. It names the first few fields at fault."""
    count = error.error_count()
    if count > MANY:  # listing them all would take longer than reading the body did
        return ProblemError(ErrorCode.INVALID_REQUEST, f"the body has {count} mistakes")
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return _invalid([(".".join(str(part) for part in e["loc"]), e["msg"]) for e in found])


def too_large(limit: int) -> ProblemError:
    """Return the problem of a body, or of an item of a batch, that has more than `limit` bytes."""
    return ProblemError(ErrorCode.BODY_TOO_LARGE, f"the body may have at most {limit} bytes here")


def responses(*codes: ErrorCode) -> dict[int | str, dict[str, Any]]:
    """Return the documented errors of an endpoint: `codes`, and those that every endpoint may return."""
    by_status: dict[int, list[str]] = {}
    for code in (*codes, *_EVERYWHERE):
        by_status.setdefault(int(status_of(code)), []).append(code.value)
    return {
        status: {"content": _PROBLEM, "description": ", ".join(f"`{c}`" for c in sorted(set(names)))}
        for status, names in sorted(by_status.items())
    }


def install(app: FastAPI) -> None:
    """Answer every error of `app` with a problem document."""

    @app.exception_handler(ProblemError)
    async def on_problem(request: Request, error: ProblemError) -> Response:
        return problem_response(error, request.state.request_id)

    @app.exception_handler(RequestValidationError)
    async def on_invalid(request: Request, error: RequestValidationError) -> Response:
        found = [(".".join(str(part) for part in e["loc"][1:]), e["msg"]) for e in error.errors()]
        return problem_response(_invalid(found), request.state.request_id)

    @app.exception_handler(HTTPException)
    async def on_http(request: Request, error: HTTPException) -> Response:
        code = ErrorCode.METHOD_NOT_ALLOWED if error.status_code == 405 else ErrorCode.NOT_FOUND
        problem = ProblemError(code, f"{request.method} {request.url.path}: {error.detail}")
        return problem_response(problem, request.state.request_id, error.headers)

    @app.exception_handler(Exception)
    async def on_defect(request: Request, error: Exception) -> Response:
        log.error("unexpected error", path=request.url.path, exc_info=error)
        problem = ProblemError(ErrorCode.INTERNAL, f"{type(error).__name__}; see the server's log")
        return problem_response(problem, request.state.request_id)


def _with_wait(error: ProblemError, headers: Mapping[str, str] | None) -> Mapping[str, str] | None:
    """Return `headers`, with a `Retry-After` if the error may be retried."""
    wait = _wait(error)
    return headers if wait is None else {**(headers or {}), "Retry-After": str(wait)}


def _wait(error: ProblemError) -> int | None:
    """Return the seconds after which a caller may retry; None if a retry does not help."""
    wait = WAIT_S if error.retry_after is None and error.retryable else error.retry_after
    if wait is None:
        return None
    return math.ceil(max(0, wait)) if wait < LONGEST_WAIT_S else LONGEST_WAIT_S  # NaN compares false, too


def _invalid(found: list[tuple[str, str]]) -> ProblemError:
    shown = "; ".join(f"{where}: {what}" if where else what for where, what in found[:5])
    more = f" (and {len(found) - 5} more)" if len(found) > 5 else ""
    return ProblemError(ErrorCode.INVALID_REQUEST, shown + more)
