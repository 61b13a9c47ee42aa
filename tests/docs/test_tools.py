"""docs/tools.md: its two files make a domain, and its lines play an episode to reward 1."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from env_server.domains.configured.task_file import TaskLine
from tests.commands.conftest import Server
from tests.e2e.forked import commanded
from tests.e2e.server import PATIENCE_S

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "tools.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The page's blocks in a language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.S)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page's two files, with the Python of this environment."""
    folder = tmp_path_factory.mktemp("page")
    servers, tasks, *_ = blocks("json")
    config = json.loads(servers)
    block = config["mcpServers"]["polygon"]
    block["command"], block["args"] = sys.executable, ["-m", "mcp_servers.polygon", *block["args"]]
    (folder / "servers.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "tasks.jsonl").write_text(tasks, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[Server]:
    """A server on these files."""
    named = {"ENV_SERVER_MCP_CONFIG": "servers.json", "ENV_SERVER_MCP_TASKS": "tasks.jsonl"}
    server = Server(folder, {**named, "ENV_SERVER_DATABASE_URL": f"sqlite:///{folder}/page.db"})
    yield server
    server.kill()


def test_the_lines_of_the_page_earn_the_reward(served: Server) -> None:
    """The page's look-up and answer, sent one after the other, earn reward 1."""
    (lines,) = blocks("bash")
    key = {"ENV_SERVER_KEY": served.said["generated_key"], "PATH": os.environ["PATH"]}
    for line in lines.splitlines():
        pasted = line.replace("localhost:8000", served.url.removeprefix("http://"))
        shell = subprocess.run(["bash", "-c", pasted], capture_output=True, check=True, text=True, env=key)
        reply = json.loads(shell.stdout)
        assert "code" not in reply, (line, reply)
    assert (reply["reward"], reply["stop_reason"]) == (1.0, "completed"), reply


def test_the_solution_of_the_page_is_played(folder: Path) -> None:
    """`tasks check` records the solution with the server; after that the recordings are enough."""
    command = ["tasks", "check", "tasks.jsonl", "--tag", "june"]
    env = os.environ | {"ENV_SERVER_DATABASE_URL": "sqlite:///own.db", "PYTHONPATH": str(ROOT)}
    for more in (["--mcp-config", "servers.json"], []):
        done = commanded([*command, *more], folder, env, PATIENCE_S)
        assert done.stdout == "2 tasks, 1 solution played, no faults\n", done


def test_the_table_of_a_task_line_has_every_key() -> None:
    """The page's table has every key of a task line's model."""
    table = PAGE.partition("### A task line")[2].partition("###")[0]
    shown = {name for cell in re.findall(r"^\| ([^|]+) \|", table, re.M) for name in re.findall(r"`(\w+)`", cell)}
    assert shown == set(TaskLine.model_fields)
