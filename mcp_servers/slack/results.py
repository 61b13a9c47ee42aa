"""Results of the tools: channels, messages and members, with names for people and ids for calls."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import ClassVar, Self

from pydantic import BaseModel, Field

from mcp_servers.kit.pages import page
from mcp_servers.kit.text import lines, outside
from mcp_servers.slack import wire
from mcp_servers.slack.markup import readable


class Reaction(BaseModel):
    """An emoji and how often it was given."""

    name: str
    count: int


class Message(BaseModel):
    """A message."""

    ts: str
    """The timestamp, which is also the id within the channel."""
    at: str
    """The timestamp as a time in UTC."""
    user: str | None
    name: str
    """The name of the writer."""
    text: str
    """The text in Slack's markup."""
    thread_ts: str | None
    """The timestamp of the message that began the thread, if there is one."""
    reply_count: int
    reactions: list[Reaction]
    channel: str | None = None
    """The id of the channel, in search results."""
    channel_name: str | None = None
    shown: str = Field(default="", exclude=True)

    @classmethod
    def of(cls, message: wire.Message, names: Mapping[str, str]) -> Self:
        """Return the message as a result of a tool. `names` maps ids to members' names."""
        writer = names.get(message.user or "") or message.username or message.user or message.bot_id or "somebody"
        return cls(
            ts=message.ts,
            at=time_of(message.ts),
            user=message.user,
            name=writer,
            text=message.text,
            thread_ts=message.thread_ts,
            reply_count=message.reply_count,
            reactions=[Reaction(name=one.name, count=one.count or len(one.users)) for one in message.reactions],
            channel=message.channel.id if isinstance(message, wire.Match) else None,
            channel_name=message.channel.name if isinstance(message, wire.Match) else None,
            shown=readable(message.text, names),
        )

    def line(self) -> str:
        """Return the message as text: time, writer, text, replies and reactions."""
        where = f" #{self.channel_name} ({self.channel})" if self.channel else ""
        thread = f" in thread {self.thread_ts}" if self.thread_ts and self.thread_ts != self.ts else ""
        notes = [f"{self.reply_count} {'reply' if self.reply_count == 1 else 'replies'}"] if self.reply_count else []
        notes += [f":{one.name}: {one.count}" for one in self.reactions]
        who = f"{self.name} ({self.user})" if self.user else self.name
        return f"[ts {self.ts}] {self.at}{where}{thread} {who}: {self.shown or self.text}" + (
            f"\n    ({', '.join(notes)})" if notes else ""
        )


class Messages(BaseModel):
    """Messages of a channel or a thread."""

    channel: str
    messages: list[Message]
    next_cursor: str | None
    """The `cursor` argument for the next page."""
    order: str

    def prose(self) -> str:
        """Return the messages, one after another."""
        if not self.messages:
            return f"No messages in {self.channel}."
        rows = [message.line() for message in self.messages]
        return f"Messages of {self.channel}, {self.order}:\n{page(rows, self.next_cursor, mark=True)}"


class Found(BaseModel):
    """Messages that a search found."""

    query: str
    total: int
    page: int
    messages: list[Message]

    def prose(self) -> str:
        """Return the total number of matches, and the messages of this page."""
        if not self.messages:
            return f"{self.total} messages found, none of them on page {self.page}." if self.total else "Nothing found."
        rows = [message.line() for message in self.messages]
        return f"{self.total} messages found; page {self.page}:\n{page(rows, mark=True, size='count')}"


class Channel(BaseModel):
    """A channel."""

    id: str
    name: str
    topic: str
    purpose: str
    members: int | None
    is_private: bool
    is_member: bool
    """Whether the bot is a member. A member can read and write in the channel."""


class Channels(BaseModel):
    """Channels of the workspace."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("id", "name", "is_member", "is_private", "members", "topic", "purpose")

    channels: list[Channel]
    next_cursor: str | None
    """The `cursor` argument for the next page."""

    @classmethod
    def of(cls, page: wire.Channels) -> Self:
        """Return a page of channels as a result of a tool."""
        channels = [
            Channel(
                id=one.id,
                name=one.name,
                topic=one.topic,
                purpose=one.purpose,
                members=one.num_members,
                is_private=one.is_private,
                is_member=one.is_member,
            )
            for one in page.channels
        ]
        return cls(channels=channels, next_cursor=page.cursor())

    def prose(self) -> str:
        """Return a table of the channels."""
        return _table(self.channels, self.COLUMNS, self.next_cursor)


class Profile(BaseModel):
    """A member's profile."""

    user: str
    real_name: str
    display_name: str
    title: str
    email: str | None
    phone: str | None
    status: str

    @classmethod
    def of(cls, user: str, profile: wire.Profile) -> Self:
        """Return the profile as a result of a tool."""
        return cls(
            user=user,
            real_name=profile.real_name,
            display_name=profile.display_name,
            title=profile.title,
            email=profile.email,
            phone=profile.phone or None,
            status=profile.status_text,
        )

    def prose(self) -> str:
        """Return the known fields, one per line."""
        known = [f"{name}: {value}" for name, value in self.model_dump().items() if value]
        return outside("\n".join(known))


class Member(BaseModel):
    """A member of the workspace."""

    id: str
    name: str
    real_name: str
    title: str
    tz: str | None
    is_bot: bool


class Members(BaseModel):
    """Members of the workspace."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("id", "name", "real_name", "title", "tz", "is_bot")

    users: list[Member]
    next_cursor: str | None
    """The `cursor` argument for the next page."""

    @classmethod
    def of(cls, page: wire.Users) -> Self:
        """Return a page of members as a result of a tool. Drop members who have left."""
        users = [
            Member(
                id=one.id,
                name=one.name,
                real_name=one.real_name or one.profile.real_name,
                title=one.profile.title,
                tz=one.tz,
                is_bot=one.is_bot,
            )
            for one in page.members
            if not one.deleted
        ]
        return cls(users=users, next_cursor=page.cursor())

    def prose(self) -> str:
        """Return a table of the members."""
        return _table(self.users, self.COLUMNS, self.next_cursor)


class Posted(BaseModel):
    """A message that was sent."""

    channel: str
    ts: str
    thread_ts: str | None
    text: str

    def prose(self) -> str:
        """Return the location of the message."""
        thread = f", in the thread {self.thread_ts}" if self.thread_ts else ""
        return f"Posted in {self.channel}{thread}: ts {self.ts}."


class Reacted(BaseModel):
    """A reaction that a message has."""

    channel: str
    ts: str
    reaction: str
    added: bool
    """False if the bot had already given this reaction."""

    def prose(self) -> str:
        """Return whether the reaction is new."""
        return f":{self.reaction}: on {self.ts} in {self.channel} " + ("added." if self.added else "was there already.")


def time_of(ts: str) -> str:
    """Return the time of a timestamp in UTC. Return the text itself if it is no timestamp."""
    try:
        return datetime.fromtimestamp(int(ts.partition(".")[0]), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return ts


def _table(rows: Sequence[BaseModel], columns: Sequence[str], cursor: str | None) -> str:
    return page(lines(map(vars, rows), columns), cursor, head=" | ".join(columns), mark=True)
