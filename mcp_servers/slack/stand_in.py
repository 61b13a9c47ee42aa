"""A stand-in for Slack's Web API over the offline workspace. It serves `/api/METHOD` by GET, form or JSON.

These tokens have a meaning: `bad-key` is refused (`invalid_auth`), `busy-key` gets 429, and `reader-key` lacks the
scopes for writing (`missing_scope`). A token that begins with `xoxb-` belongs to a bot, and Slack does not let bots
search (`not_allowed_token_type`). Every other token may do everything.
"""

from typing import Any

from mcp_servers.kit.stand_in import Answer, Ask, Home, StandIn
from mcp_servers.slack.serving.methods import METHODS, Arguments
from mcp_servers.slack.serving.workspace import Refusal, Workspace

_RETRY_AFTER_S = "2"
_WRITING = ("chat:write", "reactions:write")


def stand_in(home: Home) -> StandIn:
    """Build the stand-in. It uses the workspace of `home` if no scope is set."""
    app = StandIn("slack", home, lambda _: None, lambda _: _refused("unknown_method"))
    app.route("GET", "/api/{method}")(_handle)
    app.route("POST", "/api/{method}")(_handle)
    return app


def _handle(ask: Ask) -> Answer:
    given = {**ask.query, **(ask.body if ask.method == "POST" else {})}
    method = METHODS.get(ask.path["method"])
    token = ask.bearer or str(given.get("token") or "")
    if token == "busy-key":
        return Answer({"ok": False, "error": "ratelimited"}, 429, {"retry-after": _RETRY_AFTER_S})
    if token in {"", "bad-key"}:
        return _refused("invalid_auth" if token else "not_authed")
    if method is None:
        return _refused("unknown_method", req_method=ask.path["method"])
    if token == "reader-key" and method.scope in _WRITING:
        return _refused("missing_scope", needed=method.scope, provided="channels:read,channels:history,users:read")
    if token.startswith("xoxb-") and method.scope == "search:read":
        return _refused("not_allowed_token_type")
    try:
        return Answer({"ok": True, **method.run(Workspace(ask.scope.store, ask.scope.now), Arguments(given))})
    except Refusal as e:
        return _refused(e.error)


def _refused(error: str, **more: Any) -> Answer:
    return Answer({"ok": False, "error": error, **more})
