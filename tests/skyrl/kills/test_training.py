"""SkyRL's real trainer learns the desk on a CPU, against a real server that is killed and started again meanwhile."""

import json
import shutil
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM

from tests.e2e.server import Server
from tests.skyrl.conftest import KEY
from tests.skyrl.running import RUN, bounced, check_records, cluster, engine, journal, process, taught
from tests.skyrl.test_presets import row
from tests.trainer_client.proxy import Proxy, defect

EVERY = 50
"""One turn in so many fails for good, on the way to the server."""


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
