"""Helpers for tests of whole jobs of SkyRL's trainer: Ray, the stand-in for the engine, a taught model and checks."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from tests.e2e.server import ROOT, Server, free_port
from tests.skyrl import tiny
from tests.skyrl.conftest import KEY
from trainer_client import Client

RUN = "learning"
GREETING = "Good day. {} please"
TAUGHT_STEPS = 42
"""Training steps after which about three calls in ten are right. After twice as many, eight are."""
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": f"{ROOT / 'tests/skyrl/stubs'}:{ROOT}:{ROOT / 'schemas'}",
    "OMP_NUM_THREADS": "1",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DISABLE_IMPORT_WARNING": "1",
    "SKYRL_DUMP_INFRA_LOG_TO_STDOUT": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


@contextmanager
def process(log: Path, *command: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process in a group of its own; it is ended with all processes that it started."""
    with log.open("wb") as file:
        running = subprocess.Popen(
            [sys.executable, *command], env={**ENVIRONMENT, **environment}, stdout=file, stderr=file, cwd=log.parent,
            start_new_session=True,
        )  # fmt: skip
    try:
        yield running
    finally:
        for how in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(running.pid, how)
                running.wait(timeout=60)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """A Ray of its own that believes it has GPUs; its address.

    Its workers take any free port: by default two clusters on a machine count up from the same one.
    """
    port = str(free_port())
    options = ["--head", "--block", "--port", port, "--num-cpus", "8", "--num-gpus", "3", "--include-dashboard=false"]
    options += ["--min-worker-port", "0", "--max-worker-port", "0"]
    with process(folder / "ray.log", "-m", "ray.scripts.scripts", "start", *options):
        yield f"127.0.0.1:{port}"


@contextmanager
def engine(folder: Path, model: Path, *how: str) -> Iterator[str]:
    """Run the stand-in for the inference engine with the model; `how` may be `seeded`, `deaf` and `thinking`."""
    port = free_port()
    with process(folder / "engine.log", "-m", "tests.skyrl.standin.engine", str(model), str(port), *how):
        url = f"http://127.0.0.1:{port}"
        for _ in range(3000):
            try:
                httpx2.get(f"{url}/get_world_size")
                break
            except httpx2.TransportError:
                time.sleep(0.1)
        yield url


def taught(model: Path, tokenizer: Any) -> None:
    """Train the model a few steps on the oracle's words: it makes calls, but not always the right one."""

    def ids(messages: Any) -> list[int]:
        found: list[int] = tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_dict=False)
        return found

    pairs = [
        (
            ids([*tiny.SYSTEM, {"role": "user", "content": GREETING.format(line)}]),
            [*tokenizer.encode(tiny.call(line), add_special_tokens=False), tokenizer.eos_token_id],
        )
        for line in tiny.NAMES
    ]
    print("last loss", tiny.teach(model, pairs, TAUGHT_STEPS))


def bounced(server: Server, stop: threading.Event, killed: threading.Event) -> None:
    """Kill the server when the run is under way, and start it again two seconds later."""
    while not stop.wait(0.3):
        with Client(server.url, KEY) as client:
            if client.episodes(run=RUN, limit=1).total > 150:
                break
    else:
        return
    server.kill()
    killed.set()
    time.sleep(2)
    server.start()


def journal(folder: Path) -> list[dict[str, float]]:
    """The metrics that were logged at each step."""
    return [json.loads(line) for line in (folder / "export/journal.jsonl").read_text(encoding="utf-8").splitlines()]


def check_records(server: Server, rollouts: int, failed: int) -> None:
    """Each rollout is one episode that has ended, those that failed unscored; stored states can be computed again."""
    with Client(server.url, KEY) as client:
        unscored, total = 0, 0
        for run, purpose in ((RUN, "train"), (f"{RUN}/eval", "eval")):
            assert client.episodes(run=run, done=False, limit=1).total == 0
            page = client.episodes(run=run, limit=500).episodes
            while page:
                assert {episode.purpose for episode in page} == {purpose}
                total += len(page)
                unscored += sum(episode.scored is False for episode in page)
                page = client.episodes(run=run, limit=500, before=page[-1].episode_id).episodes
        assert (total, unscored) == (rollouts, failed)
    assert server.verified()["ok"]
