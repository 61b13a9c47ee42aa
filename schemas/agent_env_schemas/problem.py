"""Errors on the wire: `application/problem+json` (RFC 9457)."""

from enum import StrEnum
from typing import Annotated

from pydantic import ConfigDict

from agent_env_schemas.base import OPEN, Wire


class ErrorCode(StrEnum):
    """The kind of an error. `retryable` in the problem says whether the same request may succeed later."""

    INVALID_REQUEST = "invalid_request"
    """The endpoint does not accept this body, path or query (422)."""

    BODY_TOO_LARGE = "body_too_large"
    """The body exceeds the server's limit (413)."""

    UNAUTHORIZED = "unauthorized"
    """The request has no key, or a wrong one (401)."""

    FORBIDDEN = "forbidden"
    """The credential is not valid for this endpoint (403)."""

    HOST_NOT_ALLOWED = "host_not_allowed"
    """The server does not answer to the Host of the request (421)."""

    NOT_FOUND = "not_found"
    """The endpoint, domain, pack, split or task does not exist (404)."""

    METHOD_NOT_ALLOWED = "method_not_allowed"
    """The endpoint does not take this method (405)."""

    EPISODE_NOT_FOUND = "episode_not_found"
    """The episode does not exist (404)."""

    EPISODE_OVER = "episode_over"
    """The episode has ended; its committed turns can still be retried (409)."""

    TURN_CONFLICT = "turn_conflict"
    """The turn is already committed with another action (409)."""

    TURN_AHEAD = "turn_ahead"
    """The turn is not the next one (409)."""

    AWAITING_USER = "awaiting_user"
    """The episode waits for the user's part first: `POST /episodes/{id}/user` (409)."""

    NOT_AWAITING_USER = "not_awaiting_user"
    """The episode is not waiting for its user (409)."""

    KEY_CONFLICT = "key_conflict"
    """The idempotency key was used with another body (409)."""

    PURPOSE_CONFLICT = "purpose_conflict"
    """The run is for another purpose (409)."""

    TEST_TASK = "test_task"
    """A run whose purpose is `train` may not play a task of the `test` split (403)."""

    PACK_CHANGED = "pack_changed"
    """The pack differs from the expected one, or its tools have changed since the stored episode began (409)."""

    NOT_FORKABLE = "not_forkable"
    """A part of the episode's state is on another system, so that the episode cannot be forked (409)."""

    TURN_CLAIMED = "turn_claimed"
    """Another server process is playing this turn (409, retryable)."""

    STEP_TIMEOUT = "step_timeout"
    """The turn took too long and did not happen (504, retryable)."""

    USER_UNAVAILABLE = "user_unavailable"
    """The simulated user failed; the turn did not happen (503, retryable)."""

    TOOLS_UNAVAILABLE = "tools_unavailable"
    """The episode names tools of servers that have not answered yet; it was not begun (503, retryable)."""

    JUDGE_UNAVAILABLE = "judge_unavailable"
    """The last turn is committed and waits for a judge. The same request sent again only scores it (503,
    retryable)."""

    SPEND_CAP = "spend_cap"
    """The models of this run have used all tokens that the operator allows (409)."""

    STORAGE_DAMAGED = "storage_damaged"
    """The database file is damaged, or what it stores of the episode cannot be read. A retry does not help (500)."""

    OVERLOADED = "overloaded"
    """The server has more work than it can do. It did nothing for this request (503)."""

    QUOTA_EXCEEDED = "quota_exceeded"
    """The caller has used its quota. The server did nothing for this request (429, retryable)."""

    STORAGE_UNAVAILABLE = "storage_unavailable"
    """The database did not store the turn, so the turn did not happen (503, retryable)."""

    TOOL_CRASHED = "tool_crashed"
    """A tool has a defect; the turn did not happen (500)."""

    INTERNAL = "internal"
    """A defect of the server; the turn did not happen (500)."""


class Problem(Wire):
    """An error. `code` names its kind, and `type` is always `about:blank`."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    """What is wrong, in a sentence for a person. Programs read `code`."""
    code: Annotated[ErrorCode, OPEN]
    retryable: bool
    """Whether the same request may succeed if it is sent again."""
    retry_after: int | None = None
    """Seconds after which to send it again, as in the header `Retry-After`. Items of a batch have no headers."""
    episode_id: str | None = None
    """The episode, if the error is about one."""
    request_id: str | None = None
    """The id of the request, which the server's log has too."""
