"""What the contract's tests share."""

from functools import cache
from typing import Any

import pytest
from mcp.server import MCPServer

from tests.mcp_servers.contract.servers import build


@pytest.fixture
def server(request: pytest.FixtureRequest) -> MCPServer[Any]:
    """The server of the case at hand, without a key."""
    return _built(request.getfixturevalue("case").server, 1)


@pytest.fixture
def another(request: pytest.FixtureRequest) -> MCPServer[Any]:
    """A second server of the same kind, which shares nothing with the first."""
    return _built(request.getfixturevalue("case").server, 2)


@cache
def _built(name: str, _number: int) -> MCPServer[Any]:
    """One server for all tests: what calls change lies in the world, of which each test has its own."""
    return build(name, api_key=None)
