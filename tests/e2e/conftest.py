"""Server processes for the tests in this folder. Those that still run after a test are killed."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import ROOT, Server

Start = Callable[..., Server]
RETAIL = {"DOMAINS": "retail"}


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a server: `start(tree=..., database="other", fresh=True, EVICT_AFTER_S=1)`.

    The servers of a test share one database, unless `database` names another. They serve retail, unless `DOMAINS`
    says otherwise.
    """
    started: list[Server] = []

    def begin(tree: Path = ROOT, database: str = "episodes", fresh: bool = False, **settings: Any) -> Server:
        given = RETAIL | {k: str(v) for k, v in settings.items()}
        server = Server(tmp_path / f"{database}.db", given, tree, fresh=fresh)
        started.append(server)
        return server.start()

    yield begin
    for server in started:
        server.kill()


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    """Two servers on one database, for all tests of a module."""
    database = tmp_path_factory.mktemp("pair") / "episodes.db"
    settings = {"DOMAINS": "retail,telecom"}
    servers = Server(database, settings), Server(database, settings)
    for server in servers:
        server.start()
    yield servers
    for server in servers:
        server.kill()
