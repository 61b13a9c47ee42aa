from collections.abc import Callable
from datetime import timedelta

import pytest

from mcp_servers.slack.serving.workspace import Moment, Refusal, Workspace, between, threads
from mcp_servers.world.rows import MESSAGES
from mcp_servers.world.store import MemoryStore
from tests.mcp_servers.slack.team import (
    ANA,
    BOT,
    CLOSED,
    DEALS,
    DESK,
    GENERAL,
    LATE,
    MESSAGE_ROWS,
    NOW,
    PARENT,
    REPLY,
    SECOND,
    team,
)


@pytest.fixture
def workspace() -> Workspace:
    """The small workspace at its time."""
    return Workspace(team(), NOW)


def refusal(call: Callable[[], object]) -> str:
    """The code with which a call is refused."""
    with pytest.raises(Refusal) as refused:
        call()
    return refused.value.error


def test_the_bot_sees_public_channels_and_its_own(workspace: Workspace) -> None:
    """Private channels of others, and channels that are not there yet, do not exist."""
    assert [channel["id"] for channel in workspace.channels()] == [GENERAL, DESK, DEALS]
    assert refusal(lambda: workspace.channel(CLOSED)) == "channel_not_found"
    assert refusal(lambda: workspace.channel("C0FUTURE1")) == "channel_not_found"
    assert refusal(lambda: workspace.named("closed")) == "channel_not_found"
    assert refusal(lambda: workspace.channel(DESK, joined=True)) == "not_in_channel"
    assert workspace.named("#general") == workspace.channel(GENERAL)


def test_a_workspace_without_members_has_no_bot() -> None:
    """A token of an empty workspace stands for nobody."""
    assert refusal(lambda: Workspace(MemoryStore({}), NOW).channels()) == "account_inactive"


def test_a_later_message_does_not_exist(workspace: Workspace) -> None:
    """What is said after now is in no list and cannot be answered."""
    channel = workspace.channel(GENERAL)
    assert LATE not in [message["ts"] for message in workspace.messages(channel)]
    assert workspace.message(channel, LATE) is None
    assert refusal(lambda: workspace.post(channel, "Hello", LATE)) == "thread_not_found"
    later = Workspace(workspace.store, NOW + timedelta(hours=1))
    assert later.message(channel, LATE)


def test_messages_come_in_the_order_of_time(workspace: Workspace) -> None:
    """The order of the rows in the store does not matter."""
    channel = workspace.channel(GENERAL)
    rows = workspace.store.rows(MESSAGES)
    first = rows.get(MESSAGE_ROWS[0]["id"])
    assert first
    rows.delete(first["id"])
    rows.put(first)
    assert workspace.messages(channel)[0]["ts"] == first["ts"]


def test_a_post_is_a_row(workspace: Workspace) -> None:
    """Posts of the same second have timestamps of their own, which follow from the rows alone."""
    channel = workspace.channel(GENERAL)
    posted = [workspace.post(channel, text) for text in ("one", "two")]
    assert [message["ts"] for message in posted] == [f"{SECOND}.000100", f"{SECOND}.000200"]
    assert [message["user"] for message in posted] == [BOT, BOT]
    assert workspace.messages(channel)[-2:] == posted
    assert workspace.store.rows(MESSAGES).get(f"{GENERAL}:{SECOND}.000100") == posted[0]
    assert Workspace(team(), NOW).post(channel, "one") == posted[0]


@pytest.mark.parametrize("ts", [PARENT, REPLY])
def test_a_reply_joins_the_thread(workspace: Workspace, ts: str) -> None:
    """A reply to a reply belongs to the message that began the thread."""
    channel = workspace.channel(GENERAL)
    posted = workspace.post(channel, "It was 12.", ts)
    assert posted.get("thread_ts") == PARENT
    assert threads(workspace.messages(channel))[PARENT][-1] == posted


def test_a_reaction_changes_a_new_version_of_the_row(workspace: Workspace) -> None:
    """A reaction is given once; the row that was read before stays as it was."""
    channel = workspace.channel(GENERAL)
    before = workspace.message(channel, PARENT)
    assert before
    workspace.react(channel, PARENT, "eyes")
    after = workspace.message(channel, PARENT)
    assert after
    assert before["reactions"] == []
    assert after["reactions"] == [{"name": "eyes", "users": [BOT]}]
    assert refusal(lambda: workspace.react(channel, PARENT, "eyes")) == "already_reacted"
    assert refusal(lambda: workspace.react(channel, LATE, "eyes")) == "message_not_found"


def test_a_reaction_joins_those_of_others(workspace: Workspace) -> None:
    """The same emoji of another member stays one reaction with two users."""
    rows = workspace.store.rows(MESSAGES)
    row = rows.get(f"{GENERAL}:{PARENT}")
    assert row
    rows.put({**row, "reactions": [{"name": "tada", "users": [ANA]}, {"name": "eyes", "users": [ANA]}]})
    workspace.react(workspace.channel(GENERAL), PARENT, "tada")
    changed = rows.get(row["id"])
    assert changed
    assert changed["reactions"] == [{"name": "tada", "users": [ANA, BOT]}, {"name": "eyes", "users": [ANA]}]


def test_a_range_of_time_is_open_or_closed(workspace: Workspace) -> None:
    """Bounds count only if they are to; bounds without a fraction are understood."""
    messages = workspace.messages(workspace.channel(GENERAL))

    def found(oldest: str | None, latest: str | None, inclusive: bool) -> list[str]:
        return [message["ts"] for message in between(messages, oldest, latest, inclusive)]

    assert found(PARENT, None, False) == [REPLY, f"{SECOND - 1800}.000300"]
    assert found(PARENT, REPLY, True) == [PARENT, REPLY]
    assert found(PARENT, REPLY, False) == []
    assert found(str(SECOND - 3600), None, False)[0] == REPLY
    assert refusal(lambda: found("yesterday", None, False)) == "invalid_ts_oldest"
    assert refusal(lambda: found(None, "1.2.3", False)) == "invalid_ts_latest"


@pytest.mark.parametrize("text", ["", "x", "-1", "1.", "1.2345678", "١٢٣", "1e5"])
def test_what_is_no_timestamp(text: str) -> None:
    """Only digits with at most six of them after the point are a timestamp."""
    if text == "1.":
        assert str(Moment.of(text)) == "1.000000"
        return
    with pytest.raises(ValueError, match="no timestamp"):
        Moment.of(text)
