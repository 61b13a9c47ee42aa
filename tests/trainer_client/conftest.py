"""One server process for the tests of this folder, a failing proxy before it, and clients."""

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.e2e.server import Server
from tests.trainer_client.proxy import Proxy
from trainer_client import AsyncClient, Client


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a database of its own, with a key."""
    running = Server(tmp_path_factory.mktemp("client") / "env.db", {"API_KEYS": "trainer:secret"}).start()
    yield running
    running.kill()


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    """A proxy before the server that can fail."""
    with Proxy(server.port) as running:
        yield running


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    """A client of the server."""
    with Client(server.url, "secret") as opened:
        yield opened


@pytest.fixture
async def patient(proxy: Proxy) -> AsyncIterator[AsyncClient]:
    """An async client behind the proxy."""
    async with AsyncClient(proxy.url, "secret") as opened:
        yield opened
