"""The part of the tests that needs the server's packages. SkyRL's environment lacks them; `ENV_SERVER_PYTHON` runs it.

`beside.py gold INDEX...` prints gold's calls of these research tasks of `train`, as JSON. `beside.py mcp URL TOKEN`
makes the calls on its standard input through the official MCP client, as any agent would.
"""

import asyncio
import json
import sys
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from env_server.domains.discovery import domains, packs


def gold(indices: list[int]) -> list[list[dict[str, Any]]]:
    """Return the calls of each task."""
    pack = packs(domains()["research"], {})["builtin"]
    return [
        [{"name": call.name, "arguments": dict(call.arguments)} for call in pack.task_at("train", i).gold.actions]
        for i in indices
    ]


async def play(url: str, token: str, calls: list[dict[str, Any]]) -> None:
    """Make the calls."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=300) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        for call in calls:
            await client.call_tool(call["name"], call["arguments"])


if __name__ == "__main__":
    if sys.argv[1] == "gold":
        sys.stdout.write(json.dumps(gold([int(index) for index in sys.argv[2:]])))
    else:
        asyncio.run(play(sys.argv[2], sys.argv[3], json.load(sys.stdin)))
