"""A Slack channel of the offline world as a person sees it: threads, names, reactions, links and mentions."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from env_server.page.views.texts import emoji_words
from mcp_servers.world import read
from mcp_servers.world.rows import MESSAGES, Channel, Message, User
from mcp_servers.world.store import Store

THREADS, REPLIES, LONGEST = 25, 60, 4_000
"""The maximum number of threads of a page, of replies of a thread, and of characters of a message."""

_MARK = re.compile(
    r"<(?P<url>https?://[^|>]+)(?:\|(?P<label>[^>]+))?>|<@(?P<user>\w+)>|\*(?P<bold>[^*\n]+)\*"
    r"|(?<![\w:]):(?P<emoji>[+-]1|[a-z][a-z0-9_]+):(?![\w:])"
)


@dataclass(frozen=True, slots=True)
class SaidPiece:
    """A piece of a message: `text`, `bold`, `link`, `mention` or `emoji`."""

    kind: str
    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message. `is_new` says that the episode has posted or changed it."""

    who: str
    at: str
    ts: str
    pieces: tuple[SaidPiece, ...]
    reactions: tuple[tuple[str, int], ...]
    is_new: bool


@dataclass(frozen=True, slots=True)
class ShownChannel:
    """A channel with threads, newest first. `older` is the `ts` before which there are more."""

    name: str
    topic: str
    purpose: str
    members: int
    threads: tuple[tuple[ShownMessage, ...], ...]
    older: str | None


def channels(store: Store, now: datetime) -> list[Channel]:
    """Return the channels by name."""
    return sorted(read.channels(store, now), key=lambda row: row["name"])


def channel(store: Store, begun: Store, name: str, now: datetime, before: str) -> ShownChannel | None:
    """Return a page of a channel, or None. `begun` has the rows with which the episode began."""
    room = read.channel(store, name)
    if room is None:
        return None
    starts = read.history(store, room["id"], now, latest=before, limit=THREADS + 1)
    older = starts[THREADS - 1]["ts"] if len(starts) > THREADS else None
    users = {user["id"]: user for user in read.users(store)}
    known = begun.rows(MESSAGES)

    def has(url: str) -> bool:
        return read.page(store, url, now) is not None

    threads = [read.replies(store, room["id"], start["ts"], now)[: REPLIES + 1] for start in starts[:THREADS]]
    shown = [
        tuple(_shown(row, users, is_new=known.get(row["id"]) != row, has=has) for row in thread) for thread in threads
    ]
    return ShownChannel(room["name"], room["topic"], room["purpose"], len(room["members"]), tuple(shown), older)


def _shown(row: Message, users: Mapping[str, User], *, is_new: bool, has: Callable[[str], bool]) -> ShownMessage:
    who = users[row["user"]]["real_name"] if row["user"] in users else row["user"]
    text = row["text"] if len(row["text"]) <= LONGEST else f"{row['text'][:LONGEST]}…"
    reactions = tuple((each["name"], len(each["users"])) for each in row["reactions"])
    at = read.moment(row["ts"]).strftime("%Y-%m-%d %H:%M")
    return ShownMessage(who, at, row["ts"], tuple(pieces(text, users, has)), reactions, is_new)


def pieces(text: str, users: Mapping[str, User], has: Callable[[str], bool]) -> list[SaidPiece]:
    """Return a message in Slack's markup as pieces. A link to an address that the world does not have stays text."""
    found, end = [], 0
    for mark in _MARK.finditer(text):
        if mark.start() > end:
            found.append(SaidPiece("text", text[end : mark.start()]))
        if mark["url"] and has(mark["url"]):
            found.append(SaidPiece("link", mark["label"] or mark["url"], mark["url"]))
        elif mark["url"]:
            found.append(SaidPiece("text", f"{mark['label']} ({mark['url']})" if mark["label"] else mark["url"]))
        elif mark["user"]:
            user = users.get(mark["user"])
            found.append(SaidPiece("mention", f"@{user['real_name'] if user else mark['user']}"))
        elif mark["emoji"]:
            found.append(SaidPiece("emoji", emoji_words(mark["emoji"])))
        else:
            found.append(SaidPiece("bold", mark["bold"]))
        end = mark.end()
    return [*found, SaidPiece("text", text[end:])] if end < len(text) else found
