import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest

from mcp_servers.stand_ins import Mounted, stand_ins
from mcp_servers.world import NOW, world
from mcp_servers.world.store import Scope
from tests.mcp_servers.wire.programs import environment

KEY = {"Authorization": "Bearer any-key", "apikey": "any-key"}
ASKED = {
    "polygon": ("GET", "/polygon/v2/aggs/ticker/ORCA/prev", None),
    "fmp": ("GET", "/fmp/stable/quote?symbol=ORCA", None),
    "tavily": ("POST", "/tavily/search", {"query": "dividend"}),
    "slack": ("POST", "/slack/api/auth.test", {}),
}


@pytest.fixture(scope="module")
def apps() -> dict[str, Any]:
    """The stand-ins, which share a world."""
    scope = Scope(world(), NOW)
    return dict(stand_ins(lambda: scope))


def test_there_is_one_for_each_api(apps: dict[str, Any]) -> None:
    """Stand-ins are found in the servers' packages."""
    assert set(apps) == set(ASKED)


@pytest.mark.parametrize("name", ASKED)
async def test_each_under_its_name(apps: dict[str, Any], name: str) -> None:
    """On one socket each API answers below its server's name."""
    method, path, body = ASKED[name]
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(Mounted(apps)), base_url="http://x", headers=KEY
    ) as client:
        response = await client.request(method, path, json=body)
    assert response.status_code == 200, response.text


async def test_addresses_of_next_pages_keep_the_name(apps: dict[str, Any]) -> None:
    """The address of a next page leads back to where the request came in."""
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(Mounted(apps)), base_url="http://x", headers=KEY
    ) as client:
        first = (await client.get("/polygon/v3/reference/tickers?limit=40")).json()
        second = (await client.get(first["next_url"])).json()
    assert first["next_url"].startswith("http://x/polygon/v3/reference/tickers?cursor=")
    assert len(first["results"]) + len(second["results"]) == 66


async def test_another_name(apps: dict[str, Any]) -> None:
    """For an unknown name the answer lists the known ones."""
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(Mounted(apps)), base_url="http://x") as client:
        response = await client.get("/nope/x")
    assert response.status_code == 404
    assert "/polygon" in response.json()["error"]


@pytest.mark.slow
@pytest.mark.parametrize(("options", "path"), [([], "/polygon"), (["--only", "polygon"], "")])
def test_the_command(options: list[str], path: str, tmp_path: Path) -> None:
    """The command serves all APIs on a free port, or one of them without its name."""
    command = [sys.executable, "-m", "mcp_servers.stand_ins", "--port", "0", *options]
    with subprocess.Popen(command, env=environment(), cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            address = process.stderr.readline().split()[-1]
            answer = httpx2.get(f"{address}{path}/v2/aggs/ticker/ORCA/prev", headers=KEY)
            assert answer.json()["results"][0]["T"] == "ORCA"
        finally:
            process.terminate()


def test_an_unknown_name_ends_the_command(tmp_path: Path) -> None:
    """The error has the unknown name and the known ones."""
    command = [sys.executable, "-m", "mcp_servers.stand_ins", "--only", "nope"]
    done = subprocess.run(command, env=environment(), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "no nope; there are: " in done.stderr
