"""Shared fixtures of the audit tests."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from env_server.backends.local import LocalBackend
from env_server.domains.pack import Pack
from env_server.domains.packs import available
from env_server.episodes import Episodes
from env_server.episodes.packs.library import Library
from env_server.episodes.service import Limits
from env_server.records import Store
from tests.audit.library.planted import domain


@pytest.fixture(scope="session")
def library() -> Pack:
    """The small domain with planted faults."""
    return available(domain, {})["builtin"]


@pytest.fixture
async def local(tmp_path: Path) -> AsyncIterator[LocalBackend]:
    """Episodes of that domain."""
    store = Store.open(f"sqlite:///{tmp_path}/audit.db")
    try:
        yield LocalBackend(Episodes(store, Library(store, {domain.name: available(domain, {})}), "secret", Limits()))
    finally:
        await store.close()
