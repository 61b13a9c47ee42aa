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
    """The report has each tool with its name for agents and its effect, and the result of a read that was tried."""
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
    for words in ("odd writes  odd__note", "notes, ", "name a call under `check`"):
        assert words in shown


def test_names_are_those_of_episodes(run: Run, tmp_path: Path) -> None:
    """If a name is taken, the server's name comes first; a name that models cannot use is reported once."""
    also = [{"name": name, "inputSchema": {"type": "object"}} for name in ("done", "a.b", "a.b", "a.b")]
    named = odd("--also", json.dumps(also), allowTools=["done", "a.b"])
    (server,) = run(*CHECK, "--mcp-config", write(tmp_path, odd=named), "--json").result["servers"]
    assert [tool["name"] for tool in server["tools"]] == ["odd__done", "a.b"]
    assert server["problems"] == [
        "lists the tool 'a.b' twice; the first one counts",
        "'a.b' is 'a_b' for models, which take letters, digits, _ and -, and at most 64 of them",
    ]


def test_the_call_of_check_decides_the_status(run: Run, tmp_path: Path) -> None:
    """The file may name the call and its arguments; a failing call or an unknown tool gives status 1."""
    good = odd(check={"tool": "say", "arguments": {"text": "hello"}})
    ran = run(*CHECK, "--mcp-config", write(tmp_path, odd=good), "--json")
    assert ran.status == 0
    assert ran.result["servers"][0]["tried"]["text"] == "hello"
    bad = {"failing": odd(check={"tool": "say"}), "absent": odd(check={"tool": "nothing"})}
    ran = run(*CHECK, "--mcp-config", write(tmp_path, **bad), "--json")
    assert ran.status == 1
    assert [one["tried"]["ok"] for one in ran.result["servers"]] == [False, False]
    assert ran.result["servers"][1]["tried"]["text"] == "the server has no such tool"


def test_a_server_that_is_not_reached_is_status_1(run: Run, tmp_path: Path) -> None:
    """The reason is shown, and the other servers are checked too."""
    lost = {"command": sys.executable, "args": ["-c", "raise SystemExit('no licence')"]}
    ran = run(*CHECK, "--mcp-config", write(tmp_path, odd=odd(), lost=lost))
    assert ran.status == 1
    assert "no licence" in ran.out
    assert "odd writes" in ran.out
    assert "name a call" not in ran.out


def test_a_setting_that_is_masked_is_told(run: Run, tmp_path: Path) -> None:
    """A plain word that would be masked in results is reported with its variable; secrets and numbers are not."""
    env = {"ODD_LEVEL": "debug", "ODD_MODE": "sesame", "ODD_KEY": "poppy-seed", "ODD_PORT": "8080", "ODD_ABC": "abc"}
    (server,) = run(*CHECK, "--mcp-config", write(tmp_path, odd=odd(env=env)), "--json").result["servers"]
    assert server["problems"] == ["env.ODD_MODE: its value is shown as [secret] in results"]


def test_a_wrong_file_is_status_2(run: Run, tmp_path: Path) -> None:
    """A mistake in the file is one line that names it, and status 2."""
    ran = run(*CHECK, "--mcp-config", write(tmp_path, a={"command": "x", "arg": 1}))
    assert ran.status == 2
    assert "mcpServers.a.arg: unknown key" in ran.err
