"""A store on a fresh SQLite file."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from env_server.records import Store


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The URL of a database that does not exist yet."""
    return f"sqlite:///{tmp_path / 'records.db'}"


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """An open store."""
    store = Store.open(url)
    yield store
    await store.close()
