"""A server for the examples, with their domain installed, and a model for its users."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.installed import installed
from tests.e2e.server import ROOT, Server
from tests.standin.fixtures import running, standin
from tests.standin.server import StandIn

__all__ = ["running", "standin"]

EXAMPLES = ROOT / "examples"


@pytest.fixture(scope="module")
def server(running: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A real server process."""
    folder = tmp_path_factory.mktemp("examples")
    settings = {"DOMAINS": "boat_club,retail", "USER_BASE_URL": running.url, "USER_MODEL": "standin"}
    site = installed(EXAMPLES / "boat_club" / "boat_club", folder / "site")
    process = Server(folder / "env.db", settings, site).start()
    yield process
    process.kill()


@pytest.fixture
def environment(standin: StandIn, tmp_path: Path) -> dict[str, str]:
    """The environment of a reader who has set what the examples need, without the server's address."""
    return {
        "ENV_SERVER_DATABASE_URL": f"sqlite:///{tmp_path}/results.db",
        "OPENAI_API_KEY": "sk-none",
        "OPENAI_BASE_URL": standin.url,
    }
