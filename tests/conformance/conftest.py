"""Servers with the suite's episode, one for each way of answering."""

from collections.abc import Iterator

import pytest

from tests.e2e.server import Server


@pytest.fixture(scope="module", params=["json", "streams"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose answers are JSON documents, then one that may stream them."""
    mode: str = request.param
    settings = {"MCP_STREAMS": str(mode == "streams")}
    started = Server(tmp_path_factory.mktemp(mode) / "episodes.db", settings, app="tests.conformance.app:app").start()
    yield started
    started.kill()
