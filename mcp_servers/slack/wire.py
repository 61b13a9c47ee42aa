"""Responses of Slack's Web API, as far as the tools use them."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from mcp_servers.kit.text import Long, Short


def _value(topic: Any) -> Any:
    return topic.get("value", "") if isinstance(topic, dict) else topic


Topic = Annotated[Short, BeforeValidator(_value)]


class _Answer(BaseModel):
    """A part of a response. Unknown fields are dropped."""

    model_config = ConfigDict(extra="ignore")


class Channel(_Answer):
    """A conversation."""

    id: Short
    name: Short = ""
    topic: Topic = ""
    purpose: Topic = ""
    num_members: int | None = None
    is_private: bool = False
    is_member: bool = False
    is_archived: bool = False


class Profile(_Answer):
    """The profile of a member."""

    real_name: Short = ""
    display_name: Short = ""
    title: Short = ""
    email: Short | None = None
    phone: Short | None = None
    status_text: Short = ""


class User(_Answer):
    """A member of the workspace."""

    id: Short
    name: Short = ""
    real_name: Short = ""
    tz: Short | None = None
    is_bot: bool = False
    deleted: bool = False
    profile: Profile = Profile()

    def called(self) -> str:
        """Return the name that other members see."""
        return self.real_name or self.profile.real_name or self.profile.display_name or self.name or self.id

    def names(self) -> set[str]:
        """Return all names of the member, in lower case."""
        return {name.lower() for name in (self.name, self.real_name, self.profile.display_name) if name}


class Reaction(_Answer):
    """An emoji and how often it was given."""

    name: Short
    count: int = 0
    users: list[Short] = []


class Message(_Answer):
    """A message of a channel or a thread."""

    ts: Short
    text: Long = ""
    user: Short | None = None
    username: Short | None = None
    bot_id: Short | None = None
    thread_ts: Short | None = None
    reply_count: int = 0
    latest_reply: Short | None = None
    reactions: list[Reaction] = []


class Match(Message):
    """A message that a search found."""

    channel: Channel
    permalink: Short | None = None


class Metadata(_Answer):
    """The metadata of a response, with the cursor of the next page."""

    next_cursor: str = ""


class _Page(_Answer):
    response_metadata: Metadata = Metadata()

    def cursor(self) -> str | None:
        """Return the cursor of the next page, or None."""
        return self.response_metadata.next_cursor or None


class Channels(_Page):
    """The response of `conversations.list`."""

    channels: list[Channel]


class Users(_Page):
    """The response of `users.list`."""

    members: list[User]


class Messages(_Page):
    """The response of `conversations.history` and `.replies`."""

    messages: list[Message]
    has_more: bool = False


class Posted(_Answer):
    """The response of `chat.postMessage`."""

    channel: Short
    ts: Short
    message: Message | None = None


class One(_Answer):
    """The response of `users.info`."""

    user: User


class Own(_Answer):
    """The response of `users.profile.get`."""

    profile: Profile


class Done(_Answer):
    """A response that only confirms success."""


class Matches(_Answer):
    """The messages of a search response."""

    total: int = 0
    matches: list[Match] = []
    paging: dict[str, Any] = Field(default={})


class Search(_Answer):
    """The response of `search.messages`."""

    messages: Matches
