"""A conversation that is closed during a call leaves no worker and no folder, and runs nothing any more."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from mcp_servers.python.sandbox.folders import MARKER
from mcp_servers.python.sandbox.limits import Limits
from mcp_servers.python.sandbox.monty import MontyBackend
from mcp_servers.python.sandbox.pool import ProcessBackend
from mcp_servers.python.sandbox.result import CLOSED, Conversation, Result

ENDLESS = "while True:\n    pass"


@pytest.fixture(params=["process", "monty"])
async def ours(
    request: pytest.FixtureRequest, tmp_path: Path, offered: None
) -> AsyncIterator[ProcessBackend | MontyBackend]:
    """A backend that can hold one conversation and has no worker ahead."""
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    backend: ProcessBackend | MontyBackend
    if request.param == "process":
        backend = ProcessBackend(Limits(seconds=300), packages=(), workers=1, spare=0, folder=str(tmp_path))
    else:
        backend = MontyBackend(Limits(seconds=300), workers=1, folder=str(tmp_path))
    yield backend
    await backend.close()
    assert os.listdir(tmp_path) == []


def folders_of(backend: ProcessBackend | MontyBackend) -> list[str]:
    """The scratch folders that exist."""
    if isinstance(backend, MontyBackend):
        return [name for name in os.listdir(backend._folder.path) if name != MARKER] if backend._folder else []
    return os.listdir(backend._template.scratch) if backend._template else []


async def begun(backend: ProcessBackend | MontyBackend) -> Conversation:
    """A conversation that has a worker."""
    conversation = backend.open()
    assert (await conversation.run("1")).value == "1"
    return conversation


async def closed_during(backend: ProcessBackend | MontyBackend, conversation: Conversation) -> list[Result]:
    """Close a conversation while one call runs and another waits; return the results of both."""
    results = []

    async def call() -> None:
        results.append(await conversation.run(ENDLESS))

    async with anyio.create_task_group() as group:
        group.start_soon(call)
        group.start_soon(call)
        await anyio.sleep(0.05)
        await conversation.close()
    return results


async def test_closed_during_a_call(ours: ProcessBackend | MontyBackend) -> None:
    """The call that runs and the one that waits both end, nothing is left, and there is room for another."""
    conversation = await begun(ours)
    assert await closed_during(ours, conversation) == [CLOSED, CLOSED]
    assert folders_of(ours) == []
    assert await conversation.run("1") == CLOSED
    await (await begun(ours)).close()


async def test_closed_while_a_worker_is_taken(ours: ProcessBackend | MontyBackend) -> None:
    """The first call of a conversation leaves nothing where the conversation is closed before its worker comes."""
    conversation = ours.open()
    results = []

    async def call() -> None:
        results.append(await conversation.run(ENDLESS))

    async with anyio.create_task_group() as group:
        group.start_soon(call)
        await anyio.lowlevel.checkpoint()
        await conversation.close()
    assert results == [CLOSED]
    assert folders_of(ours) == []
    await (await begun(ours)).close()
