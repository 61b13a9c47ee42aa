"""The methods of Slack's Web API that the stand-in offers. Each is a function of the workspace and its arguments."""

import re
from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from mcp_servers.slack.serving.searching import search
from mcp_servers.slack.serving.shapes import (
    TEAM,
    channel_object,
    match_object,
    message_object,
    profile_object,
    user_object,
)
from mcp_servers.slack.serving.workspace import Moment, Refusal, Workspace, between, threads
from mcp_servers.world.rows import Message

T = TypeVar("T")
Fields = dict[str, Any]

LONGEST_TEXT = 40_000
"""Maximum characters of a message."""

_EMOJI = re.compile(r"[a-z0-9_+'\-]{1,100}(::skin-tone-[2-6])?")
_MOST_REACTIONS = 50


class Arguments:
    """The arguments of a method, from a form or from JSON. An argument of the wrong type is refused by its name."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        """Store the arguments."""
        self._given = given

    def text(self, name: str) -> str:
        """Return a text argument. Return "" if it is missing."""
        value = self._given.get(name)
        return "" if value is None else str(value)

    def flag(self, name: str) -> bool:
        """Return a boolean argument. `true`, `1` and similar values are true."""
        return self.text(name).lower() in {"1", "true", "yes", "on"}

    def number(self, name: str, default: int, most: int, error: str) -> int:
        """Return a whole number from 1 to `most`. Raise Refusal `error` for anything else."""
        value = self.text(name)
        if not value:
            return default
        if not (value.isascii() and value.isdigit() and 1 <= int(value[:9]) <= most):
            raise Refusal(error)
        return int(value)


@dataclass(frozen=True)
class Method:
    """A method and the scope that a token needs for it."""

    run: Callable[[Workspace, Arguments], Fields]
    scope: str


def _auth_test(workspace: Workspace, _: Arguments) -> Fields:
    me = workspace.me()
    return {
        "url": "https://world.slack.example/",
        "team": "World",
        "team_id": TEAM,
        "user": me["name"],
        "user_id": me["id"],
    }


def _conversations_list(workspace: Workspace, given: Arguments) -> Fields:
    types = set((given.text("types") or "public_channel").replace(" ", "").split(","))
    if not types <= {"public_channel", "private_channel", "im", "mpim"}:
        raise Refusal("invalid_types")
    limit, me = given.number("limit", 100, 1000, "invalid_limit"), workspace.me()["id"]
    kinds = {False: "public_channel", True: "private_channel"}
    channels = [channel for channel in workspace.channels() if kinds[channel["is_private"]] in types]
    page, cursor = _page(channels, given.text("cursor"), limit, "channel", lambda channel: channel["id"])
    return {"channels": [channel_object(channel, me) for channel in page], **_next(cursor)}


def _conversations_info(workspace: Workspace, given: Arguments) -> Fields:
    return {"channel": channel_object(workspace.channel(given.text("channel")), workspace.me()["id"])}


def _conversations_history(workspace: Workspace, given: Arguments) -> Fields:
    channel = workspace.channel(given.text("channel"), joined=True)
    limit = given.number("limit", 100, 999, "invalid_limit")
    everything = workspace.messages(channel)
    replies = threads(everything)
    top = [message for message in everything if message.get("thread_ts", message["ts"]) == message["ts"]]
    found = between(top, given.text("oldest"), given.text("latest"), given.flag("inclusive"))[::-1]
    page, cursor = _page(found, given.text("cursor"), limit, "next_ts", _timestamp)
    return {
        "messages": [message_object(message, replies.get(message["ts"], ())) for message in page],
        "has_more": bool(cursor),
        "pin_count": 0,
        **_next(cursor),
    }


def _conversations_replies(workspace: Workspace, given: Arguments) -> Fields:
    channel = workspace.channel(given.text("channel"), joined=True)
    limit = given.number("limit", 1000, 1000, "invalid_limit")
    message = workspace.message(channel, given.text("ts"))
    if message is None:
        raise Refusal("thread_not_found")
    start = message.get("thread_ts", message["ts"])
    thread = workspace.thread(channel, start)
    replies = [found for found in thread if found["ts"] != start]
    parents = [found for found in thread if found["ts"] == start]
    found = between(replies, given.text("oldest"), given.text("latest"), given.flag("inclusive"))
    page, cursor = _page(found, given.text("cursor"), limit, "next_ts", _timestamp)
    above = parents[0] if parents else None
    return {
        "messages": [
            *(message_object(parent, replies) for parent in parents),
            *(message_object(reply, parent=above) for reply in page),
        ],
        "has_more": bool(cursor),
        **_next(cursor),
    }


def _users_list(workspace: Workspace, given: Arguments) -> Fields:
    limit = given.number("limit", 1000, 1000, "invalid_limit")
    page, cursor = _page(workspace.users(), given.text("cursor"), limit, "user", lambda user: user["id"])
    return {
        "members": [user_object(user) for user in page],
        "cache_ts": int(workspace.now.timestamp()),
        **_next(cursor),
    }


def _users_info(workspace: Workspace, given: Arguments) -> Fields:
    return {"user": user_object(workspace.user(given.text("user")))}


def _users_profile_get(workspace: Workspace, given: Arguments) -> Fields:
    return {"profile": profile_object(workspace.user(given.text("user") or workspace.me()["id"]))}


def _chat_post_message(workspace: Workspace, given: Arguments) -> Fields:
    channel, text = workspace.named(given.text("channel"), joined=True), given.text("text")
    if not text.strip():
        raise Refusal("no_text")
    if len(text) > LONGEST_TEXT:
        raise Refusal("msg_too_long")
    message = workspace.post(channel, text, given.text("thread_ts") or None)
    return {"channel": channel["id"], "ts": message["ts"], "message": message_object(message)}


def _reactions_add(workspace: Workspace, given: Arguments) -> Fields:
    name, ts = given.text("name"), given.text("timestamp")
    if not given.text("channel") or not ts:
        raise Refusal("no_item_specified")
    channel = workspace.channel(given.text("channel"), joined=True)
    if not _EMOJI.fullmatch(name):
        raise Refusal("invalid_name")
    try:
        Moment.of(ts)
    except ValueError as e:
        raise Refusal("bad_timestamp") from e
    message = workspace.message(channel, ts)
    if message and len(message["reactions"]) >= _MOST_REACTIONS:
        raise Refusal("too_many_emoji")
    workspace.react(channel, ts, name)
    return {}


def _search_messages(workspace: Workspace, given: Arguments) -> Fields:
    query = given.text("query")
    if not query.strip():
        raise Refusal("no_query")
    count, page = given.number("count", 20, 100, "invalid_arguments"), given.number("page", 1, 100, "invalid_arguments")
    by_score = (given.text("sort") or "score") == "score"
    found = search(workspace, query, by_score=by_score, ascending=given.text("sort_dir") == "asc")
    pages = -(-len(found) // count)
    start = (page - 1) * count
    shown = found[start : start + count]
    return {
        "query": query,
        "messages": {
            "total": len(found),
            "matches": [match_object(one.message, one.channel, _name(workspace, one.message)) for one in shown],
            "paging": {"count": count, "total": len(found), "page": page, "pages": pages},
            "pagination": {
                "total_count": len(found),
                "page": page,
                "per_page": count,
                "page_count": pages,
                "first": start + 1 if shown else 0,
                "last": start + len(shown),
            },
        },
    }


METHODS: Mapping[str, Method] = {
    "auth.test": Method(_auth_test, ""),
    "conversations.list": Method(_conversations_list, "channels:read"),
    "conversations.info": Method(_conversations_info, "channels:read"),
    "conversations.history": Method(_conversations_history, "channels:history"),
    "conversations.replies": Method(_conversations_replies, "channels:history"),
    "users.list": Method(_users_list, "users:read"),
    "users.info": Method(_users_info, "users:read"),
    "users.profile.get": Method(_users_profile_get, "users.profile:read"),
    "chat.postMessage": Method(_chat_post_message, "chat:write"),
    "reactions.add": Method(_reactions_add, "reactions:write"),
    "search.messages": Method(_search_messages, "search:read"),
}
"""All methods of the stand-in, by name."""


def _timestamp(message: Message) -> str:
    return message["ts"]


def _name(workspace: Workspace, message: Message) -> str:
    try:
        return workspace.user(message["user"])["name"]
    except Refusal:
        return message["user"]


def _page(items: Sequence[T], cursor: str, limit: int, kind: str, key: Callable[[T], str]) -> tuple[list[T], str]:
    """Return `limit` items, beginning at the cursor, and the cursor of the next page or "".

    Raises:
        Refusal: `invalid_cursor` for a cursor that this list did not produce.
    """
    start = 0
    if cursor:
        wanted = _named(cursor, kind)
        start = next((at for at, item in enumerate(items) if key(item) == wanted), -1)
        if start < 0:
            raise Refusal("invalid_cursor")
    following = items[start + limit : start + limit + 1]
    return list(items[start : start + limit]), _cursor(kind, key(following[0])) if following else ""


def _cursor(kind: str, key: str) -> str:
    return b64encode(f"{kind}:{key}".encode()).decode()


def _named(cursor: str, kind: str) -> str:
    try:
        name, _, key = b64decode(cursor, validate=True).decode().partition(":")
    except (Error, ValueError) as e:
        raise Refusal("invalid_cursor") from e
    return key if name == kind else ""


def _next(cursor: str) -> Fields:
    return {"response_metadata": {"next_cursor": cursor}}
