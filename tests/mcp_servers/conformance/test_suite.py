"""The official conformance suite, against every server over HTTP, and the Inspector's command line."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.programs import run
from tests.mcp_servers.contract.servers import cases, names
from tests.mcp_servers.wire.programs import environment, http_server

pytestmark = pytest.mark.conformance

HERE = Path(__file__).parent
BOTH = "baseline"
WIRES = ("2025-11-25", "2026-07-28")
ALL = cases()


def entries(name: str) -> list[str]:
    """The lines of a baseline that name scenarios."""
    return re.findall(r"^  - .*$", (HERE / f"{name}.yml").read_text(encoding="utf-8"), re.M)


@pytest.fixture(scope="module", params=names())
def name(request: pytest.FixtureRequest) -> str:
    """Each server."""
    return str(request.param)


@pytest.fixture(scope="module")
def url(name: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the server."""
    with http_server(name, environment(), tmp_path_factory.mktemp(name)) as (address, _):
        yield address


@pytest.mark.parametrize("baseline", [BOTH, *(f"{BOTH}-{wire}" for wire in WIRES)])
def test_every_exception_has_its_reason(baseline: str) -> None:
    """Each line of a baseline gives its reason."""
    assert [line for line in entries(baseline) if not re.fullmatch(r"  - [\w:-]+ # \S.+", line)] == []


@pytest.mark.parametrize("wire", WIRES)
def test_the_suite_passes(url: str, wire: str, tmp_path: Path) -> None:
    """No scenario fails except those in the baseline, and all of those still fail."""
    baseline = tmp_path / "baseline.yml"
    expected = [*entries(BOTH), *entries(f"{BOTH}-{wire}")]
    baseline.write_text("server:\n" + "\n".join(expected) + "\n", encoding="utf-8")
    options = ["--suite", "all", "--spec-version", wire, "--timeout", "120000", "-o", "results"]
    options += ["--url", url, "--expected-failures", str(baseline)]
    done = run("conformance", "server", *options, cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_the_inspector_lists_and_calls(name: str, url: str, tmp_path: Path) -> None:
    """The Inspector's command line finds all tools and calls one."""
    options = [url, "--transport", "http"]
    listed = run("mcp-inspector", "--cli", *options, "--method", "tools/list", cwd=tmp_path)
    assert listed.returncode == 0, listed.stderr
    mine = [case for case in ALL if case.server == name]
    assert {case.tool.name for case in mine} <= {tool["name"] for tool in json.loads(listed.stdout)["tools"]}
    case = mine[0]
    given = [part for key, value in case.example.items() for part in ("--tool-arg", f"{key}={json.dumps(value)}")]
    call = ["--method", "tools/call", "--tool-name", case.tool.name, *given]
    called = run("mcp-inspector", "--cli", *options, *call, cwd=tmp_path)
    assert called.returncode == 0, called.stderr
    assert json.loads(called.stdout)["content"][0]["text"]
    assert not json.loads(called.stdout).get("isError")
