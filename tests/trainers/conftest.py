"""The tests of this folder share a server with the desk. They run where the trainers are installed."""

from collections.abc import Iterator

import pytest

from tests.e2e.installed import installed
from tests.e2e.server import ROOT, Server
from trainer_client import Client

KEY = "secret"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server process that hosts the desk beside the other domains, with a key; the environment names both."""
    folder = tmp_path_factory.mktemp("server")
    tree = installed(ROOT / "tests" / "skyrl" / "desk", folder / "site")
    running = Server(folder / "env.db", {"API_KEYS": f"trainer:{KEY}"}, tree).start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENV_SERVER_URL", running.url)
        patch.setenv("ENV_SERVER_KEY", KEY)
        yield running
    running.kill()


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    """A client of the server."""
    with Client(server.url, KEY) as opened:
        yield opened
