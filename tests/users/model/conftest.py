"""Users that are language models, asked over a real socket."""

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.standin.server import StandIn
from tests.users.model.talks import Begin, Conversation, Opened


@pytest.fixture(scope="module")
def running() -> Iterator[StandIn]:
    """One endpoint for all tests of a module."""
    with StandIn() as standin:
        yield standin


@pytest.fixture
def standin(running: StandIn) -> StandIn:
    """An endpoint that answers as the test programs it."""
    running.begin_anew()
    return running


@pytest.fixture
async def begin(standin: StandIn) -> AsyncIterator[Begin]:
    """Begin a conversation with a user: `begin("react", run_tokens=100)`; settings are those of `ModelConfig`."""
    opened = Opened(standin.url)

    def conversation(strategy: str = "llm", **settings: object) -> Conversation:
        return opened.begin(strategy, **settings)

    yield conversation
    await opened.close()
