"""Converts errors of Slack's Web API to error kinds and advice for a model."""

from collections.abc import Mapping
from typing import Any

from mcp_servers.kit.errors import ErrorKind

_MEANINGS: Mapping[str, tuple[ErrorKind, str]] = {
    "channel_not_found": (ErrorKind.NOT_FOUND, "there is no such channel, or the bot cannot see it; list the channels"),
    "not_in_channel": (
        ErrorKind.BAD_REQUEST,
        "the bot is not a member of this channel; use one that it is a member of",
    ),
    "thread_not_found": (ErrorKind.NOT_FOUND, "there is no message with this thread_ts in the channel"),
    "message_not_found": (ErrorKind.NOT_FOUND, "there is no message with this timestamp in the channel"),
    "user_not_found": (ErrorKind.NOT_FOUND, "there is no such user; list the users"),
    "users_not_found": (ErrorKind.NOT_FOUND, "there is no such user; list the users"),
    "is_archived": (ErrorKind.BAD_REQUEST, "the channel is archived"),
    "already_reacted": (ErrorKind.REFUSED, "the bot has already given this reaction, so nothing is left to do"),
    "invalid_name": (ErrorKind.BAD_REQUEST, "reaction is no emoji's name; give it without colons, such as `thumbsup`"),
    "bad_timestamp": (ErrorKind.BAD_REQUEST, "the timestamp is not of the form 1719849600.000100"),
    "no_text": (ErrorKind.BAD_REQUEST, "the text is empty"),
    "msg_too_long": (ErrorKind.BAD_REQUEST, "the text is too long; Slack takes 40,000 characters"),
    "invalid_cursor": (ErrorKind.BAD_REQUEST, "the cursor is not one that this tool gave for this list"),
    "invalid_limit": (ErrorKind.BAD_REQUEST, "the limit is out of range"),
    "invalid_ts_oldest": (ErrorKind.BAD_REQUEST, "oldest is not a timestamp"),
    "invalid_ts_latest": (ErrorKind.BAD_REQUEST, "latest is not a timestamp"),
    "no_query": (ErrorKind.BAD_REQUEST, "the query is empty"),
    "missing_scope": (ErrorKind.PLAN, "the operator's token lacks a scope"),
    "not_allowed_token_type": (ErrorKind.PLAN, "this needs a user's token, and the operator gave a bot's"),
    "ratelimited": (ErrorKind.RATE_LIMITED, "too many calls"),
    "rate_limited": (ErrorKind.RATE_LIMITED, "too many messages"),
    "msg_too_many": (ErrorKind.RATE_LIMITED, "too many messages"),
    "internal_error": (ErrorKind.UNAVAILABLE, "an error inside Slack"),
    "fatal_error": (ErrorKind.UNAVAILABLE, "an error inside Slack"),
    "service_unavailable": (ErrorKind.UNAVAILABLE, "Slack is not available"),
    "request_timeout": (ErrorKind.TIMED_OUT, "the request took too long"),
}
_KEYS = ("not_authed", "invalid_auth", "token_expired", "token_revoked", "account_inactive")


def explain(status: int, body: Any) -> tuple[ErrorKind, str] | None:
    """Return the kind and text of a Slack error, or None.

    An error is `{"ok": false, "error": ...}`, mostly with status 200.
    """
    if not isinstance(body, Mapping) or body.get("ok") is not False:
        if status == 200 and not (isinstance(body, Mapping) and body.get("ok") is True):
            return ErrorKind.MALFORMED, "something that does not say whether it is ok"
        return None
    error = str(body.get("error", "unknown error"))
    if error in _KEYS:
        return ErrorKind.UNAUTHORIZED, f"{error} (the token is not accepted)"
    kind, text = _MEANINGS.get(error, (ErrorKind.BAD_REQUEST, "")) if status < 500 else (ErrorKind.UNAVAILABLE, "")
    needed = f" (needed: {body['needed']})" if body.get("needed") else ""
    return kind, f"{error}{needed}" + (f" ({text})" if text else "")
