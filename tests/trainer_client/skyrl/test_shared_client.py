"""The client that all threads of a process share."""

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import httpx2
import pytest
from pydantic import TypeAdapter, ValidationError

from trainer_client import Client
from trainer_client.skyrl import shared_client
from trainer_client.skyrl.shared_client import GivenUp, ServerSettings, client, settings_from, while_wanted

THREADS = 32


def test_all_threads_share_one_client() -> None:
    """All threads of a first batch, which ask at once, get one client; an impatient client is another one."""
    settings, ready = ServerSettings(url="http://127.0.0.1:1/shared"), Barrier(THREADS)

    def ask(_: int) -> Client:
        ready.wait()
        return client(settings)

    with ThreadPoolExecutor(THREADS) as threads:
        found = set(threads.map(ask, range(THREADS)))
    assert len(found) == 1
    assert client(settings, patient=False) not in found


def test_settings_come_from_objects_and_mappings() -> None:
    """A missing setting has its default, and other fields are ignored."""
    given = ServerSettings(url="http://there", patience_s=3.0)
    assert settings_from(given) == settings_from({"url": "http://there", "patience_s": 3.0, "other": 1}) == given
    assert settings_from({}) == ServerSettings()


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_lost_share": 7},
        {"max_lost_share": -0.1},
        {"timeout_s": -1},
        {"patience_s": -1},
        {"connections": 0},
        {"outages": "hide"},
    ],
)
def test_numbers_have_bounds(wrong: dict[str, Any]) -> None:
    """A share is between 0 and 1, and no time is negative; the error names the setting."""
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        TypeAdapter(ServerSettings).validate_python(wrong)


def test_the_key_is_not_shown() -> None:
    """Printed settings do not have the key."""
    assert "sesame" not in repr(ServerSettings(key="sesame"))


@pytest.fixture
def hung() -> Iterator[str]:
    """The address of a server that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def test_an_impatient_client_waits_for_no_answer_either(hung: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It gives up a server that hangs as soon as one that is away."""
    monkeypatch.setattr(shared_client, "IMPATIENT_S", 0.2)
    began = time.monotonic()
    with pytest.raises(httpx2.TransportError):
        client(ServerSettings(url=hung, timeout_s=300), patient=False).domains()
    assert time.monotonic() - began < 300


def test_what_is_no_longer_wanted_is_not_sent_again(hung: str) -> None:
    """A call that nobody wants any more ends with its attempt; before the first attempt, it is not sent at all."""
    answers = iter([True, False])
    settings = ServerSettings(url=hung, timeout_s=0.2, patience_s=60)
    with while_wanted(lambda: next(answers)), pytest.raises(GivenUp):
        client(settings).domains()
    with while_wanted(lambda: False), pytest.raises(GivenUp):
        client(ServerSettings(url="http://127.0.0.1:1")).domains()
