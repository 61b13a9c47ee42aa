"""A server for the examples of the pages."""

from collections.abc import Iterator

import pytest

from tests.e2e.server import Server
from tests.standin.server import StandIn


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A real server on its own database, with an endpoint for its users."""
    with StandIn(lambda asked: "true" if asked.judging else "I need some help, please.") as standin:
        settings = {"USER_BASE_URL": standin.url, "USER_MODEL": "standin"}
        running = Server(tmp_path_factory.mktemp("docs") / "env.db", settings).start()
        yield running
        running.stop()
