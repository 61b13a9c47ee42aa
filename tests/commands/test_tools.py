"""`env-server tools check`."""

import json
import sys
from pathlib import Path

from tests.commands.conftest import Run
from tests.providers.live.blocks import odd

CHECK = ("tools", "check", "--start", "200")


def write(at: Path, **servers: object) -> str:
    """Write a configuration; return its path."""
    file = at / "servers.json"
    file.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    return str(file)


def test_each_server_is_listed_and_tried(run: Run, tmp_path: Path) -> None:
    """The report has each tool with its name for agents and its effect, and the call of one that reads."""
    file = write(tmp_path, odd=odd(allowTools=["notes", "note"]), other=odd(allowTools=["note"]))
    ran = run(*CHECK, "--mcp-config", file, "--json")
    assert ran.status == 0
    first, second = ran.result["servers"]
    assert first["tools"] == [
        {"name": "odd__note", "tool": "note", "effect": "write"},
        {"name": "notes", "tool": "notes", "effect": "read"},
    ]
    assert (first["tried"]["tool"], first["tried"]["ok"], second["tried"]) == ("notes", True, None)
    shown = run(*CHECK, "--mcp-config", file).out
    for words in ("odd writes  odd__note", "notes, ", "no tool that reads"):
        assert words in shown


def test_a_server_that_is_not_reached_is_status_1(run: Run, tmp_path: Path) -> None:
    """The reason is told, and the other servers are checked all the same."""
    lost = {"command": sys.executable, "args": ["-c", "raise SystemExit('no licence')"]}
    ran = run(*CHECK, "--mcp-config", write(tmp_path, odd=odd(), lost=lost))
    assert ran.status == 1
    assert "no licence" in ran.out
    assert "odd writes" in ran.out


def test_a_wrong_file_is_status_2(run: Run, tmp_path: Path) -> None:
    """A mistake in the file is one line that names it."""
    ran = run(*CHECK, "--mcp-config", write(tmp_path, a={"command": "x", "arg": 1}))
    assert ran.status == 2
    assert "mcpServers.a.arg: unknown key" in ran.err
