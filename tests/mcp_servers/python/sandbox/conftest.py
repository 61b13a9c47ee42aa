"""The sandbox of processes, started once for the tests of a module."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from mcp_servers.python.sandbox.choosing import lacking
from mcp_servers.python.sandbox.limits import MB, Limits
from mcp_servers.python.sandbox.pool import ProcessBackend, ProcessConversation

LIMITS = Limits(memory=256 * MB, disk=8 * MB, file=4 * MB, files=200, output=10_000, threads=16)

Talk = Callable[[], AbstractAsyncContextManager[ProcessConversation]]


@pytest.fixture(scope="session")
def offered() -> None:
    """Skip, with the reason, where the machine cannot offer the sandbox."""
    problem = lacking(("pandas",))
    if problem is not None:
        pytest.skip(problem)


@pytest.fixture(scope="module")
async def backend(offered: None) -> AsyncIterator[ProcessBackend]:
    """A backend with NumPy and pandas."""
    backend = ProcessBackend(LIMITS, spare=1)
    await backend.start()
    yield backend
    await backend.close()


@pytest.fixture
def talk(backend: ProcessBackend) -> Talk:
    """A function that begins a conversation for a block."""

    @asynccontextmanager
    async def begin() -> AsyncIterator[ProcessConversation]:
        conversation = backend.open()
        try:
            yield conversation
        finally:
            await conversation.close()

    return begin
