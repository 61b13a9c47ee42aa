"""The server as a program: what it keeps between calls over each transport, and what it leaves when it ends."""

import os
from pathlib import Path
from typing import Any, Literal

import pytest
from mcp import Client

from tests.mcp_servers.python.asking import filled
from tests.mcp_servers.wire.programs import ERAS, environment, http_server, over_stdio

MONTY = {"MCP_SERVERS_PYTHON_BACKEND": "monty"}


async def ask(client: Client, code: str, **more: Any) -> dict[str, Any]:
    """Run code and return the fields of the result that hold something."""
    return filled(await client.call_tool("execute_python", {"code": code, **more}))


async def test_a_stdio_connection_is_a_session(tmp_path: Path) -> None:
    """In the protocol of 2026, which has no sessions, the one client of a process has one; its end ends all."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    env = environment(MCP_SERVERS_PYTHON_FOLDER=str(scratch), MCP_SERVERS_PYTHON_BACKEND="process")
    async with over_stdio("python", env, tmp_path / "stderr") as client:
        await ask(client, "import pandas as pd\nf = pd.DataFrame({'a': [1, 2]})")
        assert (await ask(client, "int(f.a.sum())"))["value"] == "3"
        assert len(os.listdir(scratch)) == 1
    assert os.listdir(scratch) == []
    assert (tmp_path / "stderr").read_text() == ""


@pytest.mark.slow
async def test_a_stdio_connection_of_2025_is_a_session(tmp_path: Path) -> None:
    """The same with the older handshake, on the other backend."""
    async with over_stdio("python", environment(**MONTY), tmp_path / "stderr") as client:
        await ask(client, "x = 1")
        assert (await ask(client, "x"))["value"] == "1"


@pytest.mark.parametrize("era", [pytest.param(era, marks=pytest.mark.slow) for era in ERAS])
async def test_over_http(tmp_path: Path, era: Literal["auto", "legacy"]) -> None:
    """A session of the older protocol keeps variables; the newer protocol keeps them under a handle only."""
    with http_server("python", environment(**MONTY), tmp_path) as (url, _):
        async with Client(url, mode=era) as one, Client(url, mode=era) as other:
            await ask(one, "x = 1")
            assert (await ask(one, "x")).get("value") == ("1" if era == "legacy" else None)
            assert "NameError" in (await ask(other, "x"))["error"]
            handle = (await ask(one, "x = 2", session="new"))["session"]
            assert (await ask(other, "x", session=handle))["value"] == "2"
