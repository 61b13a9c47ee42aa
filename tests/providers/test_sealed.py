"""Sealed servers answer from the rows of the calling episode, and their memory can be rebuilt from these rows."""

from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from functools import cache
from typing import Any

import pytest

from env_server.providers.sealed import SERVER_CALLS, SealedServers
from env_server.providers.spec import CallScope, Effect, FailureKind, ServerResult, ServerTool, StateLost, ToolKind
from env_server.state import Index, Snapshot, State, Table, TableView
from mcp_servers.world.generate import generate
from mcp_servers.world.rows import TABLES

pytestmark = pytest.mark.anyio
NOW = datetime.fromisoformat("2025-03-31T20:00:00Z")
POST = {"channel_id": "general", "text": "The report is ready."}
SPAN = {"ticker": "ORCA", "start_date": "2025-03-24", "end_date": "2025-04-30"}


@cache
def base() -> Snapshot:
    """The offline world as the base of episodes."""
    worlds = [Table(t.name, t.row, t.key, tuple(Index(i.name, i.values) for i in t.indexes)) for t in TABLES]
    return Snapshot([*worlds, SERVER_CALLS], {table.name: rows for table, rows in generate(0).items()})


class Desk:
    """Episodes that call the sealed servers of one process."""

    def __init__(self, *names: str) -> None:
        """Offer these servers."""
        self.servers = SealedServers(names)
        self.tools: Mapping[str, ServerTool] = {tool.name: tool for tool in self.servers.tools()}

    async def call(self, state: State, name: str, arguments: Mapping[str, Any], episode: str = "ep_1") -> ServerResult:
        """Call a tool in an episode."""
        return await self.servers.call(self.tools[name], arguments, CallScope(state, episode, NOW))


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    """The servers of a process; they are closed at the end."""
    found = Desk("polygon", "slack", "python")
    yield found
    await found.servers.aclose()


def episode() -> State:
    """A new episode in the world."""
    return State.at(base())


async def test_a_look_up_gives_text_and_structure_and_changes_nothing(desk: Desk) -> None:
    """A read answers as of the task's time, and the state hash stays."""
    state = episode()
    before = state.hash

    found = await desk.call(state, "polygon_get_aggs", SPAN)
    assert not found.is_error
    assert [bar["time"] for bar in found.structured["bars"]][-1] == "2025-03-31"
    assert "ORCA" in found.text
    assert state.hash == before


async def test_a_write_is_a_row_of_the_episode_that_made_it(desk: Desk) -> None:
    """A posted message changes the hash of its own episode and is read back there; other episodes do not have it."""
    mine, other = episode(), episode()
    before = mine.hash
    assert not (await desk.call(mine, "slack_post_message", POST)).is_error
    assert mine.hash != before
    assert [change.table for change in mine.take_changes()] == ["messages"]
    read = {"channel_id": "general", "limit": 1}
    assert POST["text"] in (await desk.call(mine, "slack_get_channel_history", read)).text
    assert POST["text"] not in (await desk.call(other, "slack_get_channel_history", read, "ep_2")).text


async def test_a_wrong_argument_is_the_models_mistake(desk: Desk) -> None:
    """The error has the server's own words, and is no failure of the server."""
    found = await desk.call(episode(), "polygon_get_aggs", {"ticker": "ORCA"})
    assert found.is_error
    assert found.failure is None
    assert "[bad_request]" in found.text
    assert "start_date" in found.text


async def test_the_listing_says_what_a_tool_may_do(desk: Desk) -> None:
    """Look-ups are reads that show facts; a post writes rows; the sandbox shows no facts of the world."""
    assert all(tool.effect is Effect.ROWS for tool in desk.tools.values())
    assert desk.tools["polygon_get_aggs"].kind is ToolKind.READ
    assert desk.tools["slack_post_message"].kind is ToolKind.WRITE
    assert desk.tools["polygon_get_aggs"].shows
    assert not desk.tools["execute_python"].shows
    assert desk.tools["polygon_get_aggs"].schema["function"]["parameters"]["required"] == [
        "ticker", "start_date", "end_date",
    ]  # fmt: skip


async def test_the_sandbox_is_made_again_elsewhere(desk: Desk) -> None:
    """Another process, which has only the rows, rebuilds the sandbox with the same variables and random numbers."""
    state = episode()
    first = await desk.call(state, "execute_python", {"code": "import random\nx = 41\nrandom.random()"})
    elsewhere = Desk("python")
    try:
        fork = state.fork()
        more = await elsewhere.call(fork, "execute_python", {"code": "x + 1"}, "ep_fork")
        assert more.text == "42"
        draw = {"code": "random.random()"}
        drawn = await elsewhere.call(fork, "execute_python", draw, "ep_fork")
        assert drawn.text != first.text
        await desk.call(state, "execute_python", {"code": "x + 1"})
        assert (await desk.call(state, "execute_python", draw)).text == drawn.text
        assert state.hash == fork.hash
    finally:
        await elsewhere.servers.aclose()


async def test_a_call_that_was_undone_is_forgotten(desk: Desk) -> None:
    """The sandbox remembers only the calls whose rows exist."""
    state = episode()
    await desk.call(state, "execute_python", {"code": "x = 1"})
    undo = state.savepoint()
    await desk.call(state, "execute_python", {"code": "x = 2"})
    undo()
    assert (await desk.call(state, "execute_python", {"code": "x"})).text == "1"


async def test_killed_code_takes_its_variables_with_it(desk: Desk) -> None:
    """After a call that killed the sandbox, the next one begins without variables, also in another process."""
    state = episode()
    await desk.call(state, "execute_python", {"code": "x = 1"})
    killed = await desk.call(state, "execute_python", {"code": "import os\nos._exit(1)"})
    assert killed.is_error
    assert killed.failure in (FailureKind.REFUSED, FailureKind.TIMED_OUT)
    after = await desk.call(state, "execute_python", {"code": "'x' in globals()"})
    assert after.text == "False"
    await desk.servers.forget("ep_1")
    assert (await desk.call(state, "execute_python", {"code": "'x' in globals()"})).text == "False"


async def test_another_result_on_the_second_run_is_a_lost_state(desk: Desk) -> None:
    """If the code of a call has another output when it runs again, the state is lost, and the next call says so."""
    state = episode()
    await desk.call(state, "execute_python", {"code": "1"})
    view = TableView(state, SERVER_CALLS)
    row = view.edit("0001")
    row["output"] = "another"
    view.put(row)
    with pytest.raises(StateLost, match="call 1 to python"):
        await desk.call(state, "execute_python", {"code": "2"})


async def test_episodes_with_the_same_rows_share_look_ups(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look-up is made once for equal rows, time and arguments; after a change of the rows it is made again."""
    made = []

    async def counted(server: str, name: str, arguments: dict[str, Any], scope: CallScope) -> ServerResult:
        made.append(name)
        return await real(server, name, arguments, scope)

    real = desk.servers._call
    monkeypatch.setattr(desk.servers, "_call", counted)
    history = {"channel_id": "general", "limit": 1}
    mine, other = episode(), episode()
    read = [await desk.call(state, "slack_get_channel_history", history) for state in (mine, other, mine)]
    assert read[0] is read[1] is read[2]
    await desk.call(mine, "slack_post_message", POST)
    await desk.call(mine, "slack_post_message", POST)
    assert POST["text"] in (await desk.call(mine, "slack_get_channel_history", history)).text
    assert await desk.call(other, "slack_get_channel_history", history) is read[0]
    await desk.call(other, "slack_get_channel_history", {**history, "limit": 2})
    assert [name.removeprefix("slack_") for name in made] == [
        "get_channel_history",
        "post_message",
        "post_message",
        "get_channel_history",
        "get_channel_history",
    ]


async def test_a_kept_result_cannot_be_changed(desk: Desk) -> None:
    """Episodes share a kept result, so it cannot be changed in place."""
    found = await desk.call(episode(), "polygon_get_aggs", SPAN)
    with pytest.raises(TypeError):
        found.structured["bars"].clear()
    with pytest.raises(TypeError):
        found.structured["ticker"] = "other"
