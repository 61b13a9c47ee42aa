"""A server for the tests of this folder. They run where the libraries are installed."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.server import Server
from trainer_client import Client

KEY = "secret"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server process with a key, whose address and key the environment names."""
    running = Server(tmp_path_factory.mktemp("server") / "env.db", {"API_KEYS": f"trainer:{KEY}"}).start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENV_SERVER_URL", running.url)
        patch.setenv("ENV_SERVER_KEY", KEY)
        yield running
    running.kill()


def episodes(server: Server, count: int) -> list[dict[str, Any]]:
    """The newest episodes of a server, as it lists them."""
    with Client(server.url, KEY) as client:
        return [e.model_dump(mode="json") for e in client.episodes(limit=count).episodes]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Async tests run on asyncio."""
    return "asyncio"
