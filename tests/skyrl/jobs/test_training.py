"""SkyRL's real trainer learns the desk on a CPU, against a real server that is killed and started again meanwhile."""

import json
import os
import shutil
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
import pytest
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM

from tests.e2e.server import ROOT, Server, free_port
from tests.skyrl import tiny
from tests.skyrl.test_presets import row
from tests.trainer_client.proxy import Proxy, defect
from trainer_client import Client

RUN = "learning"
KEY = "secret"
EVERY = 50
"""Each so many-th turn the way to the server fails for good."""
GREETING = "Good day. {} please"
TAUGHT_STEPS = 42
"""After these about three calls in ten are right; after twice as many, eight."""
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": f"{ROOT / 'tests/skyrl/stubs'}:{ROOT}:{ROOT / 'schemas'}",
    "OMP_NUM_THREADS": "1",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DISABLE_IMPORT_WARNING": "1",
    "SKYRL_DUMP_INFRA_LOG_TO_STDOUT": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


class Failing(Proxy):
    """Answers some turns as a server with a defect would."""

    turns = failed = 0

    def choose(self, request: bytes) -> str | bytes | None:
        """An error for every 50th turn."""
        self.turns += request.startswith(b"POST /step")
        if self.turns < EVERY or not request.startswith(b"POST /step"):
            return None
        self.turns = 0
        self.failed += 1
        return defect()


@contextmanager
def process(log: Path, *command: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process in a group of its own, ended with all it started."""
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
    """The stand-in for the inference engine, with the model; `how` it is: `seeded`, `deaf`."""
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
    """A few steps on what the oracle says: enough to make calls, not enough to make the right one every time."""

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
    """What was logged at each step."""
    return [json.loads(line) for line in (folder / "export/journal.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.slow
def test_it_learns(server: Server, model: Path, tokenizer: Any, tmp_path: Path) -> None:
    """Reward rises, the engine samples what is trained, checkpoints load, no episode is lost, open or played twice."""
    model = Path(shutil.copytree(model, tmp_path / "model"))  # other tests need the untaught one
    taught(model, tokenizer)
    data = tmp_path / "train.jsonl"
    data.write_text("\n".join(json.dumps(row(i)) for i in range(32)), encoding="utf-8")
    stop, killed = threading.Event(), threading.Event()
    killer = threading.Thread(target=bounced, args=(server, stop, killed))
    with cluster(tmp_path) as ray, engine(tmp_path, model) as url, Failing(server.port) as proxy:
        job = ["--preset", "cpu-tiny", "--experiment", "tests.skyrl.standin.experiment:CpuExp"]
        job += [f"data.train_data=['{data}']", f"data.val_data=['{data}']", f"trainer.policy.model.path={model}"]
        job += [f"trainer.ckpt_path={tmp_path / 'ckpt'}", f"trainer.export_path={tmp_path / 'export'}"]
        job += [f"generator.inference_engine.external_proxy_url={url}", f"trainer.run_name={RUN}"]
        job += [
            f"generator.inference_engine.external_server_urls=['{url}']",
            "trainer.hf_save_interval=8",
            "trainer.epochs=6",
        ]
        job += [f"environment.skyrl_gym.agent_env.url={proxy.url}"]
        killer.start()
        began = time.monotonic()
        with process(
            tmp_path / "train.log",
            "-m",
            "trainer_client.recipes.grpo.train",
            *job,
            RAY_ADDRESS=ray,
            ENV_SERVER_KEY=KEY,
        ) as training:
            status = training.wait(timeout=3600)
        stop.set()
        killer.join()
    log = (tmp_path / "train.log").read_text(encoding="utf-8", errors="replace")
    assert status == 0, log[-6000:]
    assert killed.is_set()
    assert KEY not in log
    steps = [entry for entry in journal(tmp_path) if "reward/avg_raw_reward" in entry]
    rewards = [entry["reward/avg_raw_reward"] for entry in steps]
    print(f"{time.monotonic() - began:.0f} s; rewards {[round(r, 2) for r in rewards]}")
    print(f"gaps {[round(e['policy/rollout_train_logprobs_abs_diff_mean'], 6) for e in steps]}")
    assert sum(rewards[-4:]) / 4 > sum(rewards[:4]) / 4 + 0.15
    assert max(entry["policy/rollout_train_logprobs_abs_diff_mean"] for entry in steps) < 1e-3
    ratios = [entry["policy/loss_metrics/ratio_mean"] for entry in steps]
    assert ratios == pytest.approx([1.0] * len(steps), abs=1e-3), "a step has one update, of the weights that sampled"
    lost = sum(entry["environment/lost_rollouts"] for entry in steps)
    assert 0 < lost <= proxy.failed
    check_records(server, len(steps) * 64 + len(list((tmp_path / "export/dumped_evals").iterdir())) * 32, proxy.failed)
    check_files(tmp_path)


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


def check_files(folder: Path) -> None:
    """The last checkpoint is whole, the export loads as a model, and nothing that was written has the server's key."""
    newest = (folder / "ckpt/latest_ckpt_global_step.txt").read_text(encoding="utf-8").strip()
    assert list((folder / f"ckpt/global_step_{newest}").rglob("*.pt"))
    (weights,) = sorted((folder / "export").rglob("*.safetensors"))[-1:]
    assert load_file(weights)
    assert AutoModelForCausalLM.from_pretrained(weights.parent).num_parameters() > 0
    assert "policy_loss_type: regular\n" in (folder / "export/resolved.yaml").read_text(encoding="utf-8")
    files = [path for name in ("ckpt", "export") for path in (folder / name).rglob("*") if path.is_file()]
    assert any(path.name == "trainer_state.pt" for path in files)
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []
