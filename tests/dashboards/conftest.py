"""A server with keys that is played on, and Debian's Prometheus with the configuration docker/prometheus.yaml."""

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml

from tests.commands.conftest import Server
from tests.e2e.server import PATIENCE_S, free_port
from tests.providers.live.blocks import odd
from tests.standin.server import StandIn

ROOT = Path(__file__).parents[2]
KEY = "a-key-of-the-test"
TASK = {"task_id": "any", "instruction": "Call tools.", "answer": {"kind": "text", "value": "done"}}


@dataclass(frozen=True)
class Prometheus:
    """A running Prometheus."""

    url: str

    def ask(self, query: str) -> list[dict[str, Any]]:
        """Return the series that a query has now, each with its labels and its value."""
        reply = httpx2.get(f"{self.url}/api/v1/query", params={"query": query}, timeout=PATIENCE_S)
        assert reply.status_code == 200, f"{query}: {reply.text}"
        found: list[dict[str, Any]] = reply.json()["data"]["result"]
        return found


@dataclass(frozen=True)
class Played:
    """A server on which `play` leaves a mark in every metric."""

    server: Server
    folder: Path

    @property
    def host(self) -> str:
        """The address at which the server listens."""
        return str(httpx2.URL(self.server.url).host)

    @property
    def port(self) -> int:
        """The port on which the server listens."""
        return int(httpx2.URL(self.server.url).port or 0)

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        """Send a request of the trainer's that must succeed."""
        headers = {"Authorization": f"Bearer {KEY}"}
        reply = httpx2.post(self.server.url + path, json=body, headers=headers, timeout=PATIENCE_S)
        assert reply.status_code == 200, reply.text
        found: dict[str, Any] = reply.json()
        return found

    def play(self, number: int) -> None:
        """Play a scored episode with good, bad and unreadable messages, one with a model as user, and one with a server
        outside that answers, fails and is called again; close one unscored; open a connection that sends nothing.
        """
        good = {"tool_calls": [{"name": "list_all_product_types", "arguments": {}}]}
        leave = {"mark": str(self.folder / f"left-{number}")}
        outside = [("say", {"text": "a"}), ("leave", leave), ("always_leaves", {})]
        with socket.create_connection((self.host, self.port)):
            self._turns({"domain": "retail", "split": "test", "index": 0}, good, "<tool_call>{", "Hello, who are you?")
            self._turns({"domain": "retail", "split": "test", "index": 0, "user": {"strategy": "llm"}}, "Hello!")
            self._turns({"domain": "mcp"}, *({"tool_calls": [{"name": n, "arguments": a}]} for n, a in outside))
            begun = self.post("/reset", domain="retail", split="test", index=1)
            self.post(f"/episodes/{begun['episode_id']}/close", reason="infrastructure")
            time.sleep(1.0)  # the idle connection is closed after half of it

    def _turns(self, task: dict[str, Any], *actions: Any) -> None:
        episode = self.post("/reset", **task)["episode_id"]
        for action in actions:
            self.post("/step", episode_id=episode, action=action)
        self.post(f"/episodes/{episode}/close")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """A server with keys, a stand-in for its models, and a server outside."""
    folder = tmp_path_factory.mktemp("played")
    block = odd(costs={"say": 2}, effects={"say": "read"})
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"odd": block}}), encoding="utf-8")
    (folder / "tasks.jsonl").write_text(json.dumps(TASK), encoding="utf-8")
    with StandIn("I would like some help, please.") as standin:
        settings = {
            "API_KEYS": f"tests:{KEY}",
            "HEAD_TIMEOUT_S": "0.5",
            "MCP_CONFIG": str(folder / "mcp.json"),
            "MCP_TASKS": str(folder / "tasks.jsonl"),
            "USER_BASE_URL": standin.url,
            "USER_MODEL": "standin",
        }
        server = Server(folder, {f"ENV_SERVER_{name}": value for name, value in settings.items()})
        yield Played(server, folder)
        server.kill()


@pytest.fixture(scope="module")
def prometheus(played: Played) -> Iterator[Prometheus]:
    """Debian's Prometheus with the project's configuration, but another target, key file and scrape interval."""
    program = shutil.which("prometheus")
    assert program, "Prometheus is needed: install Debian's package `prometheus`"
    config = yaml.safe_load((ROOT / "docker" / "prometheus.yaml").read_text(encoding="utf-8"))
    (job,) = config["scrape_configs"]
    key, file = played.folder / "key", played.folder / "prometheus.yaml"
    key.write_text(KEY, encoding="utf-8")
    config["global"]["scrape_interval"] = "1s"
    job["authorization"]["credentials_file"] = str(key)
    job["static_configs"] = [{"targets": [f"{played.host}:{played.port}"]}]
    file.write_text(yaml.safe_dump(config), encoding="utf-8")
    address = f"127.0.0.1:{free_port()}"
    command = [program, f"--config.file={file}", f"--storage.tsdb.path={played.folder / 'series'}"]
    with (played.folder / "log").open("w", encoding="utf-8") as log:
        process = subprocess.Popen([*command, f"--web.listen-address={address}"], stdout=log, stderr=log)
    try:
        running = Prometheus(f"http://{address}")
        until = time.monotonic() + PATIENCE_S
        while not _ready(running):
            assert process.poll() is None, (played.folder / "log").read_text(encoding="utf-8")
            assert time.monotonic() < until
            time.sleep(0.1)
        yield running
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


def _ready(prometheus: Prometheus) -> bool:
    try:
        return httpx2.get(f"{prometheus.url}/-/ready").status_code == 200
    except httpx2.TransportError:
        return False
