"""Structured results of MCP servers, as the official client takes them: it checks each against its output schema."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp.types import TextContent

from tests.api.mcp.table import KEY, SECRET, Table
from tests.e2e.server import Server
from tests.providers.live.blocks import odd, ours

CLOSE = {"ticker": "ORCA", "start_date": "2025-03-03", "end_date": "2025-03-31"}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A server with a domain of two MCP servers."""
    folder: Path = tmp_path_factory.mktemp("own")
    blocks = {"odd": odd("--shapes"), "polygon": ours("polygon")}
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": blocks}), encoding="utf-8")
    task = {"task_id": "t", "instruction": "?", "answer": {"kind": "text", "value": "x"}, "servers": [*blocks]}
    (folder / "tasks.jsonl").write_text(json.dumps(task), encoding="utf-8")
    settings = {"API_KEYS": f"trainer:{KEY}", "TOKEN_SECRET": SECRET, "DOMAINS": "retail"}
    files = {"MCP_CONFIG": str(folder / "mcp.json"), "MCP_TASKS": str(folder / "tasks.jsonl")}
    server = Server(folder / "episodes.db", settings | files)
    server.launch()
    server.await_ready()
    yield Table([server])
    server.kill()


@pytest.mark.parametrize("longest", [None, 100])
async def test_every_result_fits_the_output_schema(own: Table, era: str, longest: int | None) -> None:
    """The client accepts each result: whole or cut, without structure, or with one that breaks the server's own schema.

    A result holds the structure exactly when it was not cut.
    """
    limit = {} if longest is None else {"max_observation_chars": longest}
    episode = own.begin(domain="mcp", task_id="t", **limit)
    async with own.client(episode, era) as client:
        listed = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
        assert listed["shaped"] == listed["circle"] == listed["polygon_get_aggs"]
        assert listed["shaped"] is not None
        for name, kind in (("shaped", "right"), ("shaped", "wrong"), ("circle", "right")):
            result = await client.call_tool(name, {"kind": kind})
            assert not result.is_error
            (content,) = result.content
            assert isinstance(content, TextContent)
            assert result.structured_content is not None
            assert result.structured_content["result"] == content.text
            assert ("structured" in result.structured_content) is (longest is None)
        for kind in ("wide", "none"):
            result = await client.call_tool("shaped", {"kind": kind})
            assert result.structured_content is not None
            assert result.structured_content.keys() == {"result"}
        assert (await client.call_tool("shaped", {"kind": "failed"})).is_error
        bars = (await client.call_tool("polygon_get_aggs", CLOSE)).structured_content
        assert bars is not None
        assert ("bars" in bars.get("structured", {})) is (longest is None)
