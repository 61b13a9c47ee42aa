"""The examples of docs/mcp.md: the agent against a real server, and the desktop client's configuration."""

import json
import os
import re
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.e2e.server import Server

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
CODE = "from env_server.cli import app; app()"


def block(language: str) -> str:
    """The one block of the page in a language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.S)
    return str(found)


def test_the_agent_plays_to_reward_1(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    """The block runs unchanged but for the port: seven turns, and the episode scores."""
    source = block("python").replace("localhost:8000", f"localhost:{server.port}")
    exec(compile(source, "docs/mcp.md", "exec"), {"__name__": "example"})  # noqa: S102 - our own page
    tools, turns = capsys.readouterr().out.splitlines()
    assert "'respond'" in tools
    assert turns == "7"
    newest = server.get("/episodes?limit=1")["episodes"][0]
    assert (newest["reward"], newest["stop_reason"]) == (1.0, "user_stop")


async def test_the_desktop_block_starts_an_episode(tmp_path: Path) -> None:
    """The configured command and arguments start an episode."""
    (entry,) = json.loads(block("json"))["mcpServers"].values()
    assert Path(entry["command"]).name == "env-server"
    env = {"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]}
    started = StdioServerParameters(command=sys.executable, args=["-c", CODE, *entry["args"]], env=env, cwd=tmp_path)
    with (tmp_path / "log").open("w") as log:
        async with Client(stdio_client(started, errlog=log)) as client:
            assert "respond" in {tool.name for tool in (await client.list_tools()).tools}
