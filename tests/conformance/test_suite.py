"""The official conformance suite on both wires and with both ways of answering, and the Inspector."""

import json
import re
from pathlib import Path

import pytest

from tests.conformance.app import EPISODE
from tests.conformance.tools import HERE, run
from tests.e2e.server import Server

pytestmark = pytest.mark.conformance

WIRES = ("2025-11-25", "2026-07-28")


def entries(name: str) -> list[str]:
    """The lines of a baseline that name scenarios."""
    return re.findall(r"^  - .*$", (HERE / f"baseline-{name}.yml").read_text(encoding="utf-8"), re.M)


@pytest.mark.parametrize("name", [*WIRES, "json"])
def test_every_exception_has_its_reason(name: str) -> None:
    """Each line of a baseline says why."""
    assert [line for line in entries(name) if not re.fullmatch(r"  - [\w:-]+ # \w.+", line)] == []


@pytest.mark.parametrize("wire", WIRES)
def test_the_suite_passes(server: Server, wire: str, tmp_path: Path) -> None:
    """Nothing fails but what the baseline names, and all of that still does."""
    expected = entries(wire) + (entries("json") if server.settings["MCP_STREAMS"] == "False" else [])
    baseline = tmp_path / "baseline.yml"
    baseline.write_text("server:\n" + "\n".join(expected) + "\n", encoding="utf-8")
    url = f"{server.url}/episodes/{EPISODE}/mcp"
    options = ["--suite", "all", "--spec-version", wire, "--timeout", "20000", "-o", "results"]
    done = run("conformance", "server", "--url", url, *options, "--expected-failures", str(baseline), cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_the_inspector_lists_and_calls(server: Server, tmp_path: Path) -> None:
    """Its command line finds the tools of a real episode and plays a turn."""
    begun = server.post("/reset", domain="retail", split="test", index=0)
    options = [begun["mcp_url"], "--transport", "http", "--header", f"Authorization: Bearer {begun['agent_token']}"]
    listed = run("mcp-inspector", "--cli", *options, "--method", "tools/list", cwd=tmp_path)
    assert listed.returncode == 0, listed.stderr
    names = [tool["name"] for tool in json.loads(listed.stdout)["tools"]]
    assert names == [*(tool["function"]["name"] for tool in begun["tools"]), "respond"]
    call = ["--method", "tools/call", "--tool-name", "respond", "--tool-arg", "message=What is your email address?"]
    called = run("mcp-inspector", "--cli", *options, *call, cwd=tmp_path)
    assert called.returncode == 0, called.stderr
    assert "yusuf.rossi5352@example.com" in json.loads(called.stdout)["content"][0]["text"]
    assert server.get(f"/episodes/{begun['episode_id']}")["turn"] == 1
