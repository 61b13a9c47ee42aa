"""The files that a job leaves in its folder of exports."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from loguru import logger
from skyrl.train.utils.callbacks import CallbackHandler, CallbackInput, TrainingControl

from tests.skyrl.standin.experiment import CpuExp
from tests.skyrl.test_presets import MODELS_OWN, MUST, written
from trainer_client.recipes.grpo.config import skyrl_config
from trainer_client.recipes.grpo.files import CONFIG, LOG, METRICS, KeepFiles
from trainer_client.recipes.grpo.health import STALLED, Unhealthy
from trainer_client.recipes.grpo.settings import read

KEY = "environment.skyrl_gym.agent_env.key"


@pytest.fixture
def experiment(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An experiment with a key, whose exports go to a folder of its own."""
    monkeypatch.delenv("TENSORBOARD_DIR", raising=False)
    data = written(tmp_path / "train.jsonl", *["desk"] * 8)
    job = [*MUST, *MODELS_OWN, f"data.train_data=['{data}']", f"data.val_data=['{data}']", f"{KEY}=sesame"]
    job += [f"trainer.policy.model.path={model}", f"trainer.export_path={tmp_path / 'out'}"]
    return CpuExp(skyrl_config(read(["cpu-tiny"], [], [*job, "trainer.logger=tensorboard"])))


def test_configuration_metrics_and_log(experiment: Any, tmp_path: Path) -> None:
    """The whole configuration without the key, a line for each log, also after a restart, and the log as text."""

    class Job:
        """What a callback sees of a trainer."""

        cfg = experiment.cfg

    before = set(logger._core.handlers)  # type: ignore[attr-defined,unused-ignore]  # to remove the file again
    for step in (1, 2):
        callbacks = CallbackHandler([KeepFiles(experiment.given)])
        about = CallbackInput(step, 0, 10, 10, logs={"policy/policy_kl": 0.5, "name": "text"})
        callbacks.on_train_start(Job(), about, TrainingControl())
        logger.info(f"step {step} was played")
        callbacks.on_log(Job(), about, TrainingControl())
        for handler in set(logger._core.handlers) - before:  # type: ignore[attr-defined,unused-ignore]
            logger.remove(handler)
    out = tmp_path / "out"
    config = (out / CONFIG).read_text(encoding="utf-8")
    assert "sesame" not in config
    trainer = yaml.unsafe_load(config)["trainer"]
    assert (trainer["run_name"], trainer["algorithm"]["policy_loss_type"]) == ("mine", "regular")
    lines = [json.loads(line) for line in (out / METRICS).read_text(encoding="utf-8").splitlines()]
    assert lines == [{"step": 1, "policy/policy_kl": 0.5}, {"step": 2, "policy/policy_kl": 0.5}]
    log = (out / LOG).read_text(encoding="utf-8")
    assert [f"step {step} was played" in log for step in (1, 2)] == [True, True]


def test_the_metrics_have_what_health_measures(experiment: Any, tmp_path: Path) -> None:
    """All callbacks of a job run in order; the step at which it is halted is written before it ends."""

    class Job:
        """What a callback sees of a trainer."""

        cfg = experiment.cfg
        inference_engine_client = SimpleNamespace(weight_version=1)
        train_dataloader = SimpleNamespace(generator=SimpleNamespace(manual_seed=lambda _: None))

        def save_checkpoints(self) -> str:
            """Save nothing."""
            return "global_step_2"

    callbacks = CallbackHandler(experiment.callbacks())
    for step in (1, 2):
        logs = {"trainer/global_step": step, "timing/step": 10.0, "timing/generate": 8.0}
        about = CallbackInput(step, 0, 10, 10, logs=logs)
        if step == 2:
            logs["policy/policy_kl"] = 50.0
            with pytest.raises(Unhealthy):
                callbacks.on_log(Job(), about, TrainingControl())
        else:
            callbacks.on_log(Job(), about, TrainingControl())
    lines = [json.loads(line) for line in (tmp_path / "out" / METRICS).read_text(encoding="utf-8").splitlines()]
    assert [(line["step"], line["health/alarms"], line[STALLED]) for line in lines] == [(1, 0.0, 0.0), (2, 2.0, 1.0)]
    assert {line["health/share_of_generation"] for line in lines} == {0.8}


def test_tensorboard_has_a_folder_for_each_job(experiment: Any, tmp_path: Path) -> None:
    """SkyRL itself would write all jobs of a machine to one folder."""
    tracker = experiment.get_tracker()
    tracker.log({"policy/policy_kl": 0.5}, step=1)
    tracker.finish()
    assert list((tmp_path / "out/tensorboard").iterdir())
