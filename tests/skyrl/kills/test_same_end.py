"""A job that is killed and resumed ends like an undisturbed one: equal steps, rows, updates and final evaluation.

Its reference follows the policy, and is resumed too.
The engine's stand-in draws the same random numbers for the same conversation, so that only the job could differ.
"""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import Server
from tests.skyrl.conftest import KEY
from tests.skyrl.running import cluster, engine, process, taught
from tests.skyrl.test_presets import row

ROWS, BATCH, EPOCHS, SAMPLES = 24, 8, 2, 4
PER_EPOCH = ROWS // BATCH
STEPS = PER_EPOCH * EPOCHS
KILLED_AFTER = (1, PER_EPOCH, PER_EPOCH + 1)
"""The steps after which the job is killed: in an epoch, at its end, and in the next."""
MOVES, DECAY = 2, 0.2
"""The reference moves every MOVES steps, most of the way to the policy."""

KL = "policy/policy_kl"
SAME = re.compile("num_tokens|score|pass_at|reward|turns")
"""The figures of an evaluation that do not depend on how busy the machine was."""


@dataclass(frozen=True)
class Job:
    """A job of one name; each call of `run` gives the same command."""

    name: str
    folder: Path
    settings: list[str]
    ray: str

    def run(self, killed_after: int = 0) -> int:
        """Run until the end, or until it is killed after a step; the status."""
        export = self.folder / "export"
        export.mkdir(exist_ok=True)
        (export / "kill_after").write_text(str(killed_after), encoding="utf-8")
        own = [f"trainer.run_name={self.name}", f"trainer.ckpt_path={self.folder / 'ckpt'}"]
        own += [f"trainer.export_path={export}", "--experiment", "tests.skyrl.standin.experiment:KilledExp"]
        command = ["-m", "trainer_client.recipes.grpo.train", "--preset", "cpu-tiny", *self.settings, *own]
        with process(self.folder / "train.log", *command, RAY_ADDRESS=self.ray, ENV_SERVER_KEY=KEY) as running:
            return running.wait(timeout=3600)

    @property
    def log(self) -> str:
        """The end of what was printed."""
        return (self.folder / "train.log").read_text(encoding="utf-8", errors="replace")[-6000:]

    def lines(self, file: str) -> Iterator[dict[str, Any]]:
        """What was written to a file, line by line."""
        for line in (self.folder / "export" / file).read_text(encoding="utf-8").splitlines():
            yield json.loads(line)

    def updates(self) -> list[tuple[float, ...]]:
        """Of each optimiser step its number, the reward, the loss, the norm of the gradient, and the KL divergence."""
        names = ("step", "reward/avg_raw_reward", "policy/policy_loss", "policy/grad_norm", KL)
        return [tuple(each[name] for name in names) for each in self.lines("journal.jsonl") if names[1] in each]

    def evaluation(self) -> dict[str, Any]:
        """The last evaluation: what was said in each conversation, its score, and the figures that have no times."""
        files = (self.folder / f"export/dumped_evals/global_step_{STEPS}_evals").glob("*.jsonl")
        return {
            file.name: [
                {name: each for name, each in json.loads(line).items() if "/" not in name or SAME.search(name)}
                for line in file.read_text(encoding="utf-8").splitlines()
            ]
            for file in files
        }


@pytest.mark.slow
def test_a_killed_job_ends_as_one_that_was_not(server: Server, model: Path, tokenizer: Any, tmp_path: Path) -> None:
    """It is killed with SIGKILL three times: in an epoch, at its end, and in the next."""
    model = Path(shutil.copytree(model, tmp_path / "model"))  # other tests need the untaught one
    taught(model, tokenizer)
    data = tmp_path / "train.jsonl"
    data.write_text("\n".join(json.dumps(row(i)) for i in range(ROWS)), encoding="utf-8")
    with cluster(tmp_path) as ray, engine(tmp_path, model, "seeded") as url:
        settings = [f"data.train_data=['{data}']", f"data.val_data=['{data}']", f"trainer.policy.model.path={model}"]
        settings += [f"generator.inference_engine.external_proxy_url={url}", f"trainer.epochs={EPOCHS}"]
        settings += [f"generator.inference_engine.external_server_urls=['{url}']", "trainer.ckpt_interval=1"]
        settings += [f"environment.skyrl_gym.agent_env.url={server.url}", "trainer.resume_mode=latest"]
        settings += [f"generator.n_samples_per_prompt={SAMPLES}", f"trainer.eval_interval={PER_EPOCH}"]
        settings += [
            f"environment.skyrl_gym.agent_env.reference_{name}" for name in (f"every={MOVES}", f"decay={DECAY}")
        ]
        settings += ["generator.eval_sampling_params.temperature=1.0", "trainer.max_ckpts_to_keep=2"]
        jobs = []
        for name in ("whole", "broken"):
            (tmp_path / name).mkdir()
            jobs.append(Job(name, tmp_path / name, settings, ray))
        whole, broken = jobs
        assert whole.run() == 0, whole.log
        for step in KILLED_AFTER:
            assert broken.run(killed_after=step) != 0
            assert (tmp_path / "broken/ckpt/latest_ckpt_global_step.txt").read_text("utf-8").strip() == str(step)
        assert broken.run() == 0, broken.log
    assert [number for number, *_ in whole.updates()] == list(range(1, STEPS + 1))
    kl = [each[-1] for each in whole.updates()]
    print("KL to the reference", kl)
    for moved in range(MOVES, STEPS, MOVES):
        assert 0 < kl[moved] < kl[moved - 1] / 2, "the reference has come closer"
    assert list(broken.lines("rows.jsonl")) == list(whole.lines("rows.jsonl"))
    for update, other in zip(broken.updates(), whole.updates(), strict=True):
        assert update == pytest.approx(other, rel=1e-4, abs=1e-6)
    assert whole.evaluation()
    assert broken.evaluation() == whole.evaluation()
