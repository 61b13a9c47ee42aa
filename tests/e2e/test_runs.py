"""Pages of runs, by real processes on one database."""

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.e2e.server import PATIENCE_S, Server

WRONG = {"tool_calls": [{"name": "get_order_details", "arguments": {"order_id": "#W0000000"}}]}


@pytest.fixture(scope="module")
def replicas(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[httpx2.Client]]:
    """Two servers on one database."""
    file = tmp_path_factory.mktemp("runs") / "e.db"
    servers = [Server(file, {"DOMAINS": "retail"}).start() for _ in range(2)]
    clients = [httpx2.Client(base_url=server.url, timeout=PATIENCE_S) for server in servers]
    yield clients
    for client in clients:
        client.close()
    for server in servers:
        server.stop()


def play(at: httpx2.Client, run: str, words: str, index: int) -> str:
    """The id of an episode of a run that ends without reward."""
    body: dict[str, Any] = {"domain": "retail", "split": "test", "index": index, "run": run, "max_turns": 2}
    id = str(at.post("/reset", json=body).raise_for_status().json()["episode_id"])
    for action in (WRONG, words):
        at.post("/step", json={"episode_id": id, "action": action}).raise_for_status()
    return id


def test_a_replica_shows_the_runs_of_another(replicas: list[httpx2.Client]) -> None:
    """Figures, failures, comparison, search and export of what the other process played, as soon as it is committed."""
    one, other = replicas

    def page(address: str) -> str:
        return other.get(address).raise_for_status().text

    ids = [play(one, "first", f"Number {index}: 100% sorry.", index) for index in range(3)]
    second = play(one, "second", "Sorry.", 0)
    names = re.findall(r'href="/page/run\?name=(\w+)"', page("/page/runs"))
    assert names == ["second", "first"]
    shown = page("/page/run?name=first")
    assert "3 scored, 0 open, 3 in all" in shown
    assert {id for id in (*ids, second) if f'href="/page/episodes/{id}"' in shown} == set(ids)
    assert "1 task was scored in both runs, 2 only in A;" in page("/page/runs/compare?a=first&b=second")
    assert re.findall(r'/page/episodes/(\w+)/turns/2"', page("/page/search?text=2:+100%25+SORRY")) == [ids[2]]
    lines = [json.loads(line) for line in page("/page/run/export?name=first").splitlines()]
    assert [line["episode"]["episode_id"] for line in lines] == ids[::-1]
    mark = re.search(r'name="mark" value="([^"]+)"', shown)
    assert mark is not None
    news = f"/page/run?name=first&mark={mark[1]}"
    assert other.get(news).status_code == 204
    assert play(one, "first", "Sorry.", 3) in page(news)
