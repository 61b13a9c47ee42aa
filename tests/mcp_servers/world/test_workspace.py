"""The workspace: members, channels, and threads in order."""

from itertools import pairwise

import pytest

from mcp_servers.world import NOW, calendar, read
from mcp_servers.world.rows import CHANNELS, MESSAGES, USERS, Message, thread_of
from mcp_servers.world.store import MemoryStore


@pytest.fixture(scope="module")
def messages(world: MemoryStore) -> list[Message]:
    """All messages."""
    return list(world.rows(MESSAGES))


def test_there_are_ten_channels_and_a_thousand_messages(world: MemoryStore, messages: list[Message]) -> None:
    """The workspace has its size, and every channel is used."""
    channels = list(world.rows(CHANNELS))
    assert len(channels) == len({row["name"] for row in channels}) == 10
    assert len(messages) >= 1000
    assert {row["channel"] for row in messages} == {row["id"] for row in channels}
    assert len(list(world.rows(USERS))) >= 20
    assert sum(row["is_bot"] for row in world.rows(USERS)) == 3


def test_timestamps_are_unique_and_in_order(messages: list[Message]) -> None:
    """Messages are stored by time, with microseconds, after the workspace began and before the world ends."""
    stamps = [row["ts"] for row in messages]
    assert all(first < second for first, second in pairwise(stamps))
    assert all(len(ts) == 17 and ts[10] == "." for ts in stamps)
    assert float(stamps[0]) > calendar.opens(calendar.START).timestamp()
    assert float(stamps[-1]) < NOW.timestamp()
    assert all(row["id"] == f"{row['channel']}:{row['ts']}" for row in messages)


def test_members_speak_in_their_channels(world: MemoryStore, messages: list[Message]) -> None:
    """Who writes or reacts is a member of the channel."""
    members = {row["id"]: set(row["members"]) for row in world.rows(CHANNELS)}
    users = {row["id"] for row in world.rows(USERS)}
    for row in world.rows(CHANNELS):
        assert members[row["id"]] <= users
        assert row["creator"] in members[row["id"]]
        assert row["created"] < calendar.opens(calendar.START).timestamp()
    for message in messages:
        assert message["user"] in members[message["channel"]]
        for reaction in message["reactions"]:
            assert set(reaction["users"]) <= members[message["channel"]]
            assert len(set(reaction["users"])) == len(reaction["users"]) > 0
            assert message["user"] not in reaction["users"]


def test_replies_follow_the_start_of_their_thread(world: MemoryStore, messages: list[Message]) -> None:
    """A reply answers an earlier message of its channel that is no reply itself, and concerns the same companies."""
    replies = [row for row in messages if "thread_ts" in row]
    assert len(replies) > 500
    for row in replies:
        start = world.rows(MESSAGES).get(f"{row['channel']}:{row['thread_ts']}")
        assert start is not None
        assert "thread_ts" not in start
        assert start["ts"] < row["ts"]
        assert row.get("tickers") == start.get("tickers")


def test_wrong_figures_are_corrected(world: MemoryStore, messages: list[Message]) -> None:
    """After a wrong figure somebody else says the right one, in the same thread."""
    wrong = [row for row in messages if row.get("flaw") == "wrong"]
    assert len(wrong) > 20
    for row in wrong:
        thread = world.rows(MESSAGES).find("thread", (row["channel"], thread_of(row)))
        after = [each for each in thread if each["ts"] > row["ts"]]
        assert after
        assert after[0]["user"] != row["user"]


def test_some_questions_are_open(world: MemoryStore) -> None:
    """Most requests have an answer with a figure; some of the last months have none."""
    channel = read.channel(world, "data-requests")
    assert channel is not None
    starts = read.history(world, channel["id"], NOW)
    answered = [
        row for row in starts
        if any(reply["user"] != row["user"] for reply in read.replies(world, channel["id"], row["ts"], NOW)[1:])
    ]  # fmt: skip
    assert 0.5 < len(answered) / len(starts) < 0.98
    spring = calendar.opens("2026-04-01").timestamp()
    assert sum(float(row["ts"]) > spring and row not in answered for row in starts) >= 5


def test_history_and_threads_are_read_until_now(world: MemoryStore) -> None:
    """A reader sees the newest messages first, threads in order, and nothing later than now."""
    channel = read.channel(world, "#earnings-watch")
    assert channel is not None
    assert channel == read.channel(world, channel["id"])
    assert read.channel(world, "nowhere") is None
    everything = read.history(world, channel["id"], NOW)
    assert [row["ts"] for row in everything] == sorted((row["ts"] for row in everything), reverse=True)
    assert read.history(world, channel["id"], NOW, limit=5) == everything[:5]
    between = read.history(world, channel["id"], NOW, oldest=everything[9]["ts"], latest=everything[3]["ts"])
    assert between == everything[4:9]
    start = next(row for row in everything if len(read.replies(world, channel["id"], row["ts"], NOW)) > 2)
    thread = read.replies(world, channel["id"], start["ts"], NOW)
    assert thread[0] == start
    now = read.moment(thread[1]["ts"])
    assert read.replies(world, channel["id"], start["ts"], now) == thread[:2]
    assert read.history(world, channel["id"], now)[0]["ts"] <= thread[1]["ts"]
    assert read.replies(world, channel["id"], "1.000000", NOW) == []
