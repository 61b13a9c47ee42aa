"""Reads the Slack workspace until now."""

from datetime import UTC, datetime

from mcp_servers.world.rows import CHANNELS, MESSAGES, USERS, Channel, Message, User
from mcp_servers.world.store import Store


def channel(store: Store, name: str) -> Channel | None:
    """Return a channel by its id or its name, with or without `#`."""
    found = store.rows(CHANNELS).get(name)
    if found is not None:
        return found
    return next(iter(store.rows(CHANNELS).find("name", name.removeprefix("#"))), None)


def channels(store: Store, now: datetime) -> list[Channel]:
    """Return the channels that exist at `now`."""
    return [row for row in store.rows(CHANNELS) if row["created"] <= now.timestamp()]


def users(store: Store) -> list[User]:
    """Return the members of the workspace."""
    return list(store.rows(USERS))


def history(
    store: Store, channel_id: str, now: datetime, *, oldest: str = "0", latest: str = "", limit: int | None = None
) -> list[Message]:
    """Return the messages of a channel that are not replies, newest first.

    Args:
        store: The world.
        channel_id: The id of the channel.
        now: The current time. Later messages are invisible.
        oldest: Only messages after this timestamp.
        latest: Only messages before this timestamp.
        limit: Maximum number of messages.
    """
    found = sorted(_until(store.rows(MESSAGES).find("channel", channel_id), now), key=_order, reverse=True)
    begin, end = float(oldest), float(latest) if latest else float("inf")
    return [row for row in found if row.get("thread_ts", row["ts"]) == row["ts"] and begin < float(row["ts"]) < end][
        :limit
    ]


def replies(store: Store, channel_id: str, thread_ts: str, now: datetime) -> list[Message]:
    """Return a thread: its first message, then the replies in order. Return [] if there is no such message."""
    start = store.rows(MESSAGES).get(f"{channel_id}:{thread_ts}")
    if start is None or not _until([start], now):
        return []
    found = sorted(_until(store.rows(MESSAGES).find("thread", (channel_id, thread_ts)), now), key=_order)
    return [start, *(row for row in found if row["ts"] != thread_ts)]


def moment(ts: str) -> datetime:
    """Return the time of a Slack timestamp."""
    return datetime.fromtimestamp(float(ts), tz=UTC)


def _until(found: list[Message], now: datetime) -> list[Message]:
    """Return the messages up to the second of `now`.

    The fraction of a timestamp only distinguishes messages and is not part of the time.
    """
    end = int(now.timestamp())
    return [row for row in found if int(float(row["ts"])) <= end]


def _order(row: Message) -> float:
    return float(row["ts"])
