"""Malformed calls of `respond`: each is a turn and a failed call, as with any other tool."""

from typing import Any

import httpx2
import pytest
from mcp.types import INVALID_PARAMS

from tests.api.mcp.table import Table, bearer, text
from tests.e2e.server import PATIENCE_S

BAD: list[dict[str, Any]] = [{}, {"text": "hi"}, {"message": 7}, {"message": "hi", "tone": "kind"}]


@pytest.mark.parametrize("user", ["scripted", "none"])
async def test_a_bad_call_of_respond_is_a_turn(table: Table, era: str, user: str) -> None:
    """The error says what `respond` takes, and the record has the call as it was sent."""
    episode = table.begin(user={"strategy": user})
    async with table.client(episode, era) as client:
        for number, arguments in enumerate(BAD, 1):
            result = await client.call_tool("respond", arguments)
            assert result.is_error
            assert "`message`" in text(result)
            assert (result.meta or {})["agent-env-server/turn"] == number
    sent = [turn["action"]["tool_calls"][0] for turn in table.turns(episode)]
    assert sent == [{"name": "respond", "arguments": arguments} for arguments in BAD]


@pytest.mark.parametrize("arguments", BAD[:2])
async def test_an_agent_that_repeats_it_comes_to_its_end(table: Table, arguments: dict[str, Any]) -> None:
    """Each bad call counts as an error, and `max_errors` ends the episode."""
    episode = table.begin(max_errors=3)
    async with table.client(episode) as client:
        done = [(await client.call_tool("respond", arguments)).meta or {} for _ in range(4)]
    assert [meta["agent-env-server/done"] for meta in done] == [False, False, True, True]
    assert [meta["agent-env-server/turn"] for meta in done] == [1, 2, 3, 3]
    assert table.trajectory(episode)["episode"]["stop_reason"] == "max_errors"


async def test_its_retry_is_told_the_same(table: Table) -> None:
    """With the caller's key, a bad call and its retry are one turn with one answer; the record has the same text."""
    episode = table.begin()
    meta: Any = {"agent-env-server/idempotency-key": "bad"}
    async with table.client(episode) as one, table.client(episode, at=1) as two:
        results = [await client.call_tool("respond", {}, meta=meta) for client in (one, two)]
    assert results[0].model_dump() == results[1].model_dump()
    (turn,) = table.turns(episode)
    assert [message["content"] for message in turn["observation"]] == [text(results[0])]


def test_who_has_no_respond_is_told_that_there_is_none(table: Table) -> None:
    """Over `/step` an agent speaks in plain words, so `respond` is an unknown tool there."""
    episode = table.begin()
    reply = table.step(episode, {"tool_calls": [{"name": "respond", "arguments": {}}]})
    assert "no tool named 'respond'" in reply["observation"][0]["content"]


@pytest.mark.parametrize("brought", [None, {"city": 7}])
async def test_malformed_answers_to_no_question_play_nothing(table: Table, brought: Any) -> None:
    """The server asks its clients no questions: it ignores well-formed answers, and malformed ones play no turn."""
    episode = table.begin()
    headers = bearer(episode["agent_token"]) | {"Accept": "application/json, text/event-stream"}
    async with httpx2.AsyncClient(timeout=PATIENCE_S, headers=headers) as client:

        async def respond(answers: Any) -> dict[str, Any]:
            params = {"name": "respond", "arguments": {"message": "Hello"}, "inputResponses": answers}
            message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
            answer: dict[str, Any] = (await client.post(episode["mcp_url"], json=message)).json()
            return answer

        assert (await respond(brought))["error"]["code"] == INVALID_PARAMS
        assert table.turns(episode) == []
        assert "result" in await respond({})
    assert len(table.turns(episode)) == 1
