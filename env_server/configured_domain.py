"""The domain of an operator's own MCP servers and tasks. Its import loads the MCP SDK."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from env_server.domains.configured import configured
from env_server.domains.configured.task_file import TaskFileProblem, read_tasks
from env_server.domains.packs import Packs, available
from env_server.errors import DomainError
from env_server.providers.live.config import ConfigProblem, read_config
from env_server.providers.live.manager import ToolManager
from env_server.providers.live.provider import LiveProvider


@asynccontextmanager
async def configured_packs(name: str, config: Path, tasks: Path, policy: Path | None) -> AsyncIterator[Packs]:
    """Start the servers of `config` for the duration of the context, and return the packs of their domain.

    Args:
        name: The name of the domain.
        config: The file with the `mcpServers` block.
        tasks: The file with the tasks, as JSON lines.
        policy: The file with the policy that the agent reads; None for a general one.

    Raises:
        DomainError: if a file cannot be read or is wrong.
    """
    try:
        rows = read_tasks(tasks, name)
        manager = ToolManager(read_config(config))
    except (TaskFileProblem, ConfigProblem) as e:
        raise DomainError(str(e)) from e
    try:
        await manager.start()
        yield available(configured(name, LiveProvider(manager), rows, policy), {})
    finally:
        await manager.aclose()
