"""The catalogue at /mcp, with a trainer's key."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent

from agent_env_schemas import Problem, StepReply
from tests.api.mcp.table import Table, bearer


@asynccontextmanager
async def trainer(table: Table, era: str, at: int = 0) -> AsyncIterator[Client]:
    """The official client with the trainer's key."""
    async with (
        httpx2.AsyncClient(headers=bearer(table.key)) as http,
        Client(streamable_http_client(table.url("/mcp", at), http_client=http), mode=era) as client,
    ):
        yield client


def said(result: CallToolResult) -> Any:
    """The JSON of a result."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return json.loads(content.text)


async def test_a_trainer_plays_by_the_catalogue_alone(table: Table, era: str) -> None:
    """From the domains to the record; each reply is the one that HTTP gives, and the client checks it by its schema."""
    async with trainer(table, era) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert list(tools) == ["domains", "tasks", "reset", "step", "trajectory"]
        assert tools["step"].input_schema["required"] == ["episode_id", "action"]
        found = await client.call_tool("domains", {})
        assert found.structured_content == table.ask("GET", "/domains")
        page = said(await client.call_tool("tasks", {"domain": "retail", "split": "test", "limit": 1}))
        task = page["tasks"][0]["task_id"]
        begun = said(await client.call_tool("reset", {"domain": "retail", "task_id": task, "idempotency_key": era}))
        again = said(await client.call_tool("reset", {"domain": "retail", "task_id": task, "idempotency_key": era}))
        assert begun | {"agent_token": None} == again | {"agent_token": None}
        assert begun["mcp_url"] == table.url(f"/episodes/{begun['episode_id']}/mcp")
        step = {"episode_id": "latest", "turn": 1, "action": "Hello! What is your email address?"}
        reply = await client.call_tool("step", step)
        assert StepReply.model_validate(reply.structured_content).reward == 0.0
        assert said(await client.call_tool("step", step)) == said(reply)
        record = said(await client.call_tool("trajectory", {"episode_id": begun["episode_id"]}))
        assert len(record["turns"]) == 1


async def test_the_catalogue_lists_and_begins_by_difficulty(table: Table, era: str) -> None:
    """`tasks` takes the parameters of the HTTP list and gives the same tasks; `reset` chooses among these tasks."""
    async with trainer(table, era) as client:
        asked = {
            "domain": "retail",
            "split": "val",
            "difficulty": "1-2",
            "order": "difficulty",
            "limit": 3,
            "offset": 38,
        }
        page = said(await client.call_tool("tasks", asked))
        query = "&".join(f"{name}={value}" for name, value in asked.items() if name != "domain")
        assert page == table.ask("GET", f"/domains/retail/tasks?{query}")
        assert [task["difficulty"] for task in page["tasks"]] == [1, 1, 1]
        first = said(await client.call_tool("tasks", {**asked, "order": "id", "limit": 1, "offset": 0}))["tasks"][0]
        chosen = {"domain": "retail", "split": "val", "difficulty": "1-2", "index": 0}
        assert said(await client.call_tool("reset", chosen))["info"]["task_id"] == first["task_id"]


async def test_what_is_refused_is_a_problem(table: Table, era: str) -> None:
    """A failed call has an error result with the problem document.

    A call of an unknown tool is an error of the protocol.
    """
    asked: dict[str, tuple[str, dict[str, Any]]] = {
        "episode_not_found": ("trajectory", {"episode_id": "ep_unknown"}),
        "invalid_request": ("reset", {"domain": "retail", "surprise": 1}),
        "not_found": ("tasks", {"domain": "nowhere"}),
    }
    async with trainer(table, era, at=1) as client:
        for code, (name, arguments) in asked.items():
            result = await client.call_tool(name, arguments)
            assert result.is_error
            assert Problem.model_validate(said(result)).code == code
        with pytest.raises(MCPError, match="Unknown tool"):
            await client.call_tool("close", {})
