from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from mcp_servers.kit.errors import UpstreamError
from mcp_servers.kit.upstream.wire import InProcess
from mcp_servers.slack.api import Settings, Slack
from mcp_servers.slack.directory import MOST_PAGES, Directory
from mcp_servers.world.rows import CHANNELS
from mcp_servers.world.store import MemoryStore
from tests.mcp_servers.faults import Faulty
from tests.mcp_servers.slack.asked import Workspace
from tests.mcp_servers.slack.team import ANA, BOT, DEALS, GENERAL, channel

PAGES = [[("general", "C1"), ("desk", "C2")], [("deals", "C3"), ("desk", "C9")]]


class Listed:
    """A list of two pages that counts how often it is read, and a clock."""

    def __init__(self) -> None:
        """Start at noon with nothing read."""
        self.reads = 0
        self.now = 0.0

    async def read(self, cursor: str | None) -> tuple[list[tuple[str, str]], str | None]:
        """Read a page."""
        self.reads += 1
        return PAGES[int(cursor or 0)], None if cursor else "1"

    def clock(self) -> float:
        """The time that the test sets."""
        return self.now


async def test_a_name_is_looked_up_once() -> None:
    """What was read is known for a while, also the names beside the one that was wanted; then it is read again."""
    listed = Listed()
    directory = Directory(listed.read, 60.0, listed.clock)
    assert [await directory.find(name) for name in ("deals", "deals", "general", "desk")] == ["C3", "C3", "C1", "C2"]
    assert listed.reads == 2
    listed.now = 60.0
    assert await directory.find("general") == "C1"
    assert listed.reads == 3


async def test_a_name_that_is_not_known_is_looked_for_again() -> None:
    """Somebody may have made the channel since, so an unknown name is not cached."""
    listed = Listed()
    directory = Directory(listed.read, 60.0, listed.clock)
    assert [await directory.find("new"), await directory.find("new")] == [None, None]
    assert listed.reads == 4


async def test_a_list_without_end_is_left() -> None:
    """After the maximum number of pages a name counts as unknown."""
    reads: Iterator[int] = iter(range(10 * MOST_PAGES))

    async def read(_: str | None) -> tuple[list[tuple[str, str]], str | None]:
        return [], f"{next(reads)}"

    assert await Directory(read, 0.0).find("general") is None
    assert next(reads) == MOST_PAGES


async def test_the_live_workspace_is_listed_once() -> None:
    """With a token, calls by name ask for the list of channels or members once."""
    faulty = Faulty(Workspace().app)
    slack = Slack(Settings(api_key=SecretStr("xoxb-1")), InProcess(faulty))
    assert [await slack.channel_id(name) for name in ("general", "#deals", GENERAL)] == [GENERAL, DEALS, GENERAL]
    assert [await slack.user_id("ana"), await slack.user_id("Ana Ruiz")] == [ANA, ANA]
    assert [request["path"].rpartition("/")[2] for request in faulty.requests] == ["conversations.list", "users.list"]


async def test_the_offline_workspace_is_asked_each_time() -> None:
    """Episodes share a server and not a workspace, so without a token nothing is remembered."""
    store: MemoryStore = Workspace().store
    faulty = Faulty(Workspace(store).app)
    slack = Slack(Settings(api_key=None))
    slack._upstream._wire = InProcess(faulty)
    with pytest.raises(UpstreamError, match=r"^\[not_found\]"):
        await slack.channel_id("late")
    store.rows(CHANNELS).put(channel("C0LATE001", "late", ANA, BOT))
    assert await slack.channel_id("late") == "C0LATE001"
    store.rows(CHANNELS).put(channel("C0LATE001", "later", ANA, BOT))
    with pytest.raises(UpstreamError, match=r"^\[not_found\]"):
        await slack.channel_id("late")
