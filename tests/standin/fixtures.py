"""The stand-in as fixtures for every package that asks models; its conftest imports `running` and `standin`."""

from collections.abc import Iterator

import pytest

from tests.standin.server import StandIn


@pytest.fixture(scope="module")
def running() -> Iterator[StandIn]:
    """One endpoint for all tests of a module, for fixtures that live as long; tests take `standin`."""
    with StandIn() as standin:
        yield standin


@pytest.fixture
def standin(running: StandIn) -> StandIn:
    """An endpoint that answers as the test programs it, and has been asked nothing yet."""
    running.begin_anew()
    return running
