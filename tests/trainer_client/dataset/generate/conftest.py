"""A server whose domain `mcp` is made of one MCP server and a file of tasks."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import Server
from tests.standin.fixtures import running, standin
from trainer_client import Client

__all__ = ["running", "standin"]

TASK = {"instruction": "At what price did ORCA close on 2025-03-03?", "answer": {"kind": "number", "value": 1}}


@pytest.fixture(scope="session")
def mcp_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server process."""
    folder: Path = tmp_path_factory.mktemp("mcp")
    block: dict[str, Any] = {
        "command": sys.executable,
        "args": ["-m", "mcp_servers.polygon", "--profile", "limited"],
        "shared": True,
    }
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"polygon": block}}))
    (folder / "tasks.jsonl").write_text(json.dumps(TASK) + "\n")
    files = {"MCP_CONFIG": str(folder / "mcp.json"), "MCP_TASKS": str(folder / "tasks.jsonl")}
    started = Server(folder / "env.db", {**files, "API_KEYS": "trainer:secret"}).start()
    yield started
    started.stop()


@pytest.fixture
def mcp_client(mcp_server: Server) -> Iterator[Client]:
    """A client of that server."""
    with Client(mcp_server.url, "secret") as opened:
        yield opened


@pytest.fixture
def here(mcp_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in; the environment names the server."""
    monkeypatch.setenv("ENV_SERVER_URL", mcp_server.url)
    monkeypatch.setenv("ENV_SERVER_KEY", "secret")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    monkeypatch.chdir(tmp_path)
    return tmp_path
