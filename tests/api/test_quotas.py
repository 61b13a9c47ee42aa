"""Quotas hold for every way to begin an episode and to play a step."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.conftest import KEYS, served
from tests.api.mcp.table import ERAS, bearer
from tests.api.talk import THINK, Api

ALICE, BOB = (bearer(key) for key in KEYS.values())
QUOTAS = "alice:episodes=3,steps_per_s=0.001;bob:episodes=64"


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[Api]:
    """A server on which alice may have three open episodes and may play a step only rarely."""
    keys = ",".join(f"{name}:{key}" for name, key in KEYS.items())
    for client in served(tmp_path, api_keys=keys, quotas=QUOTAS):
        yield Api(client)


def body(api: Api, **more: Any) -> dict[str, Any]:
    """A reset."""
    return {"domain": api.domain, "split": "test", "index": 0, **more}


def test_open_episodes_are_limited_by_every_way_in(limited: Api) -> None:
    """Reset, group, batch and fork are refused with 429; other callers go on, and the end of an episode makes room."""
    first = limited.post("/reset", body(limited, idempotency_key="k"), headers=ALICE)
    limited.post("/reset", body(limited, n=2), headers=ALICE)
    refused = limited.send("POST", "/reset", json=body(limited), headers=ALICE)
    assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (429, "quota_exceeded", "5")
    limited.problem("POST", "/reset", "invalid_request", json=body(limited, n=4), headers=ALICE)
    fork = f"/episodes/{first['episode_id']}/fork"
    limited.problem("POST", fork, "quota_exceeded", json={"turn": 0}, headers=ALICE)
    (item,) = limited.post("/batch/reset", {"items": [body(limited)]}, headers=ALICE)["results"]
    assert (item["code"], item["retryable"], item["retry_after"]) == ("quota_exceeded", True, 5)
    limited.post("/reset", body(limited), headers=BOB)
    again = limited.post("/reset", body(limited, idempotency_key="k"), headers=ALICE)
    assert again["episode_id"] == first["episode_id"]
    limited.post(f"/episodes/{first['episode_id']}/close", {}, headers=ALICE)
    limited.post("/reset", body(limited), headers=ALICE)
    assert 'env_server_quota_refusals_total{quota="episodes"}' in limited.send("GET", "/metrics", headers=BOB).text


def test_a_step_over_the_quota_is_not_played(limited: Api) -> None:
    """The second step is refused, alone and in a batch, with the seconds to wait; the episode has one turn."""
    episode = limited.post("/reset", body(limited), headers=ALICE)["episode_id"]
    step = {"episode_id": episode, "action": {"tool_calls": [THINK]}}
    limited.post("/step", {**step, "turn": 1}, headers=ALICE)
    refused = limited.send("POST", "/step", json={**step, "turn": 2}, headers=ALICE)
    assert (refused.status_code, refused.json()["code"]) == (429, "quota_exceeded")
    assert int(refused.headers["retry-after"]) == refused.json()["retry_after"] > 900
    (item,) = limited.post("/batch/step", {"items": [{**step, "turn": 2}]}, headers=ALICE)["results"]
    assert (item["code"], item["status"]) == ("quota_exceeded", 429)
    assert limited.get(f"/episodes/{episode}", headers=BOB)["turn"] == 1


def test_a_call_over_mcp_waits_for_its_time(limited: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent's calls over MCP count for the key that began its episode. They wait, and are then played."""
    waits: list[float] = []
    sleep = asyncio.sleep

    async def noted(seconds: float, *others: Any) -> Any:
        if seconds > 500:
            waits.append(seconds)
            seconds = 0.0
        return await sleep(seconds, *others)

    monkeypatch.setattr("env_server.episodes.quotas.asyncio.sleep", noted)
    began = limited.post("/reset", body(limited), headers=ALICE)
    for number in range(3):
        answer = called(limited, began)
        assert answer["result"]["_meta"]["agent-env-server/turn"] == number + 1, answer
        assert len(waits) == number
    assert waits[1] > waits[0]


def called(api: Api, episode: dict[str, Any]) -> Any:
    """Call a tool as the agent."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": ERAS[0],
        "io.modelcontextprotocol/clientCapabilities": {},
        "agent-env-server/status": True,
    }
    params = {**THINK, "_meta": meta}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": ERAS[0]}
    headers |= {"Mcp-Method": "tools/call", "Mcp-Name": str(THINK["name"])} | bearer(episode["agent_token"])
    sent = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return api.client.post(f"/episodes/{episode['episode_id']}/mcp", json=sent, headers=headers).json()
