"""A server for the examples."""

from collections.abc import Iterator

import pytest

from tests.e2e.server import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A real server on a database of its own."""
    running = Server(tmp_path_factory.mktemp("docs") / "env.db").start()
    yield running
    running.stop()
