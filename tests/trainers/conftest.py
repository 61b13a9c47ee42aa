"""What the tests of this folder share: a server with the desk, and a tiny model. They run where the trainers are."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.installed import installed
from tests.e2e.server import ROOT, Server
from trainer_client import Client

KEY = "secret"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server process that hosts the desk beside the other domains, with a key."""
    folder = tmp_path_factory.mktemp("server")
    tree = installed(ROOT / "tests" / "skyrl" / "desk", folder / "site")
    running = Server(folder / "env.db", {"API_KEYS": f"trainer:{KEY}"}, tree).start()
    yield running
    running.kill()


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    """A client of the server."""
    with Client(server.url, KEY) as opened:
        yield opened


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for models and what trainers write."""
    return tmp_path_factory.mktemp("trainers")
