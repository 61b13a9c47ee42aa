from typing import Any

import pytest

from mcp_servers.kit.errors import ErrorKind
from mcp_servers.slack.errors import explain


@pytest.mark.parametrize(
    ("status", "body", "kind", "part"),
    [
        (200, {"ok": False, "error": "channel_not_found"}, ErrorKind.NOT_FOUND, "list the channels"),
        (200, {"ok": False, "error": "not_in_channel"}, ErrorKind.BAD_REQUEST, "not a member"),
        (200, {"ok": False, "error": "invalid_auth"}, ErrorKind.UNAUTHORIZED, "token"),
        (200, {"ok": False, "error": "token_revoked"}, ErrorKind.UNAUTHORIZED, "token"),
        (200, {"ok": False, "error": "missing_scope", "needed": "chat:write"}, ErrorKind.PLAN, "chat:write"),
        (200, {"ok": False, "error": "something_new"}, ErrorKind.BAD_REQUEST, "something_new"),
        (200, {"ok": False}, ErrorKind.BAD_REQUEST, "unknown error"),
        (200, {"ok": False, "error": "fatal_error"}, ErrorKind.UNAVAILABLE, "inside Slack"),
        (429, {"ok": False, "error": "ratelimited"}, ErrorKind.RATE_LIMITED, "too many"),
        (503, {"ok": False, "error": "channel_not_found"}, ErrorKind.UNAVAILABLE, "channel_not_found"),
        (200, {"messages": []}, ErrorKind.MALFORMED, "ok"),
        (200, [], ErrorKind.MALFORMED, "ok"),
    ],
)
def test_what_errors_mean(status: int, body: Any, kind: ErrorKind, part: str) -> None:
    """Each of Slack's errors has a kind, and a text that says what it means."""
    found = explain(status, body)
    assert found
    assert found[0] is kind
    assert part in found[1]


@pytest.mark.parametrize(("status", "body"), [(200, {"ok": True}), (500, {}), (502, None), (404, {"ok": "no"})])
def test_what_is_no_error_of_slacks(status: int, body: Any) -> None:
    """An answer that is ok, and one whose status says all, are left to the client."""
    assert explain(status, body) is None
