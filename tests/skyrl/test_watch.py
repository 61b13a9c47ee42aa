"""The callback that halts a job: it saves a checkpoint, unless the weights may be spoiled, and says why."""

import math
from types import SimpleNamespace
from typing import Any

import pytest
from skyrl.train.utils.callbacks import CallbackHandler, CallbackInput, TrainingControl

from trainer_client.recipes.grpo.health import Unhealthy
from trainer_client.recipes.grpo.watch import WatchHealth


class Job:
    """What a callback sees of a trainer."""

    def __init__(self, versions: list[int]) -> None:
        self.inference_engine_client = SimpleNamespace(weight_version=0)
        self.versions, self.saved, self.step = versions, 0, 0
        self.callbacks = CallbackHandler([WatchHealth()])

    def save_checkpoints(self) -> str:
        """Count."""
        self.saved += 1
        return f"global_step_{self.step}"

    def log(self, **logs: Any) -> dict[str, Any]:
        """End a step, as SkyRL does, by its own handler."""
        self.step += 1
        self.inference_engine_client.weight_version = self.versions[self.step - 1]
        told = {"trainer/global_step": self.step, **{name.replace("__", "/"): value for name, value in logs.items()}}
        about = CallbackInput(self.step, 0, 10, 10, logs=told)
        self.callbacks.on_log(self, about, TrainingControl())
        return told


def test_a_halt_saves_and_says_why() -> None:
    """The engine's weights stand still from the second step on."""
    job = Job([1, 2, 2, 2])
    assert job.log()["health/alarms"] == job.log()["health/alarms"] == job.log()["health/alarms"] == 0
    with pytest.raises(Unhealthy, match=r"after step 4: health/steps_without_new_weights is 2.*global_step_4"):
        job.log()
    assert job.saved == 1


def test_spoiled_weights_are_not_saved() -> None:
    """The newest checkpoint stays one that can be resumed."""
    job = Job([1])
    with pytest.raises(Unhealthy, match="policy/final_loss is nan; no checkpoint was saved"):
        job.log(policy__final_loss=math.nan)
    assert job.saved == 0


def test_a_warning_does_not_stop() -> None:
    """It is counted in what is logged."""
    job = Job([1])
    assert job.log(policy__policy_kl=3.0)["health/alarms"] == 1
    assert job.saved == 0
