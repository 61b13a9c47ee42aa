"""`respond` waits for external users."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.mcp.table import Json, Table, text
from tests.e2e.server import Server

EXTERNAL = {"strategy": "external", "first_message": "Hi!"}
AWAITING = "agent-env-server/awaiting_user"
TURN = "agent-env-server/turn"


@pytest.fixture(scope="module")
def hasty(table: Table) -> Iterator[Table]:
    """Another server on the same database, which waits only briefly for external users."""
    first = table.servers[0]
    server = Server(first.database, first.settings | {"RESPOND_WAIT_S": "0.3"}).start()
    yield Table([server])
    server.kill()


async def say(table: Table, episode: Json, content: str, at: int = 0, after: float = 0.2, **body: Any) -> Json:
    """Send the user's words after a delay, when the episode waits for them: the first call may have to load MCP."""
    path = f"/episodes/{episode['episode_id']}/user"
    while True:
        await asyncio.sleep(after)
        reply = await asyncio.to_thread(table.send, "POST", path, {"content": content, **body}, at, table.key)
        if reply.status_code == 200 or reply.json()["code"] != "not_awaiting_user":
            assert reply.status_code == 200, reply.text
            spoken: Json = reply.json()
            return spoken


async def test_the_answer_is_the_result(table: Table, era: str) -> None:
    """`respond` returns once the user has spoken, whichever server took their words."""
    episode = table.begin(user=EXTERNAL)
    async with table.client(episode, era) as client:
        for at in (0, 1):
            spoken = client.call_tool("respond", {"message": f"And {at}?"})
            result, _ = await asyncio.gather(spoken, say(table, episode, f"Yes {at}.", at))
            assert (text(result), result.is_error) == (f"Yes {at}.", False)
    assert [t["action"] for t in table.turns(episode)] == [{"content": "And 0?"}, {"content": "And 1?"}]


async def test_patience_ends_with_awaiting_user(table: Table, hasty: Table, era: str) -> None:
    """After the wait the agent is told to wait on; an empty message does so, and neither is a turn.

    With nothing to wait for, an empty message is a turn, so that an agent which repeats it comes to its end.
    """
    episode = table.begin(user=EXTERNAL)
    async with hasty.client(episode, era, at=0) as client:
        waiting = await client.call_tool("respond", {"message": "Well?"})
        again = await client.call_tool("respond", {"message": ""})
        early = await client.call_tool("think", {"thought": "hm"})
        for result in (waiting, again, early):
            assert text(result).startswith("awaiting_user")
            assert (result.meta or {})[AWAITING] is True
            assert (result.meta or {})[TURN] == 1
        assert (waiting.is_error, again.is_error, early.is_error) == (False, False, True)
    async with table.client(episode, era) as client:
        heard, _ = await asyncio.gather(client.call_tool("respond", {"message": " "}), say(table, episode, "Yes."))
        assert text(heard) == "Yes."
        assert text(await client.call_tool("respond", {"message": ""})) == "Yes."
        assert len(table.turns(episode)) == 1
        await client.call_tool("think", {"thought": "hm"})
        nothing = await client.call_tool("respond", {"message": ""})
        assert text(nothing).startswith("The message was empty")
        assert (nothing.meta or {})[TURN] == 3
        assert (nothing.meta or {})[AWAITING] is False
    assert len(table.turns(episode)) == 3


async def test_what_comes_before_the_answer_is_said_to_be_dropped(table: Table, hasty: Table) -> None:
    """Words and calls before the answer are dropped, and the agent is told: else it would think that they were read."""
    episode = table.begin(user=EXTERNAL)
    async with hasty.client(episode, at=0) as client:
        await client.call_tool("respond", {"message": "Well?"})
        words = await client.call_tool("respond", {"message": "Are you there?"})
        call = await client.call_tool("think", {"thought": "hm"})
    assert "your words were dropped" in text(words)
    assert "the call was dropped" in text(call)
    for result in (words, call):
        assert result.is_error
        assert result.meta is not None
        assert (result.meta[AWAITING], result.meta[TURN]) == (True, 1)
    assert len(table.turns(episode)) == 1


async def test_the_first_words_are_waited_for(table: Table) -> None:
    """If the user opens the conversation, an empty message waits for their first words."""
    episode = table.begin(user={"strategy": "external"})
    assert episode["info"]["awaiting_user"]
    async with table.client(episode) as client:
        (start,) = (await client.get_prompt("start")).messages
        assert "The user speaks first" in start.content.model_dump()["text"]
        heard, _ = await asyncio.gather(client.call_tool("respond", {"message": ""}), say(table, episode, "Hello!"))
        assert text(heard) == "Hello!"
        (message,) = (await client.get_prompt("start")).messages[1:]
        assert message.content.model_dump()["text"] == "Hello!"


async def test_a_retry_hears_the_answer_that_was_missed(table: Table, hasty: Table) -> None:
    """A retry with the same key gets the answer that came after the first call's wait; nothing is said twice."""
    episode = table.begin(user=EXTERNAL)
    meta: Any = {"agent-env-server/idempotency-key": "asked"}
    async with hasty.client(episode, at=0) as client:
        assert text(await client.call_tool("respond", {"message": "Sure?"}, meta=meta)).startswith("awaiting_user")
        await say(table, episode, "Sure.", after=0)
        assert text(await client.call_tool("respond", {"message": "Sure?"}, meta=meta)) == "Sure."
    assert len(table.turns(episode)) == 1


async def test_the_users_own_calls_are_not_the_answer(table: Table) -> None:
    """The agent waits for words while an external user makes calls on their own phone."""
    episode = table.begin(domain="telecom", user=EXTERNAL)
    async with table.client(episode) as client:
        spoken = asyncio.create_task(client.call_tool("respond", {"message": "Please look."}))
        await asyncio.sleep(0.2)
        path, look = f"/episodes/{episode['episode_id']}/user", {"name": "check_status_bar", "arguments": {}}
        await asyncio.to_thread(table.ask, "POST", path, {"tool_calls": [look]})
        await say(table, episode, "No bars.", after=0)
        assert text(await spoken) == "No bars."


async def test_who_waits_learns_of_the_end(table: Table, era: str) -> None:
    """A waiting agent gets the user's stop as its answer; after a close it is told that the episode is finished."""
    stopped, closed = table.begin(user=EXTERNAL), table.begin(user=EXTERNAL)
    async with table.client(stopped, era) as client:
        spoken = client.call_tool("respond", {"message": "Done."})
        result, _ = await asyncio.gather(spoken, say(table, stopped, "###STOP###"))
        assert (text(result), (result.meta or {})["agent-env-server/done"]) == ("###STOP###", True)
    async with table.client(closed, era) as client:
        spoken = client.call_tool("respond", {"message": "Still there?"})
        path = f"/episodes/{closed['episode_id']}/close"
        result, _ = await asyncio.gather(spoken, asyncio.to_thread(table.ask, "POST", path, {}))
        last = await client.call_tool("respond", {"message": ""})
        for end in (result, last):
            assert (text(end), end.is_error) == ("the episode is finished", True)
            assert end.meta is not None
            assert (end.meta["agent-env-server/done"], end.meta[TURN], end.meta[AWAITING]) == (True, 1, False)
