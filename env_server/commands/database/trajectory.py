"""`env-server trajectory`: print the whole record of an episode, also of an archived one."""

import asyncio
from pathlib import Path
from typing import Any

from env_server.backends.local import in_process
from env_server.commands.output import fail, print_json, readable_errors
from env_server.commands.setup import missing_sqlite_file, open_store, read_settings
from env_server.settings import Settings


def run(episode_id: str, archive: Path | None) -> None:
    """Print the record as one JSON object, as `GET /episodes/{id}/trajectory` returns it."""
    settings = read_settings(archive_dir=archive)
    if (missing := missing_sqlite_file(settings)) is not None:
        fail(f"there is no database at {missing}; set ENV_SERVER_DATABASE_URL to its address")
    with readable_errors():
        asyncio.run(open_store(settings).close())  # names the database in its errors
        print_json(asyncio.run(_found(settings, episode_id)))


async def _found(settings: Settings, episode_id: str) -> dict[str, Any]:
    async with in_process(settings) as backend:
        return await backend.trajectory(episode_id)
