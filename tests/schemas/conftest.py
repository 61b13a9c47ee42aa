"""`pytest --accept-wire` writes the wire's snapshot anew instead of comparing."""

import pytest


@pytest.fixture
def accept_wire(request: pytest.FixtureRequest) -> bool:
    """Whether the wire as it is now is accepted as the new snapshot."""
    return bool(request.config.getoption("--accept-wire"))
