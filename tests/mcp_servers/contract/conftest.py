"""Fixtures of the contract's tests."""

from typing import Any

import pytest
from mcp.server import MCPServer

from tests.mcp_servers.contract.servers import offline


@pytest.fixture
def server(request: pytest.FixtureRequest) -> MCPServer[Any]:
    """The server of the case at hand, without a key."""
    return offline(request.getfixturevalue("case").server)


@pytest.fixture
def another(request: pytest.FixtureRequest) -> MCPServer[Any]:
    """A second server of the same kind, which shares nothing with the first."""
    return offline(request.getfixturevalue("case").server, 2)
