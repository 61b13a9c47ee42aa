"""Judges that fail, and servers that are killed while they wait for one: over HTTP, with real processes."""

import threading
import time
from typing import Any

import httpx2
import pytest

from tests.e2e.conftest import Start
from tests.e2e.server import PATIENCE_S, Server
from tests.standin.fixtures import running, standin
from tests.standin.judges import all_met
from tests.standin.protocol import Reply
from tests.standin.server import StandIn

__all__ = ["running", "standin"]

TASK = {"instruction": "You want to know what is sold.", "gold": {}, "assertions": ["The agent was polite."]}
LOOK = {"tool_calls": [{"name": "list_all_product_types", "arguments": {}}]}


def judged(standin: StandIn) -> dict[str, str]:
    """Settings of a server whose judge is the stand-in."""
    limits = {"JUDGE_TIMEOUT_S": "2", "USER_RETRIES": "0"}
    return {"DOMAINS": "retail", "JUDGE_MODEL": "judge", "JUDGE_BASE_URL": standin.url, **limits}


def begin(server: Server, task: dict[str, Any]) -> str:
    """An episode without a user, after one turn."""
    begun = server.post("/reset", domain="retail", task=task, user={"strategy": "none"})
    episode: str = begun["episode_id"]
    server.post("/step", episode_id=episode, turn=1, action=LOOK)
    return episode


def finish(server: Server, episode: str) -> httpx2.Response:
    """One try at the last turn."""
    done = {"tool_calls": [{"name": "done", "arguments": {}}]}
    return server.call("POST", "/step", {"episode_id": episode, "turn": 2, "action": done})


@pytest.mark.slow
def test_a_killed_server_scores_what_waited(start: Start, standin: StandIn) -> None:
    """After the judge failed and the server was killed, a retry of the turn only scores it. The record is sound."""
    server = start(**judged(standin))
    episode = begin(server, TASK)
    standin.then(Reply(status=500))
    failed = finish(server, episode)
    problem = failed.json()
    assert (failed.status_code, problem["code"], problem["retryable"]) == (503, "judge_unavailable", True)
    before = server.get(f"/episodes/{episode}/trajectory")
    assert before["episode"]["awaiting_judge"] is True
    server.kill()
    server.start()
    assert server.get(f"/episodes/{episode}/trajectory") == before
    standin.begin_anew(all_met)
    scored = finish(server, episode)
    assert (scored.json()["reward"], scored.json()["stop_reason"]) == (1.0, "completed")
    assert server.get(f"/episodes/{episode}")["turn"] == 2
    server.kill()
    server.start()
    assert finish(server, episode).content == scored.content
    assert len(standin.journal) == 1
    found = server.verified()
    assert found["mismatches"] == []
    assert found["unchecked"] == []


@pytest.mark.slow
def test_a_server_killed_while_the_judge_thinks(start: Start, standin: StandIn) -> None:
    """Another process takes over the dead one's claim and scores the turn; the bytes then stay the same."""
    server = start(**judged(standin))
    other = start(**judged(standin))
    episode = begin(server, TASK)
    standin.begin_anew(lambda asked: Reply(all_met(asked), delay_s=1.5))
    asking = threading.Thread(target=_broken, args=(server, episode))
    asking.start()
    while not standin.journal:
        time.sleep(0.01)
    server.kill()
    asking.join(PATIENCE_S)
    standin.begin_anew(all_met)
    reply = finish(other, episode)
    assert reply.json()["reward"] == 1.0
    assert finish(server.start(), episode).content == reply.content
    assert len(standin.journal) == 1


def _broken(server: Server, episode: str) -> None:
    with pytest.raises(httpx2.TransportError):
        finish(server, episode)
