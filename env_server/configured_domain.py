"""The domain of an operator's own MCP servers and tasks. Its import loads the MCP SDK."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from env_server.domains.configured import configured
from env_server.domains.configured.task_file import TaskFileProblem, read_tasks
from env_server.domains.packs import Packs, available
from env_server.errors import DomainError
from env_server.providers.live.config import ConfigProblem, read_config
from env_server.providers.live.manager import ToolManager
from env_server.providers.live.provider import Listings, LiveProvider


@asynccontextmanager
async def configured_packs(
    name: str, config: Path, tasks: Path, policy: Path | None, recorded: Listings
) -> AsyncIterator[Packs]:
    """Begin to start the servers of `config` for the duration of the context, and return the packs of their domain.

    Args:
        name: The name of the domain.
        config: The file with the `mcpServers` block.
        tasks: The file with the tasks, as JSON lines.
        policy: The file with the policy that the agent reads; None for a general one.
        recorded: What servers listed when their calls were recorded, by their names.

    Raises:
        DomainError: if a file cannot be read or is wrong.
    """
    try:
        rows = read_tasks(tasks, name)
        manager = ToolManager(read_config(config))
    except (TaskFileProblem, ConfigProblem) as e:
        raise DomainError(str(e)) from e
    starting = asyncio.create_task(manager.start())  # other domains do not wait for a server that is slow to start
    try:
        yield available(configured(name, LiveProvider(manager, recorded), rows, policy), {})
    finally:
        starting.cancel()
        await asyncio.wait([starting])
        await manager.aclose()
