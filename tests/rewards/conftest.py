"""A judge that is asked over a real socket."""

from collections.abc import AsyncIterator

import pytest

from env_server.models import ModelConfig, Models
from env_server.rewards.judge import Judge
from tests.standin.fixtures import running, standin
from tests.standin.server import StandIn

__all__ = ["judge", "kept", "running", "standin"]


class Kept(dict[str, str]):
    """Verdicts that are kept for one test; `recall` and `keep` are as in the store."""

    def recall(self, digest: str) -> str | None:
        """The kept verdict."""
        return self.get(digest)

    async def keep(self, digest: str, text: str) -> str:
        """Keep a verdict; the first one of a key stays."""
        return self.setdefault(digest, text)


@pytest.fixture
def kept() -> Kept:
    """No verdicts yet."""
    return Kept()


@pytest.fixture
async def judge(standin: StandIn, kept: Kept) -> AsyncIterator[Judge]:
    """A judge whose endpoint answers as the test has programmed it."""
    config = ModelConfig(base_url=standin.url, model="judge", retries=0, timeout_s=5, run_tokens=1_000)
    found = Judge(Models(config), kept)
    yield found
    await found.close()
