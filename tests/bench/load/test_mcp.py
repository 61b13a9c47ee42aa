"""The loading process sends the same messages over MCP as an agent."""

import asyncio
import os
from pathlib import Path

import httpx2
import pytest

from env_server.bench import BenchError
from env_server.bench.load.http import Spread
from env_server.bench.load.mcp import play_call
from env_server.bench.load.meter import Meter
from env_server.bench.servers.start import OURS, serving

LOOK = b'{"tool_calls":[{"name":"list_all_product_types","arguments":{}}]}'


def test_calls_carry_the_agents_token(tmp_path: Path) -> None:
    """With its episode's token a call counts; with another token the server refuses it, and the measurement ends."""
    settings = {"ENV_SERVER_DATABASE_URL": f"sqlite:///{tmp_path}/test.db", "ENV_SERVER_DOMAINS": "retail"}

    async def play(port: int, episode_id: str, token: str) -> None:
        connection = await Spread.open((port,))
        try:
            await play_call(connection, episode_id.encode(), token.encode(), 1, LOOK, None, Meter(os.getpid()))
        finally:
            connection.close()

    with serving(OURS, tmp_path, settings) as ours:
        url = f"http://127.0.0.1:{ours.port}/reset"
        one, other = (httpx2.post(url, json={"domain": "retail"}).json() for _ in range(2))
        asyncio.run(play(ours.port, one["episode_id"], one["agent_token"]))
        with pytest.raises(BenchError, match="MCP answered 403"):
            asyncio.run(play(ours.port, one["episode_id"], other["agent_token"]))
