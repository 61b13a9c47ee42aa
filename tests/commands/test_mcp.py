"""`env-server mcp`: an episode over stdio, played by the official client."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import TextContent

from tests.e2e.server import Server

ROOT = Path(__file__).parents[2]
CODE = "from env_server.cli import app; app()"


def started(folder: Path, *options: str) -> StdioServerParameters:
    """How a client starts the command, in a folder of its own and without the environment of this process."""
    database = f"sqlite:///{folder}/episodes.db"
    env = {"PYTHONPATH": str(ROOT), "ENV_SERVER_DATABASE_URL": database, "PATH": os.environ["PATH"]}
    return StdioServerParameters(command=sys.executable, args=["-c", CODE, "mcp", *options], env=env, cwd=folder)


@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
async def test_a_client_plays_an_episode_it_started(tmp_path: Path, mode: str) -> None:
    """Tools, policy, words and calls; what was played is in the database, and the log tells how it ended."""
    parameters = started(tmp_path, "--domain", "retail", "--split", "test", "--index", "0")
    with (tmp_path / "log").open("w+") as log:
        async with Client(stdio_client(parameters, errlog=log), mode=mode) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            assert tools[-1] == "respond"
            assert len((await client.get_prompt("start")).messages) == 2
            answer = await client.call_tool("respond", {"message": "Hello! What is your email address?"})
            (content,) = answer.content
            assert isinstance(content, TextContent)
            assert "yusuf.rossi5352@example.com" in content.text
            cancelled = await client.call_tool(
                "cancel_pending_order", {"order_id": "#W6204781", "reason": "ordered by mistake"}
            )
            assert not cancelled.is_error
        log.seek(0)
        told = log.read()
    assert '"event": "episode begun"' in told
    assert '"turn": 2' in told
    assert '"done": false' in told
    assert Server(tmp_path / "episodes.db").verified()["ok"]


def test_what_cannot_be_begun_is_said_in_one_line(tmp_path: Path) -> None:
    """The client finds no server, and its log the reason; nothing is written where the protocol would be."""
    how = started(tmp_path, "--domain", "nowhere")
    command = [how.command, *how.args]
    done = subprocess.run(command, env=how.env, cwd=how.cwd, input=b"", capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"no domain 'nowhere'" in done.stderr.splitlines()[-1]
