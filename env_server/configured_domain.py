"""The domain of an operator's own MCP servers and tasks. Its import loads the MCP SDK."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from env_server.domains.configured import configured
from env_server.domains.configured.task_file import TaskFileProblem, read_tasks
from env_server.domains.kit import Task
from env_server.domains.packs import Packs, available
from env_server.errors import DomainError
from env_server.providers.live.config import ConfigProblem, ServerConfig, read_config
from env_server.providers.live.manager import ToolManager
from env_server.providers.live.provider import Listings, LiveProvider


def read_files(
    name: str, config: Path, tasks: Path, policy: Path | None
) -> tuple[tuple[ServerConfig, ...], tuple[Task, ...]]:
    """Return the servers and the tasks of the domain `name`; see `configured_packs`. Nothing is started.

    Raises:
        DomainError: if a file cannot be read or is wrong.
    """
    try:
        servers, rows = read_config(config), read_tasks(tasks, name)
        if policy is not None:
            policy.read_text(encoding="utf-8")
    except (TaskFileProblem, ConfigProblem) as e:
        raise DomainError(str(e)) from e
    except (OSError, UnicodeDecodeError) as e:
        raise DomainError(f"{policy}: {getattr(e, 'strerror', None) or e}") from e
    return servers, rows


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
    servers, rows = read_files(name, config, tasks, policy)
    manager = ToolManager(servers)
    starting = asyncio.create_task(manager.start())  # other domains do not wait for a server that is slow to start
    try:
        yield available(configured(name, LiveProvider(manager, recorded), rows, policy), {})
    finally:
        starting.cancel()
        await asyncio.wait([starting])
        await manager.aclose()
