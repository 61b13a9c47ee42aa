"""Training jobs: the command of the recipe, with SkyRL's trainer, LoRA and a real vLLM."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.skyrl.conftest import KEY
from tests.skyrl.running import process
from tests.skyrl.test_presets import row
from tests.vllm.engine import Vllm

ROWS, BATCH, EPOCHS, SAMPLES = 32, 8, 5, 8
STEPS = ROWS // BATCH * EPOCHS
MOVES = 6
"""Every MOVES steps, the reference takes over most of the merged adapter."""


@dataclass(frozen=True)
class Job:
    """One job; each call of `begun` gives the same command."""

    run: str
    folder: Path
    ray: str
    model: Path
    vllm: Vllm
    server_url: str

    @contextmanager
    def begun(self) -> Iterator[subprocess.Popen[bytes]]:
        """The command, running."""
        data = self.folder / "train.jsonl"
        data.write_text("\n".join(json.dumps(row(i)) for i in range(ROWS)), encoding="utf-8")
        settings = [
            f"data.train_data=['{data}']",
            f"data.val_data=['{data}']",
            f"trainer.epochs={EPOCHS}",
            f"trainer.run_name={self.run}",
            f"trainer.ckpt_path={self.folder / 'ckpt'}",
            f"trainer.export_path={self.folder / 'export'}",
            "trainer.ckpt_interval=1",
            "trainer.resume_mode=latest",
            f"trainer.policy.model.path={self.model}",
            "trainer.policy.model.lora.rank=8",
            "trainer.policy.model.lora.alpha=16",
            f"trainer.policy.model.lora.lora_sync_path={self.folder / 'sync'}",
            "trainer.policy.optimizer_config.lr=0.003",
            "trainer.policy_mini_batch_size=2",
            "generator.use_cache_salt=false",  # vLLM 0.32 refuses SkyRL's salt
            f"generator.inference_engine.external_proxy_url={self.vllm.url}",
            f"generator.inference_engine.external_server_urls=['{self.vllm.url}']",
            f"environment.skyrl_gym.agent_env.url={self.server_url}",
            f"environment.skyrl_gym.agent_env.reference_every={MOVES}",
            "environment.skyrl_gym.agent_env.reference_decay=0.2",
        ]
        command = ["-m", "trainer_client.recipes.grpo.train", "--preset", "cpu-tiny"]
        command += ["--experiment", "tests.vllm.experiment:VllmExp", *settings]
        with process(self.folder / "train.log", *command, RAY_ADDRESS=self.ray, ENV_SERVER_KEY=KEY) as running:
            yield running

    def trained(self) -> int:
        """Run the command to its end; its status."""
        with self.begun() as running:
            return running.wait(timeout=1200)

    @property
    def log(self) -> str:
        """What the last command printed."""
        return (self.folder / "train.log").read_text(encoding="utf-8", errors="replace")

    def steps(self) -> list[dict[str, float]]:
        """What was logged of each optimiser step."""
        file = self.folder / "export/journal.jsonl"
        entries = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
        return [entry for entry in entries if "reward/avg_raw_reward" in entry]

    def rows(self) -> dict[int, list[list[str]]]:
        """The rows that each step had, each time that it was played."""
        found: dict[int, list[list[str]]] = {}
        for line in (self.folder / "export/rows.jsonl").read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            found.setdefault(entry["step"], []).append(entry["rows"])
        return found

    def saved(self) -> int:
        """The step of the newest whole checkpoint; 0 if there is none."""
        file = self.folder / "ckpt/latest_ckpt_global_step.txt"
        return int(file.read_text(encoding="utf-8") or 0) if file.exists() else 0
