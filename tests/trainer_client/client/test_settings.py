"""Where a client gets its settings, and how it is pickled for another process."""

import pickle
import socket
import time

import httpx2
import pytest

from tests.e2e.server import Server
from trainer_client import AgentEnvError, AsyncClient, Client, ServerError, Unreachable


@pytest.fixture
def nobody() -> str:
    """The URL of a port at which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


def test_address_and_key_come_from_the_environment(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """`ENV_SERVER_URL` and `ENV_SERVER_KEY` are used where the caller gives nothing; what the caller gives wins."""
    monkeypatch.setenv("ENV_SERVER_URL", server.url)
    monkeypatch.setenv("ENV_SERVER_KEY", "secret")
    with Client() as client:
        assert client.url == server.url
        assert client.domains().domains
    with Client(api_key="wrong") as stranger, pytest.raises(ServerError):
        stranger.domains()


def test_a_client_and_its_episode_can_be_pickled(server: Server) -> None:
    """The copy plays on in the same episode, with one retrier for client and handle; the original is unchanged."""
    with Client(server.url, "secret") as client:
        episode = client.reset("retail", split="test", index=0)
        episode.step("Hello!")
        copied = pickle.loads(pickle.dumps(episode))
        assert (copied.id, copied.turn, copied.messages) == (episode.id, 1, episode.messages)
        assert copied.retrier is copied._client.retrier
        copied.step("What is your email address?")
        assert (episode.turn, copied.turn) == (1, 2)
        copied._client.close()


async def test_an_async_client_can_be_pickled(server: Server) -> None:
    """The copy opens connections of its own."""
    async with AsyncClient(server.url, "secret") as client, pickle.loads(pickle.dumps(client)) as copied:
        assert (await copied.domains()).domains


def test_a_clients_own_http_client(server: Server) -> None:
    """It sends with the caller's HTTP client and leaves that one open; such a client cannot be pickled."""
    seen: list[httpx2.Request] = []
    with httpx2.Client(event_hooks={"request": [seen.append]}) as http:
        with Client(server.url, "secret", http_client=http, headers={"x-team": "blue"}) as client:
            client.domains()
            with pytest.raises(TypeError, match="http_client"):
                pickle.dumps(client)
        assert not http.is_closed
    assert seen[0].headers["x-team"] == "blue"
    assert seen[0].headers["authorization"] == "Bearer secret"


def test_a_wrong_address_is_not_retried_for_minutes(nobody: str, caplog: pytest.LogCaptureFixture) -> None:
    """A server that refuses and has never answered is given up after `connect_patience_s`, which the log names."""
    began = time.monotonic()
    with Client(nobody, connect_patience_s=0.2) as client, pytest.raises(Unreachable, match=nobody) as caught:
        client.domains()
    assert isinstance(caught.value, AgentEnvError)
    assert isinstance(caught.value.__cause__, httpx2.ConnectError)
    assert time.monotonic() - began < client.retrier.seconds / 10
    assert all("for up to 0.2 s" in record.getMessage() for record in caplog.records if record.name == "trainer_client")


def test_a_server_that_has_answered_is_waited_for(server: Server, nobody: str) -> None:
    """After a first answer a refused connection is an outage, which `patience_s` covers."""
    with Client(server.url, "wrong", patience_s=1.0, connect_patience_s=0) as client:
        with pytest.raises(ServerError):
            client.domains()  # a refusal is an answer, too
        client._connection = Client(nobody)._connection
        began = time.monotonic()
        with pytest.raises(Unreachable):
            client.domains()
        assert time.monotonic() - began >= 1.0
