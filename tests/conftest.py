"""What holds for every test: one async backend, and no time limit on single Hypothesis examples."""

import pytest
from hypothesis import settings

# How long one example takes says nothing on a shared machine. Inherits the CI profile where CI is set.
settings.register_profile("project", deadline=None)
settings.load_profile("project")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Async tests run on asyncio, the loop the server runs on."""
    return "asyncio"
