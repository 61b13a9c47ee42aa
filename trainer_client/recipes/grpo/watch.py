"""The callback that keeps watch over a job's health. SkyRL must be installed."""

from typing import Any

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it  # isort: skip

from loguru import logger
from skyrl.train.utils.callbacks import TrainingCallback

from trainer_client.recipes.grpo.gpus import gpus
from trainer_client.recipes.grpo.health import HALT, Health, Unhealthy, ratio_spread, rules, seconds


class WatchHealth(TrainingCallback):
    """Warns of what is logged, or halts the job: it saves a checkpoint and raises. SkyRL has no other way to stop."""

    def __init__(self, text: str = "", updates: int = 1) -> None:
        """Watch by the default rules, changed by `text`; a step has so many updates of the policy."""
        self.health, self.updates = Health(rules(text)), updates

    def on_log(self, trainer: Any, callback_input: Any, control: Any) -> None:  # noqa: ARG002 -- SkyRL's signature
        """Check what is logged; it is logged also where this raises, because SkyRL then logs what is left.

        Raises:
            Unhealthy: if a rule halts. A checkpoint is saved first, unless a loss is no finite number: the weights
                are spoiled then, and the next start has to resume from an older one.
        """
        logs = callback_input.logs
        trained = "trainer/global_step" in logs
        version = getattr(trainer.inference_engine_client, "weight_version", None)
        if trained and version is not None:
            logs.update(self.health.weights(version))
        if trained:
            logs.update({**seconds(logs), **gpus(), **ratio_spread(logs, self.updates)})
        alarms = self.health.check(logs)
        if trained:
            logs["health/alarms"] = float(len(alarms))
        for alarm in alarms:
            logger.warning(f"{alarm.action}: {alarm.why}")
        if not (halting := [alarm for alarm in alarms if alarm.action == HALT]):
            return
        saved = trainer.save_checkpoints() if all(alarm.finite for alarm in halting) else None
        told = f"checkpoint: {saved}" if saved else "no checkpoint was saved, as the weights may be spoiled"
        step = callback_input.global_step
        raise Unhealthy(f"halted after step {step}: {'; '.join(alarm.why for alarm in halting)}; {told}")
