"""Episodes in this process, for the contract tests that play whole ones."""

from collections.abc import Iterator

import pytest
from anyio.from_thread import start_blocking_portal

from env_server.backends.local import thrown_away
from env_server.settings import Settings
from tests.contract.playing import Playing


@pytest.fixture(scope="module")
def playing() -> Iterator[Playing]:
    """Episodes of every discovered domain, on a temporary database."""
    settings = Settings(_env_file=None)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(thrown_away(settings)) as local:
        yield Playing(portal, local)
