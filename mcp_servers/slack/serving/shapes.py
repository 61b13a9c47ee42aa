"""Converts the world's rows to the objects of Slack's Web API."""

from collections.abc import Sequence
from typing import Any

from mcp_servers.world.rows import Channel, Message, User

TEAM = "T0WORLD00"
_DOMAIN = "https://world.slack.example"


def channel_object(channel: Channel, me: str) -> dict[str, Any]:
    """Return a conversation, as in `conversations.list` and `.info`."""
    return {
        "id": channel["id"],
        "name": channel["name"],
        "name_normalized": channel["name"],
        "is_channel": not channel["is_private"],
        "is_group": channel["is_private"],
        "is_im": False,
        "is_mpim": False,
        "is_private": channel["is_private"],
        "is_archived": False,
        "is_general": channel["name"] == "general",
        "is_member": me in channel["members"],
        "created": channel["created"],
        "creator": channel["creator"],
        "topic": {"value": channel["topic"], "creator": channel["creator"], "last_set": channel["created"]},
        "purpose": {"value": channel["purpose"], "creator": channel["creator"], "last_set": channel["created"]},
        "num_members": len(channel["members"]),
        "context_team_id": TEAM,
    }


def user_object(user: User) -> dict[str, Any]:
    """Return a member, as in `users.list` and `.info`."""
    return {
        "id": user["id"],
        "team_id": TEAM,
        "name": user["name"],
        "real_name": user["real_name"],
        "deleted": False,
        "tz": user["tz"],
        "is_bot": user["is_bot"],
        "is_app_user": False,
        "profile": profile_object(user),
    }


def profile_object(user: User) -> dict[str, Any]:
    """Return a member's profile, as in `users.profile.get`."""
    first, _, last = user["real_name"].partition(" ")
    return {
        "real_name": user["real_name"],
        "real_name_normalized": user["real_name"],
        "display_name": user["name"],
        "display_name_normalized": user["name"],
        "first_name": first,
        "last_name": last,
        "title": user["title"],
        "email": user["email"],
        "phone": "",
        "status_text": "",
        "status_emoji": "",
    }


def message_object(message: Message, replies: Sequence[Message] = (), parent: Message | None = None) -> dict[str, Any]:
    """Return a message.

    With `replies` it holds their number and their writers. A reply holds the writer of its `parent`.
    """
    found: dict[str, Any] = {
        "type": "message",
        "user": message["user"],
        "text": message["text"],
        "ts": message["ts"],
        "team": TEAM,
    }
    if "thread_ts" in message:
        found["thread_ts"] = message["thread_ts"]
    if parent is not None and parent["ts"] != message["ts"]:
        found["parent_user_id"] = parent["user"]
    if replies:
        writers = list(dict.fromkeys(reply["user"] for reply in replies))
        found |= {
            "thread_ts": message["ts"],
            "reply_count": len(replies),
            "reply_users_count": len(writers),
            "reply_users": writers[:5],
            "latest_reply": replies[-1]["ts"],
        }
    if message["reactions"]:
        found["reactions"] = [{**reaction, "count": len(reaction["users"])} for reaction in message["reactions"]]
    return found


def match_object(message: Message, channel: Channel, writer: str) -> dict[str, Any]:
    """Return a message that a search found."""
    return {
        "iid": message["id"],
        "type": "message",
        "team": TEAM,
        "channel": {"id": channel["id"], "name": channel["name"], "is_private": channel["is_private"]},
        "user": message["user"],
        "username": writer,
        "ts": message["ts"],
        "text": message["text"],
        "permalink": permalink(message),
    }


def permalink(message: Message) -> str:
    """Return the address of a message."""
    address = f"{_DOMAIN}/archives/{message['channel']}/p{message['ts'].replace('.', '')}"
    parent = message.get("thread_ts", message["ts"])
    return address if parent == message["ts"] else f"{address}?thread_ts={parent}&cid={message['channel']}"
