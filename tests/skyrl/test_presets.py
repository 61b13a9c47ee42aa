"""The presets in SkyRL's own schema, and the dry run where SkyRL is installed."""

import json
from pathlib import Path
from typing import Any

import pytest
from skyrl.train.config import SkyRLTrainConfig
from skyrl.train.utils import validate_cfg

from tests.e2e.server import Server
from tests.skyrl import tiny
from trainer_client.recipes.grpo import settings as reading
from trainer_client.recipes.grpo.config import skyrl_config
from trainer_client.recipes.grpo.experiment import AgentEnvExp
from trainer_client.recipes.grpo.train import main

MUST = ["data.train_data=['train.parquet']", "trainer.policy.model.path=tiny", "trainer.logger=console"]
ENGINE = "http://127.0.0.1:1"


def row(place: int) -> dict[str, Any]:
    """A row of a training set."""
    info = {"domain": "desk", "split": "train", "index": place}
    return {
        "data_source": "desk",
        "prompt": tiny.SYSTEM,
        "env_class": "agent_env",
        "reward_spec": {},
        "extra_info": info,
    }


@pytest.mark.parametrize("preset", reading.presets())
def test_presets_are_valid(preset: str) -> None:
    """SkyRL knows every setting of a preset, and its validation passes."""
    external = [f"generator.inference_engine.external_proxy_url={ENGINE}"] if preset == "cpu-tiny" else []
    settings = reading.read(preset, [], [*MUST, *external])
    reading.checked(settings)
    validate_cfg(skyrl_config(settings))


def test_defaults_are_skyrls() -> None:
    """The defaults that the dry run reckons with are those of the release that is pinned."""
    plain = SkyRLTrainConfig()
    for name, expected in reading.DEFAULTS.items():
        if name != "environment.env_class":
            found: Any = plain
            for part in name.split("."):
                found = getattr(found, part)
            assert found == expected, name


def test_the_key_is_not_shown() -> None:
    """What is written to the log has no key."""
    config = skyrl_config({"environment.skyrl_gym.agent_env.key": "sesame"})
    assert "sesame" not in AgentEnvExp.get_cfg_as_str(config)
    assert config.environment.skyrl_gym.agent_env.key == "sesame"


def test_the_dry_run(server: Server, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Everything is checked and the plan told; a prompt that does not fit, and a wrong name, are found."""
    data = tmp_path / "train.jsonl"
    data.write_text("\n".join(json.dumps(row(i)) for i in range(16)), encoding="utf-8")
    job = ["--preset", "cpu-tiny", "--dry-run", "--json", f"data.train_data=['{data}']"]
    job += [f"trainer.policy.model.path={model}", f"generator.inference_engine.external_proxy_url={ENGINE}"]
    job += [f"environment.skyrl_gym.agent_env.url={server.url}", "environment.skyrl_gym.agent_env.key=secret"]
    assert main(job) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert {f["verdict"] for f in told["findings"]} == {"ok"}
    assert "8 steps of 8 prompts x 8 episodes" in told["findings"][-1]["detail"]
    assert main([*job, "trainer.max_prompt_length=9", "generator.max_input_length=9", "trainer.nonsense=1"]) == 1
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert {f["check"] for f in told["findings"] if f["verdict"] == "failed"} == {"SkyRL's settings", "prompt lengths"}
