"""Users that are models and take longer than MCP clients wait: no call hangs, and each message is played once."""

import asyncio
from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest
from agents.mcp import MCPServerStreamableHttp
from mcp import Client, MCPError
from mcp.types import CallToolResult, TextContent

from tests.api.mcp.table import KEY, SECRET, Json, Table, bearer, text
from tests.e2e.server import Server
from tests.standin.fixtures import running, standin
from tests.standin.protocol import Reply
from tests.standin.server import StandIn

__all__ = ["running", "standin"]

AWAITING = "agent-env-server/awaiting_user"
MODEL = {"strategy": "llm"}
SLOW_S = 8.0


@pytest.fixture(scope="module")
def slow(running: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Two servers on one database. The stand-in plays their users, and they wait 0.3 s; the second streams."""
    settings = {
        "API_KEYS": f"trainer:{KEY}",
        "TOKEN_SECRET": SECRET,
        "DOMAINS": "retail",
        "USER_BASE_URL": running.url,
        "USER_MODEL": "standin",
        "USER_RETRIES": "0",
        "RESPOND_WAIT_S": "0.3",
    }
    database = tmp_path_factory.mktemp("slow") / "episodes.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "sk-the-servers-own")
        servers = [Server(database, settings), Server(database, settings | {"MCP_STREAMS": "true"})]
        for server in servers:
            server.launch()
        for server in servers:
            server.await_ready()
        yield Table(servers)
    for server in servers:
        server.kill()


def begin(table: Table, standin: StandIn, *answers: Reply | str) -> Json:
    """A new episode whose user says "Hi!" and then `answers`."""
    standin.then("Hi!", *answers)
    return table.begin(user=MODEL)


async def respond(client: Client, message: str) -> CallToolResult:
    """One call of `respond`."""
    return await client.call_tool("respond", {"message": message})


async def hear(client: Client) -> str:
    """Send empty messages until the user's answer is there."""
    while (result := await respond(client, "")).meta and result.meta[AWAITING]:
        assert text(result).startswith("awaiting_user")
    return text(result)


def said(table: Table, episode: Json) -> list[Any]:
    """The agent's messages in the record."""
    return [turn["action"].get("content") for turn in table.turns(episode)]


async def test_the_answer_is_fetched_later(slow: Table, standin: StandIn, era: str) -> None:
    """After the wait, empty messages fetch the answer, once or twice, and are no turns."""
    held = Event()
    episode = begin(slow, standin, Reply("It is me@example.com.", held=held), "Thank you.")
    async with slow.client(episode, era) as client:
        tools = {tool.name: tool.description for tool in (await client.list_tools()).tools}
        assert "empty message" in str(tools["respond"])
        first = await respond(client, "Your email address?")
        assert text(first).startswith("awaiting_user")
        assert (first.is_error, (first.meta or {})[AWAITING]) == (False, True)
        held.set()
        assert await hear(client) == "It is me@example.com."
        assert await hear(client) == "It is me@example.com."
        assert text(await respond(client, "And your name?")) == "Thank you."
    assert said(slow, episode) == ["Your email address?", "And your name?"]
    assert len(list(standin.asked())) == 3


async def test_what_comes_before_the_answer_is_dropped_or_the_same(slow: Table, standin: StandIn) -> None:
    """Until the user answers, other words and calls are dropped, on any server; the same words wait for the answer."""
    held = Event()
    episode = begin(slow, standin, Reply("Fine.", held=held))
    async with slow.client(episode, at=0) as client, slow.client(episode, at=1) as elsewhere:
        await respond(client, "Well?")
        for late in (
            await respond(client, "Hello?"),
            await client.call_tool("think", {"thought": "hm"}),
            await elsewhere.call_tool("think", {"thought": "hm"}),
        ):
            assert (late.is_error, text(late).startswith("awaiting_user"), "dropped" in text(late)) == (True,) * 3
        assert text(await respond(client, "Well?")).startswith("awaiting_user")
        held.set()
        assert await hear(client) == "Fine."
    assert said(slow, episode) == ["Well?"]
    assert len(list(standin.asked())) == 2


async def test_a_killed_server_loses_no_message(slow: Table, standin: StandIn) -> None:
    """After `kill -9`, another server plays the message whose answer the agent was told to fetch later."""
    held = Event()
    episode = begin(slow, standin, Reply("lost", held=held), "I am back.")
    doomed = Server(slow.servers[0].database, slow.servers[0].settings).start()
    async with Table([doomed]).client(episode, at=0) as client:
        assert text(await respond(client, "Are you there?")).startswith("awaiting_user")
    doomed.kill()
    async with slow.client(episode, at=0) as client:
        assert await hear(client) == "I am back."
    held.set()
    assert said(slow, episode) == ["Are you there?"]


async def test_a_user_that_fails_is_asked_again(slow: Table, standin: StandIn) -> None:
    """If the user fails after the wait, the call that fetches the answer fails; the next call asks the user again."""
    held = Event()
    episode = begin(slow, standin, Reply(status=500, held=held), "Now I am.")
    async with slow.client(episode) as client:
        assert text(await respond(client, "Are you there?")).startswith("awaiting_user")
        fetching = asyncio.create_task(respond(client, ""))
        await asyncio.sleep(0.05)
        held.set()
        with pytest.raises(MCPError) as caught:
            await fetching
        assert caught.value.error.data["retryable"]
        assert await hear(client) == "Now I am."
    assert said(slow, episode) == ["Are you there?"]


async def test_progress_is_told_where_it_can_be(slow: Table, standin: StandIn) -> None:
    """Over event streams, a client that asks for progress gets it while it waits."""
    patient = Server(slow.servers[1].database, slow.servers[1].settings | {"RESPOND_WAIT_S": "60"}).start()
    held = Event()
    episode = begin(slow, standin, Reply("Here.", held=held))
    told: list[tuple[float, float | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total))
        held.set()

    try:
        async with Table([patient]).client(episode, at=0) as client:
            result = await client.call_tool("respond", {"message": "Hello?"}, progress_callback=note)
            assert text(result) == "Here."
    finally:
        patient.kill()
    assert told[0][0] > 0
    assert told[0][1] == 60


@pytest.mark.slow
async def test_openai_agents_at_its_defaults(slow: Table, standin: StandIn) -> None:
    """OpenAI's client ends calls after 5 s: with a user that takes 8 s, no call fails and the user is asked once."""
    usual = Server(
        slow.servers[0].database, {k: v for k, v in slow.servers[0].settings.items() if k != "RESPOND_WAIT_S"}
    )
    usual.start()
    episode = begin(slow, standin, Reply("Sorry, I was away.", delay_s=SLOW_S))
    url = f"{usual.url}/episodes/{episode['episode_id']}/mcp"
    try:
        async with MCPServerStreamableHttp({"url": url, "headers": bearer(episode["agent_token"])}) as tools:
            words: list[str] = []
            message = "Are you there?"
            while not words or words[-1].startswith("awaiting_user"):
                result = await tools.call_tool("respond", {"message": message})
                content, message = result.content[0], ""
                assert isinstance(content, TextContent)
                words.append(content.text)
    finally:
        usual.kill()
    assert words[-1] == "Sorry, I was away."
    assert len(words) > 2
    assert said(slow, episode) == ["Are you there?"]
    assert len(list(standin.asked())) == 2
