"""Fixtures of the kit's tests."""

from collections.abc import Iterator

import pytest
import stamina

from tests.mcp_servers.kit.counting import Things


@pytest.fixture
def things() -> Things:
    """A counting service for one test."""
    return Things()


@pytest.fixture
def impatient() -> Iterator[None]:
    """Let calls retry without a pause, with three attempts at most."""
    with stamina.set_testing(True, attempts=3):
        yield
