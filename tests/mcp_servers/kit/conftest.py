"""What the kit's tests share."""

from collections.abc import Iterator

import pytest
import stamina

from tests.mcp_servers.kit.counting import Things


@pytest.fixture
def things() -> Things:
    """A service of its own."""
    return Things()


@pytest.fixture
def impatient() -> Iterator[None]:
    """Another attempt is made without a pause."""
    with stamina.set_testing(True, attempts=3):
        yield
