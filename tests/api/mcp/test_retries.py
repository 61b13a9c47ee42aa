"""Calls that are sent twice, at the same time, or under the same JSON-RPC id."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from mcp import MCPError

from tests.api.mcp.table import ERAS, Json, Table, text

KEY = "agent-env-server/idempotency-key"
THINK = {"thought": "hm"}
CANCEL = {"order_id": "#W6204781", "reason": "ordered by mistake"}


def path(episode: Json) -> str:
    """Where the episode is played."""
    return f"/episodes/{episode['episode_id']}/mcp"


def call(table: Table, episode: Json, name: str, arguments: Json, at: int = 0, **params: Any) -> httpx2.Response:
    """A call with the agent's token."""
    given = {"name": name, "arguments": arguments, **params}
    found: httpx2.Response = table.post(path(episode), episode["agent_token"], "tools/call", at, **given)
    return found


def keyed(key: object) -> Any:
    """The metadata that holds a caller's key; the client's type knows only the protocol's own names."""
    return {KEY: key}


async def test_the_callers_key_makes_a_retry_safe(table: Table, era: str) -> None:
    """The same key and call give the stored answer on every server, and nothing is played again."""
    episode = table.begin()
    meta = keyed("first")
    async with table.client(episode, era) as one, table.client(episode, era, at=1) as two:
        results = [await c.call_tool("cancel_pending_order", CANCEL, meta=meta) for c in (one, two, one)]
        fresh = await two.call_tool("cancel_pending_order", CANCEL, meta=keyed("second"))
    assert results[0].model_dump() == results[1].model_dump() == results[2].model_dump()
    assert (results[0].is_error, fresh.is_error) == (False, True)
    assert len(table.turns(episode)) == 2


async def test_a_key_with_another_call_is_refused(table: Table, era: str) -> None:
    """One key stands for one call: with other arguments it is an error and no turn."""
    episode = table.begin()
    meta = keyed("mine")
    async with table.client(episode, era) as client:
        await client.call_tool("think", THINK, meta=meta)
        with pytest.raises(MCPError) as refused:
            await client.call_tool("think", {"thought": "else"}, meta=meta)
        assert refused.value.error.data["code"] == "key_conflict"
        for bad in ("", "x" * 201, 7, "nul\0"):
            with pytest.raises(MCPError) as refused:
                await client.call_tool("think", THINK, meta=keyed(bad))
            assert refused.value.error.data["code"] == "invalid_request"
    assert len(table.turns(episode)) == 1


async def test_keys_are_each_episodes_own(table: Table) -> None:
    """Episodes may use the same key, also one that a trainer has used for a reset: each use is another request."""
    episodes = [table.begin(), table.begin(), table.begin(idempotency_key="k")]
    for episode in episodes:
        reply = call(table, episode, "think", THINK, meta={KEY: "k"}).json()
        assert reply["result"]["_meta"]["agent-env-server/turn"] == 1


async def test_the_last_calls_retry_gets_the_last_answer(table: Table) -> None:
    """A key still finds its answer after the end of the episode; a new key is told that the episode has ended."""
    episode = table.begin(max_turns=1)
    last = [call(table, episode, "think", THINK, at, meta={KEY: "last"}).json()["result"] for at in (0, 1)]
    assert last[0]["content"] == last[1]["content"]
    assert last[0]["_meta"]["agent-env-server/done"] is last[1]["_meta"]["agent-env-server/done"] is True
    over = call(table, episode, "think", THINK, meta={KEY: "new"}).json()["result"]
    assert (over["isError"], over["content"][0]["text"]) == (True, "the episode is finished")


def test_json_rpc_ids_are_no_keys(table: Table) -> None:
    """Two fresh clients that count from 1 each get the answers to their own calls, on one server or two."""
    episode = table.begin()
    for at in (0, 0, 1, 1):
        answers = [call(table, episode, "think", {"thought": f"{at}-{i}"}, at, id=i) for i in (1, 2)]
        assert [a.json()["id"] for a in answers] == [1, 2]
    thoughts = [t["action"]["tool_calls"][0]["arguments"]["thought"] for t in table.turns(episode)]
    assert thoughts == ["0-1", "0-2"] * 2 + ["1-1", "1-2"] * 2


async def test_two_clients_with_the_same_ids_never_get_each_others_answers(table: Table, era: str) -> None:
    """Two clients that use the same ids on one episode at the same time each get the answer to their own request."""
    episode = table.begin(max_turns=100)
    sums = {"one": range(20), "two": range(100, 120)}

    async def ask(numbers: range) -> list[str]:
        async with table.client(episode, era) as client:
            return [text(await client.call_tool("calculate", {"expression": f"{n} + 1"})) for n in numbers]

    one, two = await asyncio.gather(*map(ask, sums.values()))
    assert [float(x) for x in one] == [n + 1 for n in sums["one"]]
    assert [float(x) for x in two] == [n + 1 for n in sums["two"]]
    assert len(table.turns(episode)) == 40


async def test_parallel_calls_are_turns_one_after_another(table: Table, era: str) -> None:
    """Sixteen calls at once become sixteen turns, each with its own answer, in the order in which they came."""
    episode = table.begin()
    async with table.client(episode, era) as client:
        await client.list_tools()
        asked = [client.call_tool("calculate", {"expression": f"{n} * 2"}) for n in range(16)]
        results = await asyncio.gather(*asked)
    assert [float(text(r)) for r in results] == [2 * n for n in range(16)]
    turns = [(r.meta or {})["agent-env-server/turn"] for r in results]
    assert sorted(turns) == list(range(1, 17))
    played = [p["action"]["tool_calls"][0]["arguments"]["expression"] for p in table.turns(episode)]
    assert [played[t - 1] for t in turns] == [f"{n} * 2" for n in range(16)]


def test_one_key_at_once_is_one_turn(table: Table) -> None:
    """Eight copies of a call race over two servers: one is played, and all get its answer."""
    episode = table.begin()

    def copy(number: int) -> str:
        answer = call(table, episode, "cancel_pending_order", CANCEL, number % 2, meta={KEY: "k"}).json()
        told: str = answer["result"]["content"][0]["text"]
        return told

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(copy, range(8)))) == 1
    assert len(table.turns(episode)) == 1


def test_text_that_json_cannot_hold_is_replaced(table: Table) -> None:
    """Half a surrogate pair is a model's mistake, stored as U+FFFD as over /step; too deep nesting is refused."""
    episode = table.begin()
    meta = {"io.modelcontextprotocol/protocolVersion": ERAS[0], "io.modelcontextprotocol/clientCapabilities": {}}
    body = json.dumps(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "think", "arguments": {"thought": "HERE"}, "_meta": meta},
        }
    )

    def send(thought: str) -> Json:
        given = body.replace('"HERE"', thought)
        answer: Json = table.post_text(path(episode), given, episode["agent_token"], "tools/call", name="think").json()
        return answer

    assert send('"half \\ud83d"')["result"]["isError"] is False
    assert send("[" * 300 + "]" * 300)["error"]["data"]["code"] == "invalid_request"
    assert send("1e999")["result"]["isError"] is True
    (first, *_rest) = table.turns(episode)
    assert first["action"]["tool_calls"][0]["arguments"] == {"thought": "half \ufffd"}
