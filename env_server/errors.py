"""Errors that end a request. Any code may raise them; the API writes them as problem documents."""

from http import HTTPStatus

from agent_env_schemas import ErrorCode

_STATUS: dict[ErrorCode, HTTPStatus] = {
    ErrorCode.INVALID_REQUEST: HTTPStatus.UNPROCESSABLE_ENTITY,
    ErrorCode.BODY_TOO_LARGE: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    ErrorCode.UNAUTHORIZED: HTTPStatus.UNAUTHORIZED,
    ErrorCode.FORBIDDEN: HTTPStatus.FORBIDDEN,
    ErrorCode.TEST_TASK: HTTPStatus.FORBIDDEN,
    ErrorCode.HOST_NOT_ALLOWED: HTTPStatus.MISDIRECTED_REQUEST,
    ErrorCode.NOT_FOUND: HTTPStatus.NOT_FOUND,
    ErrorCode.METHOD_NOT_ALLOWED: HTTPStatus.METHOD_NOT_ALLOWED,
    ErrorCode.EPISODE_NOT_FOUND: HTTPStatus.NOT_FOUND,
    ErrorCode.STEP_TIMEOUT: HTTPStatus.GATEWAY_TIMEOUT,
    ErrorCode.USER_UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    ErrorCode.TOOLS_UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    ErrorCode.JUDGE_UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    ErrorCode.QUOTA_EXCEEDED: HTTPStatus.TOO_MANY_REQUESTS,
    ErrorCode.OVERLOADED: HTTPStatus.SERVICE_UNAVAILABLE,
    ErrorCode.STORAGE_UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    ErrorCode.STORAGE_DAMAGED: HTTPStatus.INTERNAL_SERVER_ERROR,
    ErrorCode.TOOL_CRASHED: HTTPStatus.INTERNAL_SERVER_ERROR,
    ErrorCode.INTERNAL: HTTPStatus.INTERNAL_SERVER_ERROR,
}

_RETRYABLE = {
    ErrorCode.TURN_CLAIMED,
    ErrorCode.STEP_TIMEOUT,
    ErrorCode.USER_UNAVAILABLE,
    ErrorCode.TOOLS_UNAVAILABLE,
    ErrorCode.JUDGE_UNAVAILABLE,
    ErrorCode.OVERLOADED,
    ErrorCode.QUOTA_EXCEEDED,
    ErrorCode.STORAGE_UNAVAILABLE,
}


def status_of(code: ErrorCode) -> HTTPStatus:
    """Return the HTTP status of an error code; 409 if the table has none."""
    return _STATUS.get(code, HTTPStatus.CONFLICT)


class ProblemError(Exception):
    """A request that cannot be answered and that changed nothing."""

    def __init__(
        self, code: ErrorCode, detail: str, episode_id: str | None = None, retry_after: float | None = None
    ) -> None:
        """Store the detail, the episode (if the error concerns one), and the seconds until a retry."""
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.episode_id = episode_id
        self.retry_after = retry_after

    @property
    def status(self) -> HTTPStatus:
        """The HTTP status."""
        return status_of(self.code)

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later."""
        return self.code in _RETRYABLE


class PackError(ValueError):
    """A pack has data that cannot be read, or that needs a feature that this server lacks. The message says where."""


class DomainError(Exception):
    """A domain that cannot be used. The message names its origin."""
