"""The tools: channels, messages, threads, members, search, posts and reactions."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, AliasChoices, Field

from mcp_servers.kit.errors import UpstreamError
from mcp_servers.kit.server import WRITE, WRITE_ONCE, tool
from mcp_servers.slack import wire
from mcp_servers.slack.api import Slack
from mcp_servers.slack.markup import mentioned
from mcp_servers.slack.results import Channels, Found, Members, Message, Messages, Posted, Profile, Reacted

_TS = r"^\d{1,12}(\.\d{1,6})?$"


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("there is nothing to say")
    return text


ChannelId = Annotated[
    str,
    Field(
        description="The channel's id, such as C01ABCDEF, or its name.",
        min_length=1,
        max_length=100,
        validation_alias=AliasChoices("channel_id", "channel"),
    ),
]
ChannelName = Annotated[
    str,
    Field(
        description="The channel's name or id.",
        min_length=1,
        max_length=100,
        validation_alias=AliasChoices("channel", "channel_id"),
    ),
]
Text = Annotated[
    str,
    Field(
        description="The message, in Slack's markup; `<@ID>` mentions a member.",
        min_length=1,
        max_length=40_000,
        validation_alias=AliasChoices("text", "message"),
    ),
    AfterValidator(_said),
]
OldText = Annotated[
    str,
    Field(
        description="The message, in Slack's markup.",
        min_length=1,
        max_length=40_000,
        validation_alias=AliasChoices("message", "text"),
    ),
    AfterValidator(_said),
]
Thread = Annotated[
    str, Field(description="The timestamp of the message that began the thread, as 1719849600.000100.", pattern=_TS)
]
Timestamp = Annotated[
    str,
    Field(
        description="The message's timestamp, as 1719849600.000100.",
        pattern=_TS,
        validation_alias=AliasChoices("timestamp", "ts"),
    ),
]
Cursor = Annotated[str | None, Field(description="The cursor of the page before, to go on from there.", max_length=500)]
Oldest = Annotated[str | None, Field(description="Only messages after this timestamp.", pattern=_TS)]
Latest = Annotated[str | None, Field(description="Only messages before this timestamp.", pattern=_TS)]
Inclusive = Annotated[bool, Field(description="Whether messages at oldest and latest count too.")]
UserId = Annotated[
    str,
    Field(
        description="The member's id, such as U01ABCDEF.",
        min_length=1,
        max_length=100,
        validation_alias=AliasChoices("user_id", "user"),
    ),
]


@tool(profile="limited", aliases=("list_slack_channels",))
async def slack_list_channels(
    api: Slack,
    limit: Annotated[int, Field(description="How many channels to give, from 1 to 200.", ge=1, le=200)] = 100,
    cursor: Cursor = None,
) -> Channels:
    """List the channels that the bot can see, with their ids, topics and purposes.

    Example: slack_list_channels(limit=20)
    """
    return Channels.of(await api.visible(limit=limit, cursor=cursor))


@tool(profile="limited", annotations=WRITE)
async def slack_post_message(api: Slack, channel_id: ChannelId, text: Text) -> Posted:
    """Post a new message to a channel.

    Example: slack_post_message(channel_id="general", text="The report is ready.")
    """
    return await _post(api, channel_id, text, None)


@tool(annotations=WRITE)
async def send_slack_message(api: Slack, channel: ChannelName, message: OldText) -> Posted:
    """Post a new message to a channel, as `slack_post_message` does.

    Example: send_slack_message(channel="general", message="The report is ready.")
    """
    return await _post(api, channel, message, None)


@tool(profile="limited", annotations=WRITE)
async def slack_reply_to_thread(api: Slack, channel_id: ChannelId, thread_ts: Thread, text: Text) -> Posted:
    """Reply to a message in its thread."""
    return await _post(api, channel_id, text, thread_ts)


@tool(annotations=WRITE_ONCE)
async def slack_add_reaction(
    api: Slack,
    channel_id: ChannelId,
    timestamp: Timestamp,
    reaction: Annotated[
        str,
        Field(
            description="The emoji's name without colons, such as `thumbsup`.",
            min_length=1,
            max_length=100,
            validation_alias=AliasChoices("reaction", "name"),
        ),
    ],
) -> Reacted:
    """Add an emoji as a reaction to a message. A reaction that is there already stays as it is."""
    channel, name, added = await api.channel_id(channel_id), reaction.strip(":"), True
    try:
        await api.react(channel=channel, timestamp=timestamp, name=name)
    except UpstreamError as e:
        if "already_reacted" not in e.happened:
            raise
        added = False
    return Reacted(channel=channel, ts=timestamp, reaction=name, added=added)


@tool(profile="limited", aliases=("get_slack_channel_history",))
async def slack_get_channel_history(
    api: Slack,
    channel_id: ChannelId,
    limit: Annotated[int, Field(description="How many messages to give, from 1 to 200.", ge=1, le=200)] = 10,
    cursor: Cursor = None,
    oldest: Oldest = None,
    latest: Latest = None,
    inclusive: Inclusive = False,
) -> Messages:
    """Read the messages of a channel, the newest first. Replies in threads are read with `slack_get_thread_replies`.

    Example: slack_get_channel_history(channel_id="general", limit=5)
    """
    channel = await api.channel_id(channel_id)
    page = await api.history(
        channel=channel, limit=limit, cursor=cursor, oldest=oldest, latest=latest, inclusive=inclusive
    )
    return Messages(
        channel=channel, messages=await _named(api, page.messages), next_cursor=page.cursor(), order="the newest first"
    )


@tool(profile="limited")
async def slack_get_thread_replies(
    api: Slack,
    channel_id: ChannelId,
    thread_ts: Thread,
    limit: Annotated[int, Field(description="How many replies to give, from 1 to 200.", ge=1, le=200)] = 100,
    cursor: Cursor = None,
) -> Messages:
    """Read a thread: the message that began it, then its replies, the oldest first."""
    channel = await api.channel_id(channel_id)
    page = await api.replies(channel=channel, ts=thread_ts, limit=limit, cursor=cursor)
    return Messages(
        channel=channel, messages=await _named(api, page.messages), next_cursor=page.cursor(), order="the oldest first"
    )


@tool()
async def slack_get_users(
    api: Slack,
    cursor: Cursor = None,
    limit: Annotated[int, Field(description="How many members to give, from 1 to 200.", ge=1, le=200)] = 100,
) -> Members:
    """List the members of the workspace with their ids and names.

    Example: slack_get_users(limit=50)
    """
    return Members.of(await api.users(limit=limit, cursor=cursor))


@tool()
async def slack_get_user_profile(api: Slack, user_id: UserId) -> Profile:
    """Read a member's profile: names, title and how to reach them."""
    return Profile.of(user_id, await api.profile(user_id))


@tool(profile="limited")
async def slack_search_messages(
    api: Slack,
    query: Annotated[
        str,
        Field(
            description="Words, and modifiers such as in:#channel, from:@name, after:2026-05-01, has:link, -word.",
            min_length=1,
            max_length=400,
        ),
        AfterValidator(_said),
    ],
    count: Annotated[int, Field(description="How many messages to give, from 1 to 100.", ge=1, le=100)] = 20,
    sort: Annotated[Literal["score", "timestamp"], Field(description="The best or the newest first.")] = "score",
    page: Annotated[int, Field(description="Which page of the matches to give, from 1 on.", ge=1, le=100)] = 1,
) -> Found:
    """Search the messages of all channels that can be read.

    Example: slack_search_messages(query="report", count=5)
    """
    found = (await api.search(query=query, count=count, sort=sort, page=page)).messages
    return Found(query=query, total=found.total, page=page, messages=await _named(api, found.matches))


async def _post(api: Slack, channel: str, text: str, thread_ts: str | None) -> Posted:
    sent = await api.post(channel=await api.channel_id(channel), text=text, thread_ts=thread_ts)
    return Posted(channel=sent.channel, ts=sent.ts, thread_ts=thread_ts, text=text)


async def _named(api: Slack, messages: Sequence[wire.Message]) -> list[Message]:
    """The messages with the names of their writers and of those whom they mention."""
    writers = [message.user for message in messages if message.user]
    names = await api.names([*writers, *mentioned(message.text for message in messages)])
    return [Message.of(message, names) for message in messages]
