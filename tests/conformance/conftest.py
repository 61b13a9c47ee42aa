"""Real servers with the suite's domain installed, one for each way of answering."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.mcp.table import KEY, Table
from tests.conformance.programs import HERE
from tests.e2e.installed import installed
from tests.e2e.server import Server


@pytest.fixture(scope="module", params=["json", "streams"])
def settings(request: pytest.FixtureRequest) -> dict[str, str]:
    """Settings of a server whose answers are JSON documents, then of one whose answers may be streams."""
    return {"DOMAINS": "suite,retail", "MCP_STREAMS": str(request.param == "streams")}


@pytest.fixture(scope="module")
def folder(settings: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder where the server is installed and has its databases."""
    made = tmp_path_factory.mktemp("conformance")
    installed(HERE / "suite", made / "site")
    return made


@pytest.fixture(scope="module")
def server(settings: dict[str, str], folder: Path) -> Iterator[Server]:
    """A server that asks for no credential, because the suite has none to show."""
    started = Server(folder / "open.db", settings, folder / "site").start()
    yield started
    started.kill()


@pytest.fixture(scope="module")
def table(settings: dict[str, str], folder: Path) -> Iterator[Table]:
    """A server that asks for a key."""
    started = Server(folder / "keyed.db", {**settings, "API_KEYS": f"trainer:{KEY}"}, folder / "site").start()
    yield Table([started])
    started.kill()
