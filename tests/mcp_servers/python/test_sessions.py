"""Which conversation a call belongs to, and how long a conversation is kept."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

import anyio
import pytest
from mcp import Client
from mcp.server.mcpserver import Context

from mcp_servers.kit.errors import UpstreamError
from mcp_servers.python import assemble
from mcp_servers.python.api import PythonTool
from mcp_servers.python.sandbox.result import Result
from mcp_servers.python.sessions import NEW, PROTECTED, Sessions
from mcp_servers.python.settings import Settings
from mcp_servers.world import NOW
from mcp_servers.world.store import Scope, Store, within
from tests.mcp_servers.python.asking import filled


class Silent:
    """A conversation that remembers whether it is closed."""

    alive = True
    folder = None
    closed = False

    async def run(
        self,
        code: str,
        *,
        now: datetime | None = None,
        inputs: Mapping[str, Any] | None = None,
        keep: str | None = None,
    ) -> Result:
        """Answer nothing."""
        return Result()

    async def close(self) -> None:
        """Remember it."""
        self.closed = True


class Clock:
    """A clock that a test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr(anyio, "current_time", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock in place of the event loop's."""
    return Clock(monkeypatch)


async def visit(sessions: Sessions, session: str | None) -> tuple[str | None, Silent]:
    """Take a lease and leave it; return the handle and the conversation."""
    async with sessions.lease(Context(), session) as lease:
        conversation = lease.entry.conversation
    assert isinstance(conversation, Silent)
    return lease.handle, conversation


async def test_fresh_calls_are_closed_at_once() -> None:
    """A call that belongs to no session leaves nothing."""
    sessions = Sessions(Silent, most=2, idle_s=100)
    handle, conversation = await visit(sessions, None)
    assert (handle, conversation.closed, len(sessions)) == (None, True, 0)


async def test_idle_sessions_expire(clock: Clock) -> None:
    """A session without calls for long enough is closed, and its handle is unknown."""
    sessions = Sessions(Silent, most=2, idle_s=100)
    handle, conversation = await visit(sessions, NEW)
    clock.now += 99
    assert await visit(sessions, handle) == (handle, conversation)
    clock.now += 101
    with pytest.raises(UpstreamError, match="expired"):
        await visit(sessions, handle)
    assert conversation.closed


async def test_sessions_are_bounded(clock: Clock) -> None:
    """Beyond the limit the one that was used least recently makes room, unless all were used a moment ago."""
    sessions = Sessions(Silent, most=2, idle_s=10_000)
    first, conversation = await visit(sessions, NEW)
    clock.now += 1
    second, _ = await visit(sessions, NEW)
    with pytest.raises(UpstreamError, match="all 2 sessions are in use"):
        await visit(sessions, NEW)
    clock.now += PROTECTED
    await visit(sessions, second)
    await visit(sessions, NEW)
    assert conversation.closed
    assert len(sessions) == 2
    with pytest.raises(UpstreamError):
        await visit(sessions, first)


class Slow(Silent):
    """A conversation that takes a while to close."""

    async def close(self) -> None:
        """Let others go on first."""
        await anyio.lowlevel.checkpoint()
        await super().close()


async def test_calls_that_begin_a_session_together(clock: Clock) -> None:
    """Calls of one episode that come while room is made share one conversation, and the limit holds."""
    begun: list[Slow] = []

    def begin() -> Slow:
        begun.append(Slow())
        return begun[-1]

    sessions = Sessions(begin, most=1, idle_s=10_000)
    await visit(sessions, NEW)
    clock.now += PROTECTED
    seats: set[int] = set()

    async def call() -> None:
        with within(Scope(cast(Store, None), NOW, episode="one")):
            async with sessions.lease(Context(), None) as lease:
                seats.add(id(lease.entry))

    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(call)
    assert (len(seats), len(sessions)) == (1, 1)
    assert [conversation.closed for conversation in begun] == [True, False]


async def test_a_running_session_is_not_closed(clock: Clock) -> None:
    """A session whose call takes long neither expires nor makes room."""
    sessions = Sessions(Silent, most=1, idle_s=100)
    async with sessions.lease(Context(), NEW) as lease:
        clock.now += 1000
        with pytest.raises(UpstreamError):
            await visit(sessions, NEW)
        assert not getattr(lease.entry.conversation, "closed", True)
    await sessions.close()
    assert len(sessions) == 0


async def test_a_lasting_connection_is_a_session() -> None:
    """Each connection of the older protocol has variables of its own, and handles work beside them; none is left."""
    settings = Settings(python_backend="monty")
    api = PythonTool(settings)
    server = assemble(api, settings)

    async def ask(client: Client, code: str, **more: Any) -> dict[str, Any]:
        return filled(await client.call_tool("execute_python", {"code": code, **more}))

    async with Client(server, mode="legacy") as one, Client(server, mode="legacy") as other:
        await ask(one, "x = 1")
        await ask(other, "x = 2")
        assert (await ask(one, "x"))["value"] == "1"
        handle = (await ask(one, "x = 3", session=NEW))["session"]
        assert (await ask(other, "x", session=handle))["value"] == "3"
        assert (await ask(one, "x"))["value"] == "1"
        assert len(api.sessions) == 3
    assert len(api.sessions) == 0
