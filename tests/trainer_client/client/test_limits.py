"""How long the clients wait: for attempts, with patience, when they leave an episode, and in batches."""

import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from agent_env_schemas import ErrorCode
from tests.trainer_client.client.test_retries import problem
from tests.trainer_client.proxy import DROP, Proxy, answer
from trainer_client import AsyncClient, Client, ServerError, Unreachable
from trainer_client.client.connection import PATIENCE_S, TIMEOUT_S

PAUSE_S = 0.05


@pytest.fixture
def dripping() -> Iterator[str]:
    """A server that answers byte by byte, and never ends."""
    stopped = threading.Event()

    def drip(listening: socket.socket) -> None:
        while not stopped.is_set():
            with suppress(OSError), listening.accept()[0] as connection:
                connection.recv(65_536)
                connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n")
                while not stopped.wait(PAUSE_S):
                    connection.sendall(b" ")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(PAUSE_S)
        thread = threading.Thread(target=drip, args=(listening,))
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        stopped.set()
        thread.join()


LATE = r"no whole answer within 0\.4 s"


def test_an_attempt_ends_however_lively_the_answer(dripping: str) -> None:
    """An answer that comes byte by byte does not extend the attempt: the limit ends it."""
    began = time.monotonic()
    with Client(dripping, timeout=0.4, patience_s=0) as client, pytest.raises(Unreachable, match=LATE):
        client.domains()
    assert time.monotonic() - began >= 0.4


async def test_an_attempt_of_the_async_client_ends_too(dripping: str) -> None:
    """An answer that comes byte by byte does not extend an attempt of the async client either."""
    began = time.monotonic()
    async with AsyncClient(dripping, timeout=0.4, patience_s=0) as client:
        with pytest.raises(Unreachable, match=LATE):
            await client.domains()
    assert time.monotonic() - began >= 0.4


async def test_waiting_for_a_connection_takes_no_time_from_an_attempt(proxy: Proxy) -> None:
    """A call that waits for a free connection for longer than an attempt may take does not fail."""
    slow = answer(200, b'{"domains":[]}')
    with Client(proxy.url, "secret") as patient:
        patient.domains()  # the first list waits until the domains are loaded
    with Client(proxy.url, "secret", timeout=0.6, patience_s=0, connections=1) as client:
        client.domains()
        held = client._http.stream("GET", f"{proxy.url}/domains")
        with held:
            proxy.fails += [slow]
            threading.Timer(0.9, held.__exit__, (None, None, None)).start()
            assert client.domains().domains == []


def test_an_attempt_fits_into_patience() -> None:
    """By default a call without any answer is tried again, and an attempt outlasts a turn and its judge."""
    assert 60.0 + 60.0 < TIMEOUT_S < PATIENCE_S


def test_who_asks_for_more_time_than_there_is_gets_none(proxy: Proxy) -> None:
    """A `Retry-After` beyond the end of the patience is not waited for: the problem is raised at once."""
    proxy.fails += [answer(503, problem(ErrorCode.USER_UNAVAILABLE, 503, retryable=True), retry_after="600")] * 2
    with Client(proxy.url, "secret", patience_s=60) as client, pytest.raises(ServerError) as caught:
        client.domains()
    assert (caught.value.code, caught.value.retry_after) == (ErrorCode.USER_UNAVAILABLE, 600.0)
    assert len(proxy.requests) == 1


async def test_leaving_does_not_wait_for_a_server_that_is_away(
    proxy: Proxy, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The context ends soon, with or without an error inside; an error is raised, and the log names the episode."""
    monkeypatch.setattr("trainer_client.client.leaving.LEAVE_S", 0.3)
    caplog.set_level(logging.WARNING)
    began = time.monotonic()
    with Client(proxy.url, "secret") as client:
        with client.reset("retail", split="test", index=0) as left:
            proxy.fails += [DROP] * 50
        proxy.fails.clear()
        broken = client.reset("retail", split="test", index=0)
        proxy.fails += [DROP] * 50
        with pytest.raises(RuntimeError, match="sampler"), broken:
            raise RuntimeError("the sampler died")
    proxy.fails.clear()
    async with AsyncClient(proxy.url, "secret") as other, await other.reset("retail", split="test", index=0):
        proxy.fails += [DROP] * 50
    assert time.monotonic() - began < PATIENCE_S
    said = [r.getMessage() for r in caplog.records if "may be left open" in r.getMessage()]
    assert len(said) == 3
    assert said[0].startswith(f"{proxy.url}: the episode {left.id} may be left open: ")


async def test_an_error_inside_does_not_wait_for_a_connection(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    """If no connection is free, an error inside leaves the episode open; without an error, closing waits."""
    monkeypatch.setattr("trainer_client.client.leaving.LEAVE_S", 0.3)
    with Client(proxy.url, "secret", timeout=300, connections=1) as client:
        episode, patient = (client.reset("retail", split="test", index=0) for _ in range(2))
        with client._http.stream("GET", f"{proxy.url}/domains") as held:
            began = time.monotonic()
            with pytest.raises(KeyError), episode:
                raise KeyError("mine")
            assert time.monotonic() - began < 300
            threading.Timer(0.6, held.close).start()
            with patient:
                pass
    assert (episode.done, patient.done) == (False, True)
    async with AsyncClient(proxy.url, "secret", timeout=300, connections=1) as other:
        same = await other.reset("retail", split="test", index=0)
        async with other._http.stream("GET", f"{proxy.url}/domains"):
            began = time.monotonic()
            with pytest.raises(KeyError):
                async with same:
                    raise KeyError("mine")
            assert time.monotonic() - began < 300


def test_an_error_inside_is_not_hidden(client: Client) -> None:
    """An error inside the context is raised even if closing fails too; without one, the error of closing is raised."""
    episode = client.reset("retail", split="test", index=0)
    client.close()
    with pytest.raises(KeyError), episode:
        raise KeyError("mine")
    with pytest.raises(RuntimeError), episode:
        pass


@pytest.mark.parametrize("key", ["sk-très-secret", "sk-secret\n", "", "sk\x00secret", "“sk-secret”"])
def test_a_key_that_no_header_can_carry_is_not_quoted(key: str) -> None:
    """Such a key is refused where it is given, in a message that does not contain it."""
    for kind in (Client, AsyncClient):
        with pytest.raises(ValueError, match="the key is empty or has characters") as caught:
            kind("http://127.0.0.1:9", key)
        assert "secret" not in repr(caught.value)
