from collections.abc import Iterator

import pytest
import stamina
from pydantic import SecretStr

from mcp_servers.kit.errors import ErrorKind, UpstreamError
from mcp_servers.slack.api import Settings, Slack
from tests.mcp_servers.faults import Fault, Faulty
from tests.mcp_servers.served import served
from tests.mcp_servers.slack.asked import Workspace
from tests.mcp_servers.slack.team import GENERAL


@pytest.fixture(autouse=True)
def _impatient() -> Iterator[None]:
    """Retries come without a pause."""
    with stamina.set_testing(True, attempts=3):
        yield


def slack(url: str) -> Slack:
    """A client of the service at `url`, which may write and does not wait long."""
    settings = Settings(
        api_key=SecretStr("xoxb-secret"), base_url=f"{url}/api", timeout_s=0.4, attempts=3, allow_live_writes=True
    )
    return Slack(settings)


@pytest.mark.parametrize(
    "fault",
    ["500", "503-html", "slow", "drip", "cut", "short", "malformed", "html", "empty", "list", "null", "redirect"],
)
async def test_a_post_is_sent_once(fault: Fault) -> None:
    """On a socket, a fault after which the post may have happened is an unknown outcome; it is not sent again."""
    faulty = Faulty(Workspace().app, always=fault)
    with served(faulty) as url:
        client = slack(url)
        with pytest.raises(UpstreamError) as failed:
            await client.post(channel=GENERAL, text="12.50")
        await client.aclose()
    assert failed.value.kind is ErrorKind.OUTCOME_UNKNOWN
    assert len(faulty.requests) == 1
    assert "xoxb-secret" not in str(failed.value)


@pytest.mark.parametrize("fault", ["429", "500", "short", "cut"])
async def test_a_read_survives_a_fault(fault: Fault) -> None:
    """On a socket, a read is made again until it succeeds."""
    faulty = Faulty(Workspace().app, [fault, fault])
    with served(faulty) as url:
        client = slack(url)
        assert (await client.history(channel=GENERAL, limit=1)).messages
        await client.aclose()
    assert len(faulty.requests) == 3


async def test_a_post_waits_for_its_turn() -> None:
    """On a socket, a post that was turned away with 429 is sent again, and arrives once."""
    workspace = Workspace()
    faulty = Faulty(workspace.app, ["429"])
    with served(faulty) as url:
        client = slack(url)
        posted = await client.post(channel=GENERAL, text="12.50")
        await client.aclose()
    history = await workspace.get("conversations.history", channel=GENERAL, limit=2)
    assert [message["text"] == "12.50" for message in history["messages"]] == [True, False]
    assert history["messages"][0]["ts"] == posted.ts


async def test_nobody_there() -> None:
    """If the service cannot be reached, nothing was posted, and the error says so."""
    with pytest.raises(UpstreamError) as failed:
        await slack("http://127.0.0.1:9").post(channel=GENERAL, text="12.50")
    assert failed.value.kind is ErrorKind.UNAVAILABLE
