"""The world that all these tests look at."""

import pytest

from mcp_servers.world import world as generated
from mcp_servers.world.store import MemoryStore


@pytest.fixture(scope="session")
def world() -> MemoryStore:
    """The world of seed 0. Tests here only read it."""
    return generated()
