"""Two server processes on one database, shared by the tests of this folder."""

from collections.abc import Iterator

import pytest

from tests.api.mcp.table import ERAS, KEY, SECRET, Table
from tests.e2e.server import Server

WAIT_S = 60.0
"""Seconds that `respond` waits for an external user in these tests: longer than any test needs to send an answer."""


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Two servers that ask for keys; the second answers with event streams where the protocol allows it."""
    database = tmp_path_factory.mktemp("mcp") / "episodes.db"
    settings = {"API_KEYS": f"trainer:{KEY}", "TOKEN_SECRET": SECRET, "RESPOND_WAIT_S": str(WAIT_S)}
    settings["DOMAINS"] = "retail,airline,telecom"
    servers = Server(database, settings), Server(database, settings | {"MCP_STREAMS": "true"})
    for server in servers:
        server.launch()
    for server in servers:
        server.await_ready()
    yield Table(servers)
    for server in servers:
        server.kill()


@pytest.fixture(params=ERAS)
def era(request: pytest.FixtureRequest) -> str:
    """Each protocol era in turn."""
    name: str = request.param
    return name
