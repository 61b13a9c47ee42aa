"""What an agent can reach with its token: its own episode's tools, and nothing else."""

import json
import re
from typing import Any, NamedTuple

import httpx2
import pytest

from env_server.episodes.codec.tokens import Tokens
from tests.api.mcp.table import SECRET, Json, Table, bearer


class Attempt(NamedTuple):
    """One attempt to reach more: method, path and credential, made from two episodes, and the expected status."""

    method: str
    path: str
    token: str = "{token}"
    status: int = 403


ATTEMPTS = {
    "another episode": Attempt("MCP", "/episodes/{other}/mcp"),
    "the catalogue": Attempt("MCP", "/mcp"),
    "reset": Attempt("POST", "/reset"),
    "step": Attempt("POST", "/step"),
    "gold": Attempt("GET", "/domains/retail/tasks/{task}?gold=true"),
    "trajectory": Attempt("GET", "/episodes/{own}/trajectory"),
    "state": Attempt("GET", "/episodes/{own}/state"),
    "difference to gold": Attempt("GET", "/episodes/{own}/diff?since=gold"),
    "fork": Attempt("POST", "/episodes/{own}/fork"),
    "close": Attempt("POST", "/episodes/{own}/close"),
    "a longer life": Attempt("POST", "/episodes/{own}/token"),
    "the user's part": Attempt("POST", "/episodes/{own}/user"),
    "dots": Attempt("MCP", "/episodes/{own}/../{other}/mcp"),
    "encoded dots": Attempt("MCP", "/episodes/{own}/%2e%2e/{other}/mcp"),
    "an encoded slash": Attempt("MCP", "/episodes/{own}%2fmcp%2f..%2f..%2f{other}/mcp"),
    "a second slash": Attempt("MCP", "//episodes/{own}/mcp"),
    "beyond its endpoint": Attempt("GET", "/episodes/{own}/mcp/../trajectory"),
    "the document": Attempt("GET", "/openapi.json"),
    "metrics": Attempt("GET", "/metrics"),
    "expired": Attempt("MCP", "/episodes/{own}/mcp", "{expired}", 401),
    "tampered": Attempt("MCP", "/episodes/{other}/mcp", "{tampered}", 401),
    "another server's secret": Attempt("MCP", "/episodes/{own}/mcp", "{foreign}", 401),
    "no credential": Attempt("MCP", "/episodes/{own}/mcp", "", 401),
    "no credential elsewhere": Attempt("GET", "/episodes/{own}/trajectory", "", 401),
    "an episode that never was": Attempt("MCP", "/episodes/ep_aaaaaaaaaaaaaaaa/mcp", "{never}", 404),
}


def credentials(own: Json, other: Json) -> dict[str, str]:
    """What the agent holds, and the credentials that it could make from that."""
    mine = own["agent_token"]
    return {
        "own": own["episode_id"],
        "other": other["episode_id"],
        "task": own["info"]["task_id"],
        "token": mine,
        "expired": Tokens(SECRET, 1.0).make(own["episode_id"], 1_000_000.0),
        "tampered": mine.replace(own["episode_id"], other["episode_id"]),
        "foreign": Tokens("another secret", 4e9).make(own["episode_id"], 0.0),
        "never": Tokens(SECRET, 4e9).make("ep_aaaaaaaaaaaaaaaa", 0.0),
    }


def send_raw(table: Table, attempt: Attempt, names: dict[str, str]) -> httpx2.Response:
    """Send the attempt with its path unchanged: a client would normalise it."""
    path, token = attempt.path.format(**names), attempt.token.format(**names)
    url = httpx2.URL(table.url("/"), raw_path=path.encode())
    if attempt.method != "MCP":
        return httpx2.request(attempt.method, url, headers=bearer(token) if token else {}, json={})
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    headers = {
        "Accept": "application/json, text/event-stream",
        **({"Authorization": f"Bearer {token}"} if token else {}),
    }
    return httpx2.post(url, headers=headers, json=body)


@pytest.fixture(scope="module")
def episodes(table: Table) -> tuple[Json, Json]:
    """The agent's episode, and one of another agent."""
    return table.begin(), table.begin()


@pytest.mark.parametrize("name", ATTEMPTS)
def test_no_way_out(table: Table, episodes: tuple[Json, Json], name: str) -> None:
    """Each attempt is refused with its status, in the client's format, without effect and with no token in the log."""
    attempt, names = ATTEMPTS[name], credentials(*episodes)
    before = len(table.servers[0].log.read_text(encoding="utf-8"))
    response = send_raw(table, attempt, names)
    assert response.status_code == attempt.status, response.text
    answer = response.json()
    said = answer["error"]["data"] if "error" in answer else answer
    assert said["code"] == {401: "unauthorized", 403: "forbidden", 404: "episode_not_found"}[attempt.status]
    logged = table.servers[0].log.read_text(encoding="utf-8")[before:]
    assert ("refused" in logged) == (attempt.status != 404)
    assert not [token for token in re.findall(r"agt_\S+", str(names)) if token[:-2] in logged]
    for episode in episodes:
        assert table.ask("GET", f"/episodes/{episode['episode_id']}")["turn"] == 0


def test_a_token_is_good_on_every_server_of_the_database(table: Table) -> None:
    """The agent may reach its episode on any replica."""
    episode = table.begin()
    for at in (0, 1):
        answer = table.post(f"/episodes/{episode['episode_id']}/mcp", episode["agent_token"], at=at)
        assert len(answer.json()["result"]["tools"]) > 10


def test_a_trainer_can_have_another_token_for_its_agent(table: Table) -> None:
    """Another token opens the same episode on every server, and nothing else."""
    episode = table.begin()
    renewed = table.ask("POST", f"/episodes/{episode['episode_id']}/token", at=1)
    assert renewed["mcp_url"] == table.url(f"/episodes/{episode['episode_id']}/mcp", at=1)
    for at in (0, 1):
        path, token = f"/episodes/{episode['episode_id']}/mcp", renewed["agent_token"]
        assert len(table.post(path, token, at=at).json()["result"]["tools"]) > 10
        assert table.send("GET", f"/episodes/{episode['episode_id']}", at=at, credential=token).status_code == 403


def test_a_trainer_may_play_too(table: Table) -> None:
    """A trainer's key opens every episode's endpoint; a wrong key opens none."""
    episode = table.begin()
    path = f"/episodes/{episode['episode_id']}/mcp"
    assert table.post(path, table.key).status_code == 200
    assert table.post(path, table.key[:-1]).status_code == 401


def test_after_the_close_nothing_can_be_played(table: Table) -> None:
    """The token still reaches a closed episode. Its tools say that it is finished, and the record does not change."""
    episode = table.begin()
    table.ask("POST", f"/episodes/{episode['episode_id']}/close", {})
    before = table.trajectory(episode)
    order = {"order_id": "#W6204781", "reason": "no longer needed"}
    given: dict[str, Any] = {"name": "cancel_pending_order", "arguments": order}
    result = table.post(f"/episodes/{episode['episode_id']}/mcp", episode["agent_token"], "tools/call", **given).json()
    assert result["result"]["isError"]
    assert result["result"]["content"][0]["text"] == "the episode is finished"
    assert table.trajectory(episode) == before
    assert "was not played" in table.servers[0].log.read_text(encoding="utf-8")


def test_nothing_an_agent_reads_tells_of_the_reward(table: Table) -> None:
    """Neither lists, resources, prompts nor the last result mention reward, gold, score or what the user understood."""
    episode = table.begin(max_turns=1, conduct="score")
    path, token = f"/episodes/{episode['episode_id']}/mcp", episode["agent_token"]
    asked: list[dict[str, Any]] = [
        {"method": "tools/list"},
        {"method": "resources/list"},
        {"method": "resources/read", "uri": "episode://task", "name": "episode://task"},
        {"method": "prompts/get", "name": "start"},
        {"method": "tools/call", "name": "respond", "arguments": {"message": "Hello."}},
        {"method": "tools/call", "name": "respond", "arguments": {"message": "Hello?"}},
    ]
    for params in asked:
        told = json.dumps(table.post(path, token, **params).json()["result"]).lower()
        secret = ("reward", "gold", "score", "would_be", "conduct", "heard", "understood", episode["info"]["task_id"])
        assert not [word for word in secret if word in told]


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_only_posts_are_taken(table: Table, method: str) -> None:
    """The server offers no stream of its own and no session to end: other methods get 405 and the allowed method."""
    episode = table.begin()
    response = table.send(method, f"/episodes/{episode['episode_id']}/mcp", credential=episode["agent_token"])
    assert (response.status_code, response.headers["allow"]) == (405, "POST")
