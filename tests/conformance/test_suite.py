"""The official conformance suite on both wires and with both ways of answering, and the Inspector."""

import json
import re
from pathlib import Path

import pytest

from tests.api.mcp.table import Table
from tests.conformance.programs import HERE, run
from tests.e2e.server import ROOT, Server

pytestmark = pytest.mark.conformance

BOTH = "baseline"
WIRES = ("2025-11-25", "2026-07-28")
ENDLESS = {"max_turns": 1000, "max_errors": 1000}
"""Limits that the suite does not reach."""

SAID = {
    "test_simple_text": "This is a simple text response for testing.",
    "test_error_handling": "Error: This tool intentionally returns an error for testing",
}
"""Tools that the suite calls -> what is on the record afterwards."""


def entries(name: str) -> list[str]:
    """The lines of a baseline that name scenarios."""
    return re.findall(r"^  - .*$", (HERE / f"{name}.yml").read_text(encoding="utf-8"), re.M)


@pytest.mark.parametrize("name", [BOTH, *(f"{BOTH}-{wire}" for wire in WIRES)])
def test_every_exception_has_its_reason(name: str) -> None:
    """Each line of a baseline says why."""
    assert [line for line in entries(name) if not re.fullmatch(r"  - [\w:-]+ # \S.+", line)] == []


@pytest.mark.parametrize("wire", WIRES)
def test_the_suite_passes(server: Server, wire: str, tmp_path: Path) -> None:
    """Exactly the scenarios of the baseline fail, and the suite's calls are turns of an episode.

    docs/mcp.md has the numbers of scenarios.
    """
    begun = server.post("/reset", domain="suite", split="test", index=0, **ENDLESS)
    baseline = tmp_path / "baseline.yml"
    expected = [*entries(BOTH), *entries(f"{BOTH}-{wire}")]
    baseline.write_text("server:\n" + "\n".join(expected) + "\n", encoding="utf-8")
    options = ["--suite", "all", "--spec-version", wire, "--timeout", "120000", "-o", "results"]
    options += ["--url", begun["mcp_url"], "--expected-failures", str(baseline)]
    done = run("conformance", "server", *options, cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    scenarios = set(re.findall(r"^\s*[✓✗] ([\w-]+):", done.stdout, re.M))
    excused = {re.findall(r"[\w-]+", entry)[1] for entry in expected}
    page = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
    assert f"\n| {wire} | {len(scenarios)} | {len(scenarios & excused)} |\n" in page
    assert not server.get(f"/episodes/{begun['episode_id']}")["done"]
    record = server.get(f"/episodes/{begun['episode_id']}/trajectory")
    observed = [message for turn in record["turns"] for message in turn["parts"][0]["observation"]]
    assert SAID.items() <= {message["name"]: message["content"] for message in observed}.items()


def test_the_inspector_lists_and_calls(table: Table, tmp_path: Path) -> None:
    """With an agent's token its command line lists an episode's tools and plays a turn. Without, it lists nothing."""
    begun = table.begin()
    listing = ["--method", "tools/list"]
    refused = run("mcp-inspector", "--cli", begun["mcp_url"], "--transport", "http", *listing, cwd=tmp_path)
    assert refused.returncode != 0
    options = [begun["mcp_url"], "--transport", "http", "--header", f"Authorization: Bearer {begun['agent_token']}"]
    listed = run("mcp-inspector", "--cli", *options, *listing, cwd=tmp_path)
    assert listed.returncode == 0, listed.stderr
    names = [tool["name"] for tool in json.loads(listed.stdout)["tools"]]
    assert names == [*(tool["function"]["name"] for tool in begun["tools"]), "respond"]
    call = ["--method", "tools/call", "--tool-name", "respond", "--tool-arg", "message=What is your email address?"]
    called = run("mcp-inspector", "--cli", *options, *call, cwd=tmp_path)
    assert called.returncode == 0, called.stderr
    assert "yusuf.rossi5352@example.com" in json.loads(called.stdout)["content"][0]["text"]
    assert table.ask("GET", f"/episodes/{begun['episode_id']}")["turn"] == 1
