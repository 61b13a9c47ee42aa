"""Server processes for the tests in this folder; whatever still runs after a test is ended."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import ROOT, Server

Start = Callable[..., Server]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a server: `start(tree=..., database="other", EVICT_AFTER_S=1, ...)`; by default all share a database."""
    started: list[Server] = []

    def begin(tree: Path = ROOT, database: str = "episodes", **settings: Any) -> Server:
        server = Server(tmp_path / f"{database}.db", {k: str(v) for k, v in settings.items()}, tree)
        started.append(server)
        return server.start()

    yield begin
    for server in started:
        server.kill()
