"""Users that are language models, served over a real socket."""

from collections.abc import AsyncIterator

import pytest

from tests.standin.fixtures import running, standin
from tests.standin.server import StandIn
from tests.users.model.talks import Begin, Conversation, Opened

__all__ = ["begin", "running", "standin"]


@pytest.fixture
async def begin(standin: StandIn) -> AsyncIterator[Begin]:
    """Begin a conversation with a user: `begin("react", run_tokens=100)`; settings are those of `ModelConfig`."""
    opened = Opened(standin.url)

    def conversation(strategy: str = "llm", **settings: object) -> Conversation:
        return opened.begin(strategy, **settings)

    yield conversation
    await opened.close()
