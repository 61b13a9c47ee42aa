"""The server is killed in the middle of turns that write outside: no write happens twice, and none is forgotten."""

import json
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

import httpx2
import pytest

from tests.commands.conftest import Server

pytestmark = pytest.mark.slow
SERVER = Path(__file__).with_name("counting_server.py")
KEY = {"Authorization": "Bearer key"}
TASK = {"task_id": "send", "instruction": "Send.", "answer": {"kind": "text", "value": "sent"}}


@dataclass
class Post:
    """The server outside, with the file in which it writes down what it has sent."""

    port: int
    file: Path

    def sent(self) -> Counter[str]:
        """How often each text was sent."""
        return Counter(self.file.read_text(encoding="utf-8").split()) if self.file.exists() else Counter()


@pytest.fixture(scope="module")
def post(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Post]:
    """A counting server that outlives the servers under test."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    file = tmp_path_factory.mktemp("post") / "sent.txt"
    process = subprocess.Popen([sys.executable, str(SERVER), str(port), str(file)], stderr=subprocess.DEVNULL)
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        assert process.poll() is None
        time.sleep(0.05)
    yield Post(port, file)
    process.kill()
    process.wait()


def started(folder: Path, post: Post) -> Server:
    """A server process on the folder's database, whose domain `mcp` has the tool `send`."""
    config = {"mcpServers": {"post": {"url": f"http://127.0.0.1:{post.port}/mcp"}}}
    (folder / "servers.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "tasks.jsonl").write_text(json.dumps(TASK), encoding="utf-8")
    named = {
        "ENV_SERVER_MCP_CONFIG": "servers.json",
        "ENV_SERVER_MCP_TASKS": "tasks.jsonl",
        "ENV_SERVER_API_KEYS": "a:key",
    }
    return Server(folder, {**named, "ENV_SERVER_DATABASE_URL": f"sqlite:///{folder}/writes.db"})


def ask(server: Server, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Post a body, and post it again while the server says that it can be retried."""
    for _ in range(60):
        reply = httpx2.post(f"{server.url}{path}", json=body, headers=KEY, timeout=120.0)
        if reply.status_code < 500 and not reply.json().get("retryable"):
            return dict(reply.json())
        time.sleep(0.5)
    raise AssertionError(reply.text)


@pytest.mark.parametrize("delay", [0.05, 0.35, 0.65])
def test_a_killed_server_sends_nothing_twice(delay: float, post: Post, tmp_path: Path) -> None:
    """A server is killed in a turn with three writes and started again. The retry tells the truth about each write."""
    texts = [f"{name}-{delay}" for name in ("a", "b", "c")]
    first = started(tmp_path, post)
    try:
        episode = ask(first, "/reset", {"domain": "mcp", "task_id": "send"})["episode_id"]
        calls = [{"name": "send", "arguments": {"text": text}} for text in texts]
        step = {"episode_id": episode, "turn": 1, "action": {"tool_calls": calls}}

        def play() -> None:
            with suppress(httpx2.HTTPError):  # the server is killed
                httpx2.post(f"{first.url}/step", json=step, headers=KEY, timeout=60.0)

        playing = Thread(target=play)
        playing.start()
        time.sleep(delay)
    finally:
        first.kill()
    playing.join()
    second = started(tmp_path, post)
    try:
        reply = ask(second, "/step", step)
        again = ask(second, "/step", step)
    finally:
        second.kill()
    assert again == reply
    sent = post.sent()
    for text, message in zip(texts, reply["observation"], strict=True):
        said = message["content"]
        assert sent[text] <= 1, (text, sent)
        if said == f"sent {text}":
            assert sent[text] == 1
        elif "outcome_unknown" not in said:
            assert sent[text] == 0, (text, said)
