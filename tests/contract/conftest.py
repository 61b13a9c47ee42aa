"""The application in this process, for the contract tests that play through it."""

from collections.abc import Iterator

import pytest

from tests.api.conftest import served
from tests.api.talk import Api


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """A server of every discovered domain."""
    for client in served(tmp_path_factory.mktemp("contract")):
        yield Api(client)
