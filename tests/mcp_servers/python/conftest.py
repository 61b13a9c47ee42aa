"""Servers over both backends."""

from collections.abc import AsyncIterator

import pytest

from mcp_servers.python import assemble
from mcp_servers.python.api import PythonTool
from mcp_servers.python.settings import Settings
from tests.mcp_servers.python.asking import Asking


@pytest.fixture(scope="module", params=["process", "monty"])
async def asking(request: pytest.FixtureRequest) -> AsyncIterator[Asking]:
    """A server on each of the backends in turn."""
    settings = Settings(python_backend=request.param, python_seconds=10, python_disk_mb=8)
    api = PythonTool(settings)
    yield Asking(assemble(api, settings), api, request.param)
    await api.aclose()
