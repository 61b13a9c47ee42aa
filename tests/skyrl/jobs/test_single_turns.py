"""SkyRL's real trainer learns from rows of single turns, and from prompts whose template describes the tools."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import Server
from tests.skyrl.conftest import KEY
from tests.skyrl.native import caller
from tests.skyrl.running import cluster, engine, journal, process, taught
from tests.skyrl.test_presets import row
from trainer_client import Client

ROWS, BATCH = 24, 8
TURNS = {"text": ["generator.step_wise_trajectories=true"], "rendered": []}
"""How the tools are told -> the settings that make each turn a row; native tools make it so themselves."""


@pytest.mark.slow
@pytest.mark.parametrize("how", TURNS)
def test_it_trains_on_rows_of_single_turns(
    server: Server, model: Path, tokenizer: Any, tmp_path: Path, how: str
) -> None:
    """No rollout is lost, some rewards differ, and the trainer's log probabilities are the engine's at every step."""
    model = Path(shutil.copytree(model, tmp_path / "model"))
    if how == "text":
        taught(model, tokenizer)
    else:
        with Client(server.url, KEY) as client:
            caller(client, model)
    data = tmp_path / "train.jsonl"
    data.write_text("\n".join(json.dumps(row(i)) for i in range(ROWS)), encoding="utf-8")
    with cluster(tmp_path) as ray, engine(tmp_path, model) as url:
        job = ["--preset", "cpu-tiny", "--experiment", "tests.skyrl.standin.experiment:CpuExp", *TURNS[how]]
        job += [f"data.train_data=['{data}']", f"data.val_data=['{data}']", f"trainer.policy.model.path={model}"]
        job += [f"trainer.ckpt_path={tmp_path / 'ckpt'}", f"trainer.export_path={tmp_path / 'export'}"]
        job += [f"generator.inference_engine.external_proxy_url={url}", f"trainer.run_name=turns-{how}"]
        job += [f"generator.inference_engine.external_server_urls=['{url}']", "trainer.epochs=1"]
        job += ["generator.max_turns=3", "generator.max_input_length=1900", "trainer.max_prompt_length=1024"]
        job += ["generator.sampling_params.max_generate_length=48"]
        job += [f"environment.skyrl_gym.agent_env.url={server.url}", f"environment.skyrl_gym.agent_env.tools={how}"]
        command = ["-m", "trainer_client.recipes.grpo.train", *job]
        with process(tmp_path / "train.log", *command, RAY_ADDRESS=ray, ENV_SERVER_KEY=KEY) as training:
            status = training.wait(timeout=3600)
    log = (tmp_path / "train.log").read_text(encoding="utf-8", errors="replace")
    assert status == 0, log[-6000:]
    steps = [entry for entry in journal(tmp_path) if "reward/avg_raw_reward" in entry]
    print(how, [{name: round(entry[name], 4) for name in sorted(entry) if "reward" in name} for entry in steps])
    assert len(steps) == ROWS // BATCH
    assert max(entry["policy/rollout_train_logprobs_abs_diff_mean"] for entry in steps) < 1e-3
    assert sum(entry["environment/lost_rollouts"] for entry in steps) == 0
    assert any(0 < entry["reward/avg_raw_reward"] < 1 for entry in steps)
    assert all(entry["policy/grad_norm"] > 0 for entry in steps)
