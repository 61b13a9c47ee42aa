"""The server as a deployment of Ray Serve: replicas that are killed, and replicas that are added."""

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
import ray
from ray import serve

from env_server.ray_serve.deployment import env_server_app
from tests.e2e.server import PATIENCE_S, free_port
from tests.ray.policies import TURNS, thinker
from trainer_client import AsyncClient, Client
from trainer_client.recipes.ray import RayRollouts

pytestmark = pytest.mark.usefixtures("cluster")
KEY = "a-key"


@pytest.fixture(scope="module")
def url(cluster: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Two to three replicas on one database, and the address of Serve's proxy."""
    port, folder = free_port(), tmp_path_factory.mktemp("serve")
    settings = {"DATABASE_URL": f"sqlite:///{folder / 'episodes.db'}", "DOMAINS": "retail", "API_KEYS": f"ray:{KEY}"}
    scaling = {"min_replicas": 2, "max_replicas": 3, "target_ongoing_requests": 2, "upscale_delay_s": 1.0}
    serve.start(http_options={"host": "127.0.0.1", "port": port})
    made = env_server_app(
        settings, python=os.environ["ENV_SERVER_PYTHON"], autoscaling=scaling, ray_actor_options={"num_cpus": 0.5}
    )
    serve.run(made, name="env-server")
    yield f"http://127.0.0.1:{port}"
    serve.shutdown()


def children() -> dict[int, int]:
    """The server processes and their parents, which are the replicas."""
    found = {}
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            try:
                if b"env_server.ray_serve.child" in (each / "cmdline").read_bytes():
                    found[int(each.name)] = int((each / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    return found


def test_episodes_are_played_through_the_proxy(url: str) -> None:
    """Replies, problems, queries and streams come through as the server sends them, with its key."""
    with Client(url, KEY) as client:
        with client.reset("retail", split="test", index=0) as episode:
            assert episode.step({"tool_calls": [{"name": "think", "arguments": {"thought": "hm"}}]}).turn == 1
        assert client.episodes(limit=1).total == 1
        assert len(client.tasks("retail", split="test", limit=3).tasks) == 3
    refused = httpx2.get(f"{url}/domains", timeout=PATIENCE_S)
    assert (refused.status_code, refused.json()["code"]) == (401, "unauthorized")
    assert refused.headers["www-authenticate"] == "Bearer"
    assert refused.json()["request_id"] in refused.headers["x-request-id"].split(", ")  # Serve adds its own


def test_a_killed_replica_takes_its_server_along_and_loses_no_turn(url: str, tmp_path: Path) -> None:
    """Replicas and servers are killed while rollouts are played; all end with each turn once."""
    notes = tmp_path / "notes"
    notes.mkdir()
    rollouts = RayRollouts([url], thinker(str(notes), 0.2), workers=2, groups_each=2, api_key=KEY)
    playing = rollouts.play([{"domain": "retail", "index": i} for i in range(8)], n=2)
    played = [next(playing)]
    before = children()
    assert len(before) >= 2
    server, replica = next(iter(before.items()))
    os.kill(replica, signal.SIGKILL)
    played.append(next(playing))
    deadline = time.monotonic() + PATIENCE_S
    while server in children() or len(children()) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    os.kill(next(iter(children())), signal.SIGKILL)
    played += list(playing)
    assert len(played) == 8
    for group in played:
        for rollout in group.rollouts:
            assert (rollout.error, rollout.turns, rollout.stop_reason) == (None, TURNS + 1, "transfer")
    with Client(url, KEY) as client:
        for group in played:
            for rollout in group.rollouts:
                record = client.trajectory(str(rollout.episode_id))
                assert [turn.turn for turn in record.turns] == list(range(1, TURNS + 2))


async def _crowd(url: str, stop: asyncio.Event) -> None:
    """Many episodes that are begun at the same time, over and over."""
    async with AsyncClient(url, KEY) as client:

        async def play() -> None:
            while not stop.is_set():
                async with client.reset("retail", index=0, max_calls=1000) as episode:
                    for _ in range(3):
                        await episode.step({"tool_calls": [{"name": "think", "arguments": {"thought": "hm"}}] * 50})

        await asyncio.gather(*(play() for _ in range(32)))


def test_a_queue_adds_a_replica(url: str) -> None:
    """If more requests are in progress than two replicas should have, a third one starts."""

    async def run() -> None:
        stop = asyncio.Event()
        crowd = asyncio.create_task(_crowd(url, stop))
        deadline = time.monotonic() + PATIENCE_S
        while len(children()) < 3:
            assert not crowd.done(), crowd.result()
            assert time.monotonic() < deadline
            await asyncio.sleep(0.2)
        stop.set()
        await crowd

    asyncio.run(run())
    assert ray.is_initialized()
