"""Idle episodes leave memory without a visible effect. They expire if they are idle for long while a server runs."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.conftest import Start
from tests.e2e.server import PATIENCE_S, Server

THINK = {"tool_calls": [{"name": "think", "arguments": {"thought": "hm"}}]}


def begin(server: Server, **limits: int) -> str:
    """Begin an episode; its id."""
    domain = server.get("/domains")["domains"][0]["name"]
    return str(server.post("/reset", domain=domain, split="test", index=0, **limits)["episode_id"])


def wait_until(holds: Callable[[], bool]) -> float:
    """Wait for something to become true; the seconds it took."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < PATIENCE_S
        time.sleep(0.1)
    return time.monotonic() - began


def step(server: Server, episode: str, turn: int) -> dict[str, Any]:
    """Play a turn that changes nothing."""
    return server.post("/step", episode_id=episode, turn=turn, action=THINK)


def test_eviction_is_invisible(start: Start) -> None:
    """Episodes that left memory answer retries and go on as if they never had."""
    server = start(EVICT_AFTER_S=0.5)
    episodes = [begin(server) for _ in range(5)]
    played = [step(server, episode, 1) for episode in episodes]
    wait_until(lambda: server.get("/readyz")["live_episodes"] == 0)
    assert [step(server, episode, 1) for episode in episodes] == played
    assert [step(server, episode, 2)["turn"] for episode in episodes] == [2] * 5
    wait_until(lambda: server.get("/readyz")["live_episodes"] == 0)
    assert [server.post(f"/episodes/{episode}/close")["turn"] for episode in episodes] == [3] * 5


def test_no_memory_at_all_is_invisible(start: Start) -> None:
    """With a cache of no bytes every turn comes from SQL, and is played all the same."""
    server = start(CACHE_BYTES=0)
    episodes = [begin(server) for _ in range(3)]
    for turn in (1, 2, 3):
        assert [step(server, episode, turn)["turn"] for episode in episodes] == [turn] * 3


def test_an_idle_episode_expires_unscored(start: Start) -> None:
    """An idle episode ends with a committed turn, unscored and without reward. One that is called in time goes on."""
    server = start(EXPIRE_AFTER_S=4)
    idle, busy = begin(server), begin(server, max_turns=1000, max_calls=1000)
    turns = 0

    def expired() -> bool:
        nonlocal turns
        turns += 1
        step(server, busy, turns)
        return bool(server.get(f"/episodes/{idle}")["done"])

    assert wait_until(expired) > 1
    end = server.get(f"/episodes/{idle}")
    assert (end["stop_reason"], end["reward"], end["scored"], end["turn"]) == ("expired", None, False, 1)
    (turn,) = server.get(f"/episodes/{idle}/trajectory")["turns"]
    assert (turn["parts"][0]["reward"], turn["parts"][0]["info"]["scored"]) == (None, False)
    over = server.call("POST", "/step", {"episode_id": idle, "turn": 1, "action": THINK})
    assert (over.status_code, over.json()["code"]) == (409, "episode_over")
    assert not server.get(f"/episodes/{busy}")["done"]


@pytest.mark.slow
def test_time_without_a_server_does_not_count(start: Start) -> None:
    """An episode outlives a pause of the server that exceeds its limit. It expires after the rest of the limit."""
    server = start(EXPIRE_AFTER_S=4)
    episode = begin(server)
    server.kill()
    time.sleep(4.5)
    server.start()
    assert not server.get(f"/episodes/{episode}")["done"]
    assert wait_until(lambda: bool(server.get(f"/episodes/{episode}")["done"])) > 0.5
    assert server.get(f"/episodes/{episode}")["stop_reason"] == "expired"
