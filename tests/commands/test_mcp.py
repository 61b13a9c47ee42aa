"""`env-server mcp`: an episode over stdio, played by the official client."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import TextContent

from tests.e2e.server import PATIENCE_S, Server

ROOT = Path(__file__).parents[2]
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
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
    assert '"event": "episode closed"' in told
    assert '"turn": 3, "stop_reason": "closed", "reward": 0.0, "would_be": ' in told
    assert Server(tmp_path / "episodes.db").verified()["ok"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--domain", "nowhere"), b"no domain 'nowhere'"),
        (("--domain", "retail", "--user", "external"), b"nobody can speak as the user over stdio"),
    ],
)
def test_what_cannot_be_begun_is_said_in_one_line(tmp_path: Path, options: tuple[str, ...], why: bytes) -> None:
    """The client finds no server, and its log the reason; nothing is written where the protocol would be."""
    how = started(tmp_path, *options)
    command = [how.command, *how.args]
    done = subprocess.run(command, env=how.env, cwd=how.cwd, input=b"", capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    (line,) = done.stderr.splitlines()
    assert why in line
    assert not (tmp_path / "episodes.db").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_closes_the_episode(tmp_path: Path, number: signal.Signals) -> None:
    """Though the input is still open: the program ends at once, and its last line says what the episode was worth."""
    how = started(tmp_path, "--domain", "retail", "--split", "test", "--index", "0")
    with subprocess.Popen(
        [how.command, *how.args],
        env=how.env,
        cwd=how.cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(json.dumps(HELLO).encode() + b"\n")
        process.stdin.flush()
        assert b"capabilities" in process.stdout.readline()
        process.send_signal(number)
        last = json.loads(process.stderr.read().splitlines()[-1])
        assert process.wait(PATIENCE_S) == 0
    assert (last["event"], last["stop_reason"], last["reward"], last["would_be"]) == (
        "episode closed",
        "closed",
        0.0,
        0.0,
    )
    assert Server(tmp_path / "episodes.db").verified()["ok"]
