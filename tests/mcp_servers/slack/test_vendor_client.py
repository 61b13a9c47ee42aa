from collections.abc import Iterator

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from mcp_servers.slack.stand_in import stand_in
from mcp_servers.world.store import MemoryStore, Scope
from tests.mcp_servers.served import served
from tests.mcp_servers.slack.team import BEN, DESK, GENERAL, NOW, PARENT, REPLY, SECOND, team


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the stand-in listens."""
    store: MemoryStore = team()
    with served(stand_in(lambda: Scope(store, NOW))) as url:
        yield f"{url}/api/"


@pytest.fixture
def client(address: str) -> WebClient:
    """Slack's own client, pointed at the stand-in."""
    return WebClient(token="xoxp-1", base_url=address)


def error(call: SlackApiError) -> str:
    """The code of an error."""
    return str(call.response["error"])


def test_it_reads(client: WebClient) -> None:
    """Slack's client reads who it is, channels, history, threads and members."""
    assert client.auth_test()["user"] == "research-bot"
    channels = client.conversations_list(types="public_channel", exclude_archived=True)["channels"]
    assert [channel["name"] for channel in channels] == ["general", "desk"]
    history = client.conversations_history(channel=GENERAL, oldest=PARENT, inclusive=True)["messages"]
    assert [message["ts"] for message in history][-1] == PARENT
    replies = client.conversations_replies(channel=GENERAL, ts=PARENT)["messages"]
    assert [message["ts"] for message in replies] == [PARENT, REPLY]
    assert client.users_profile_get(user=BEN)["profile"]["title"] == "Analyst"
    assert client.search_messages(query="earnings in:general")["messages"]["total"] == 2


def test_it_pages(client: WebClient) -> None:
    """Iterating over an answer of Slack's client follows the cursors."""
    pages = [page["members"] for page in client.users_list(limit=2)]
    assert [len(page) for page in pages] == [2, 1]


def test_it_writes(client: WebClient) -> None:
    """Slack's client posts, replies and reacts."""
    posted = client.chat_postMessage(channel="#general", text="Hello <@U0ANA0001> & all")
    assert (posted["ts"], posted["message"]["text"]) == (f"{SECOND}.000100", "Hello <@U0ANA0001> & all")
    reply = client.chat_postMessage(channel=GENERAL, text="Here", thread_ts=posted["ts"])
    assert client.reactions_add(channel=GENERAL, timestamp=reply["ts"], name="eyes")["ok"]
    thread = client.conversations_replies(channel=GENERAL, ts=posted["ts"])["messages"]
    assert thread[0]["reply_count"] == 1
    assert thread[1]["reactions"][0]["name"] == "eyes"


def test_it_meets_errors(client: WebClient, address: str) -> None:
    """Slack's client raises its own errors for what is refused."""
    with pytest.raises(SlackApiError) as refused:
        client.conversations_history(channel=DESK)
    assert error(refused.value) == "not_in_channel"
    with pytest.raises(SlackApiError) as refused:
        WebClient(token="bad-key", base_url=address).auth_test()
    assert error(refused.value) == "invalid_auth"
    with pytest.raises(SlackApiError) as refused:
        WebClient(token="xoxb-1", base_url=address).search_messages(query="x")
    assert error(refused.value) == "not_allowed_token_type"
    with pytest.raises(SlackApiError) as refused:
        WebClient(token="busy-key", base_url=address).users_list()
    assert (refused.value.response.status_code, refused.value.response.headers["retry-after"]) == (429, "2")
