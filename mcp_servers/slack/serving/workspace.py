"""The offline Slack workspace: the bot's view of the rows, and the changes by a post or a reaction."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from mcp_servers.world.rows import CHANNELS, MESSAGES, USERS, Channel, Message, Reaction, User
from mcp_servers.world.store import Store

_FRACTION = re.compile(r"[0-9]{0,6}")


class Refusal(Exception):
    """An error of the service. `error` is its code."""

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.error = error


@lru_cache(maxsize=10_000)
def _parts(ts: str) -> tuple[int, int]:
    """Return the seconds of a timestamp and their fraction in millionths."""
    seconds, _, fraction = ts.strip().partition(".")
    if not (seconds.isascii() and seconds.isdigit() and len(seconds) <= 12 and _FRACTION.fullmatch(fraction)):
        raise ValueError(f"{ts[:40]!r} is no timestamp")
    return int(seconds), int(fraction.ljust(6, "0"))


class Moment(NamedTuple):
    """A message's timestamp that can be compared."""

    seconds: int
    fraction: int
    """The fraction in millionths of a second."""

    @classmethod
    def of(cls, ts: str) -> "Moment":
        """Parse a timestamp such as `1719849600.000100`. Raise ValueError for anything else."""
        return cls(*_parts(ts))

    def __str__(self) -> str:
        return f"{self.seconds}.{self.fraction:06d}"


@dataclass(frozen=True)
class Workspace:
    """The workspace as its bot sees it at a given time. Messages after `now` do not exist."""

    store: Store
    now: datetime

    def me(self) -> User:
        """Return the member of the token: the first bot, or the first member if there is no bot.

        Raises:
            Refusal: `account_inactive` if there are no members.
        """
        members = self.users()
        if not members:
            raise Refusal("account_inactive")
        return next((user for user in members if user["is_bot"]), members[0])

    def user(self, key: str) -> User:
        """Return a member. Raise Refusal `user_not_found`."""
        if user := self.store.rows(USERS).get(key):
            return user
        raise Refusal("user_not_found")

    def users(self) -> list[User]:
        """Return all members."""
        return list(self.store.rows(USERS))

    def channels(self) -> list[Channel]:
        """Return the channels that the bot can see: public channels, and private channels that it is a member of."""
        me = self.me()["id"]
        return [channel for channel in self.store.rows(CHANNELS) if self._visible(channel, me)]

    def channel(self, key: str, *, joined: bool = False) -> Channel:
        """Return a channel by its id. If `joined`, the bot must be a member.

        Raises:
            Refusal: `channel_not_found`, or `not_in_channel` if the bot is not a member.
        """
        channel, me = self.store.rows(CHANNELS).get(key), self.me()["id"]
        if channel is None or not self._visible(channel, me):
            raise Refusal("channel_not_found")
        if joined and me not in channel["members"]:
            raise Refusal("not_in_channel")
        return channel

    def named(self, key: str, *, joined: bool = False) -> Channel:
        """Return a channel by its id or its name, with or without `#`. Raise Refusal as `channel` does."""
        found = self.store.rows(CHANNELS).find("name", key.removeprefix("#"))
        return self.channel(found[0]["id"] if found else key, joined=joined)

    def messages(self, channel: Channel) -> list[Message]:
        """Return the messages of a channel until now, the oldest first."""
        return self._until_now(self.store.rows(MESSAGES).find("channel", channel["id"]))

    def thread(self, channel: Channel, ts: str) -> list[Message]:
        """Return the messages until now of the thread that the message at `ts` began, the oldest first."""
        return self._until_now(self.store.rows(MESSAGES).find("thread", (channel["id"], ts)))

    def message(self, channel: Channel, ts: str) -> Message | None:
        """Return the message of a channel with a timestamp, or None."""
        message = self.store.rows(MESSAGES).get(f"{channel['id']}:{ts}")
        return message if message and Moment.of(message["ts"]).seconds <= self._now() else None

    def post(self, channel: Channel, text: str, thread_ts: str | None = None) -> Message:
        """Post a message in a channel or in one of its threads. Raise Refusal `thread_not_found`."""
        parent = self.message(channel, thread_ts) if thread_ts else None
        if thread_ts and parent is None:
            raise Refusal("thread_not_found")
        ts = self._next(channel)
        message: Message = {
            "id": f"{channel['id']}:{ts}",
            "channel": channel["id"],
            "ts": ts,
            "user": self.me()["id"],
            "text": text,
            "reactions": [],
        }
        if parent:
            message["thread_ts"] = parent.get("thread_ts", parent["ts"])
        self.store.rows(MESSAGES).put(message)
        return message

    def react(self, channel: Channel, ts: str, name: str) -> None:
        """Add the bot's reaction to a message. Raise Refusal `message_not_found` or `already_reacted`."""
        message, me = self.message(channel, ts), self.me()["id"]
        if message is None:
            raise Refusal("message_not_found")
        given = next((reaction for reaction in message["reactions"] if reaction["name"] == name), None)
        if given and me in given["users"]:
            raise Refusal("already_reacted")
        new: Reaction = {"name": name, "users": [*(given["users"] if given else ()), me]}
        kept = [new if reaction is given else reaction for reaction in message["reactions"]]
        self.store.rows(MESSAGES).put({**message, "reactions": kept if given else [*kept, new]})

    def _until_now(self, found: Iterable[Message]) -> list[Message]:
        latest = self._now()
        timed = [(at, message) for message in found if (at := Moment.of(message["ts"])).seconds <= latest]
        return [message for _, message in sorted(timed, key=lambda pair: pair[0])]

    def _visible(self, channel: Channel, me: str) -> bool:
        return channel["created"] <= self._now() and (not channel["is_private"] or me in channel["members"])

    def _now(self) -> int:
        return int(self.now.timestamp())

    def _next(self, channel: Channel) -> str:
        """Return the timestamp of the next message: now, with the first fraction that the channel has not used."""
        moment, rows = Moment(self._now(), 100), self.store.rows(MESSAGES)
        while rows.get(f"{channel['id']}:{moment}") is not None:
            moment = Moment(moment.seconds, moment.fraction + 100)
        return str(moment)


def threads(messages: Iterable[Message]) -> dict[str, list[Message]]:
    """Return the replies among `messages`, by the timestamp of their parent, in the given order."""
    found: dict[str, list[Message]] = {}
    for message in messages:
        if message.get("thread_ts", message["ts"]) != message["ts"]:
            found.setdefault(message["thread_ts"], []).append(message)
    return found


def between(messages: Iterable[Message], oldest: str | None, latest: str | None, inclusive: bool) -> list[Message]:
    """Return the messages after `oldest` and before `latest`. If `inclusive`, include messages at these times.

    Raises:
        Refusal: `invalid_ts_oldest` or `invalid_ts_latest` for an invalid timestamp.
    """
    low, high = _bound(oldest, "invalid_ts_oldest"), _bound(latest, "invalid_ts_latest")
    above: Callable[[Moment], bool] = lambda at: low is None or at > low or (inclusive and at == low)  # noqa: E731
    below: Callable[[Moment], bool] = lambda at: high is None or at < high or (inclusive and at == high)  # noqa: E731
    return [message for message in messages if above(at := Moment.of(message["ts"])) and below(at)]


def _bound(ts: str | None, error: str) -> Moment | None:
    try:
        return Moment.of(ts) if ts else None
    except ValueError as e:
        raise Refusal(error) from e
