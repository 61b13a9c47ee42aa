"""The tools: channels, messages, threads, members, search, posts and reactions."""

from collections.abc import Sequence

from mcp_servers.kit.errors import UpstreamError
from mcp_servers.kit.tools import WRITE, WRITE_ONCE, tool
from mcp_servers.slack import arguments as take
from mcp_servers.slack import wire
from mcp_servers.slack.api import Slack
from mcp_servers.slack.markup import mentioned
from mcp_servers.slack.results import Channels, Found, Members, Message, Messages, Posted, Profile, Reacted


@tool(profile="limited", aliases=("list_slack_channels",), title="List channels")
async def slack_list_channels(
    api: Slack,
    limit: take.Limit = 100,
    cursor: take.Cursor = None,
) -> Channels:
    """List the channels that the bot can see, with their ids, topics and purposes.

    Example: slack_list_channels(limit=20)
    """
    return Channels.of(await api.visible(limit=limit, cursor=cursor))


@tool(profile="limited", annotations=WRITE, title="Post a message")
async def slack_post_message(api: Slack, channel_id: take.ChannelId, text: take.Text) -> Posted:
    """Post a new message to a channel.

    Example: slack_post_message(channel_id="general", text="The report is ready.")
    """
    return await _post(api, channel_id, text, None)


@tool(annotations=WRITE, title="Post a message")
async def send_slack_message(api: Slack, channel: take.ChannelName, message: take.OldText) -> Posted:
    """Post a new message to a channel, as `slack_post_message` does.

    Example: send_slack_message(channel="general", message="The report is ready.")
    """
    return await _post(api, channel, message, None)


@tool(profile="limited", annotations=WRITE, title="Reply in a thread")
async def slack_reply_to_thread(
    api: Slack, channel_id: take.ChannelId, thread_ts: take.Thread, text: take.Text
) -> Posted:
    """Reply to a message in its thread.

    Example: slack_reply_to_thread(channel_id="general", thread_ts="1688393700.000109", text="I will look.")
    """
    return await _post(api, channel_id, text, thread_ts)


@tool(annotations=WRITE_ONCE, title="Add a reaction")
async def slack_add_reaction(
    api: Slack,
    channel_id: take.ChannelId,
    timestamp: take.Timestamp,
    reaction: take.Emoji,
) -> Reacted:
    """Add an emoji as a reaction to a message. A reaction that is there already stays as it is.

    Example: slack_add_reaction(channel_id="general", timestamp="1688393700.000109", reaction="eyes")
    """
    channel, name, added = await api.channel_id(channel_id), reaction.strip(":"), True
    try:
        await api.react(channel=channel, timestamp=timestamp, name=name)
    except UpstreamError as e:
        if "already_reacted" not in e.happened:
            raise
        added = False
    return Reacted(channel=channel, ts=timestamp, reaction=name, added=added)


@tool(profile="limited", aliases=("get_slack_channel_history",), title="Read a channel")
async def slack_get_channel_history(
    api: Slack,
    channel_id: take.ChannelId,
    limit: take.Limit = 10,
    cursor: take.Cursor = None,
    oldest: take.Oldest = None,
    latest: take.Latest = None,
    inclusive: take.Inclusive = False,
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


@tool(profile="limited", title="Read a thread")
async def slack_get_thread_replies(
    api: Slack,
    channel_id: take.ChannelId,
    thread_ts: take.Thread,
    limit: take.Limit = 100,
    cursor: take.Cursor = None,
) -> Messages:
    """Read a thread: the message that began it, then its replies, the oldest first.

    Example: slack_get_thread_replies(channel_id="general", thread_ts="1688393700.000109")
    """
    channel = await api.channel_id(channel_id)
    page = await api.replies(channel=channel, ts=thread_ts, limit=limit, cursor=cursor)
    return Messages(
        channel=channel, messages=await _named(api, page.messages), next_cursor=page.cursor(), order="the oldest first"
    )


@tool(title="List members")
async def slack_get_users(
    api: Slack,
    cursor: take.Cursor = None,
    limit: take.Limit = 100,
) -> Members:
    """List the members of the workspace with their ids and names.

    Example: slack_get_users(limit=50)
    """
    return Members.of(await api.users(limit=limit, cursor=cursor))


@tool(title="Read a profile")
async def slack_get_user_profile(api: Slack, user_id: take.UserId) -> Profile:
    """Read a member's profile: names, title and how to reach them.

    Example: slack_get_user_profile(user_id="assistant")
    """
    found = await api.user_id(user_id)
    return Profile.of(found, await api.profile(found))


@tool(profile="limited", title="Search messages")
async def slack_search_messages(
    api: Slack,
    query: take.Query,
    count: take.Count = 20,
    sort: take.Sort = "score",
    page: take.PageNumber = 1,
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
    """Return the messages with the names of their writers and of the members that they mention."""
    writers = [message.user for message in messages if message.user]
    names = await api.names([*writers, *mentioned(message.text for message in messages)])
    return [Message.of(message, names) for message in messages]
