"""Short jobs of SkyRL's real trainer, each of which shows one thing that no other job shows."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoModelForCausalLM

from tests.e2e.server import Server
from tests.skyrl.conftest import KEY
from tests.skyrl.running import cluster, engine, process, taught
from tests.skyrl.test_presets import row
from trainer_client.recipes.export.export import check_ties
from trainer_client.recipes.grpo.health import GAP, STALLED

ROWS, BATCH = 24, 8


def trained(
    server: Server,
    model: Path,
    folder: Path,
    settings: list[str],
    presets: tuple[str, ...] = (),
    how: tuple[str, ...] = (),
    experiment: str = "CpuExp",
) -> tuple[int, str, list[dict[str, float]]]:
    """The status of a job of three steps at most, what it printed, and the metrics of its steps."""
    data = folder / "train.jsonl"
    data.write_text("\n".join(json.dumps(row(i)) for i in range(ROWS)), encoding="utf-8")
    with cluster(folder) as ray, engine(folder, model, *how) as url:
        job = [part for name in ("cpu-tiny", *presets) for part in ("--preset", name)]
        job += ["--experiment", f"tests.skyrl.standin.experiment:{experiment}"]
        job += ["trainer.epochs=1", "trainer.eval_interval=-1"]
        job += [f"data.{part}_data=['{data}']" for part in ("train", "val")]
        job += [f"trainer.policy.model.path={model}", f"trainer.run_name={folder.name}"]
        job += [f"trainer.ckpt_path={folder / 'ckpt'}", f"trainer.export_path={folder / 'export'}"]
        job += [
            f"generator.inference_engine.external_{name}" for name in (f"proxy_url={url}", f"server_urls=['{url}']")
        ]
        job += [f"environment.skyrl_gym.agent_env.url={server.url}", *settings]
        command = ["-m", "trainer_client.recipes.grpo.train", *job]
        with process(folder / "train.log", *command, RAY_ADDRESS=ray, ENV_SERVER_KEY=KEY) as training:
            status = training.wait(timeout=3600)
    log = (folder / "train.log").read_text(encoding="utf-8", errors="replace")
    assert (folder / "export/metrics.jsonl").exists(), log[-6000:]
    lines = (folder / "export/metrics.jsonl").read_text(encoding="utf-8").splitlines()
    return status, log[-6000:], [json.loads(line) for line in lines]


@pytest.mark.slow
def test_an_engine_that_never_loads_weights_halts(server: Server, model: Path, tokenizer: Any, tmp_path: Path) -> None:
    """The engine says that it loaded them, and SkyRL's counter advances; the job halts after two steps, with a reason.

    The engine is on the trainer's GPUs. It sleeps while the trainer needs their memory, at the halt's checkpoint too.
    """
    model = Path(shutil.copytree(model, tmp_path / "model"))
    taught(model, tokenizer)
    status, log, steps = trained(server, model, tmp_path, [], how=("deaf",), experiment="ColocatedExp")
    assert status != 0
    assert f"halted after step 2: {STALLED} is 2, >= 2 (the engine at http://127.0.0.1:" in log, log
    assert [step[STALLED] for step in steps] == [1.0, 2.0]
    assert (tmp_path / "ckpt/latest_ckpt_global_step.txt").read_text(encoding="utf-8").strip() == "2"
    step = ["sleep", "train_critic_and_policy", "wake_up weights", "wake_up kv_cache"]
    order = (tmp_path / "export/order.txt").read_text(encoding="utf-8").splitlines()
    assert order == [*step[2:], *step, *step, "sleep", "save_checkpoints"]


@pytest.mark.slow
def test_an_engine_that_loads_weights(server: Server, model: Path, tokenizer: Any, tmp_path: Path) -> None:
    """The same job with an engine that loads weights runs to its last step; every step has new weights."""
    model = Path(shutil.copytree(model, tmp_path / "model"))
    taught(model, tokenizer)
    status, log, steps = trained(server, model, tmp_path, [])
    assert status == 0, log
    assert [step[STALLED] for step in steps] == [0.0] * (ROWS // BATCH)
    assert max(step[GAP] for step in steps) < 1e-3


@pytest.mark.slow
def test_tied_embeddings_stay_tied(server: Server, tied: Path, tokenizer: Any, tmp_path: Path) -> None:
    """With two workers, engine and export have one weight for both layers, and it is the one that was trained."""
    model = Path(shutil.copytree(tied, tmp_path / "model"))
    taught(model, tokenizer)
    status, log, steps = trained(
        server, model, tmp_path, ["trainer.hf_save_interval=3", "trainer.placement.policy_num_gpus_per_node=2"]
    )
    assert status == 0, log
    assert [step[STALLED] for step in steps] == [0.0] * (ROWS // BATCH)
    assert max(step[GAP] for step in steps) < 1e-3
    (export,) = {file.parent for file in (tmp_path / "export").rglob("*.safetensors")}
    check_ties(export)
    again = AutoModelForCausalLM.from_pretrained(export)
    assert again.lm_head.weight is again.model.embed_tokens.weight


@pytest.mark.slow
def test_ppo_with_a_critic(server: Server, model: Path, tokenizer: Any, tmp_path: Path) -> None:
    """The critic starts from the policy's model and learns beside it; both losses are finite and both are saved."""
    model = Path(shutil.copytree(model, tmp_path / "model"))
    taught(model, tokenizer)
    status, log, steps = trained(server, model, tmp_path, [], presets=("ppo",))
    assert status == 0, log
    assert len(steps) == ROWS // BATCH
    for step in steps:
        assert step["critic/grad_norm"] > 0
        assert step["policy/grad_norm"] > 0
        assert step[GAP] < 1e-3
    print("critic", [round(step["critic/critic_loss"], 4) for step in steps])
    assert list((tmp_path / "ckpt/global_step_3/critic").glob("*.pt"))
