"""The episodes of two processes on one database, without HTTP."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from env_server.app import open_episodes
from env_server.episodes import Episodes
from env_server.settings import Settings


@pytest.fixture
async def pair(tmp_path: Path) -> AsyncIterator[tuple[Episodes, Episodes]]:
    """Two servers' episodes on one database."""
    settings = Settings(_env_file=None, database_url=f"sqlite:///{tmp_path}/episodes.db")
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(open_episodes(settings))
        two = await stack.enter_async_context(open_episodes(settings))
        yield one, two
