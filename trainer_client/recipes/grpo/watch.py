"""The callbacks that keep watch over a job's health. SkyRL must be installed.

What a step logs is measured first (`MeasureHealth`), then written to the job's files, and then acted on (`HaltJob`), so
that the files have the step at which a job was halted.
"""

from typing import Any

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it  # isort: skip

from loguru import logger
from skyrl.train.utils.callbacks import TrainingCallback

from trainer_client.recipes.grpo.gpus import gpus
from trainer_client.recipes.grpo.health import (
    HALT,
    UNASKED,
    Alarm,
    Health,
    Unhealthy,
    has_updated,
    ratio_spread,
    rules,
    seconds,
)
from trainer_client.recipes.grpo.probe import Probe

COUNTER = "SkyRL's counter of transfers"


class MeasureHealth(TrainingCallback):
    """Adds the metrics of health to what is logged, and compares all of it with the rules."""

    def __init__(self, text: str = "", updates: int = 1, probe: Probe | None = None) -> None:
        """Watch by the default rules, changed by `text`; a step updates the policy `updates` times.

        Without a probe only SkyRL's client is asked whether weights were transferred.
        """
        self.health, self.updates, self.probe = Health(rules(text)), updates, probe
        self.alarms: list[Alarm] = []
        """The alarms of what was logged last."""

    def on_train_start(self, trainer: Any, callback_input: Any, control: Any) -> None:  # noqa: ARG002 -- SkyRL's
        """Ask the engines for the first time: they have the weights with which the job begins."""
        self.health.weights(self._states(trainer, {}, updated=True))

    def on_log(self, trainer: Any, callback_input: Any, control: Any) -> None:  # noqa: ARG002 -- SkyRL's signature
        """Measure a step, or an evaluation."""
        logs = callback_input.logs
        trained = "trainer/global_step" in logs
        if trained:
            logs.update(self.health.weights(self._states(trainer, logs, updated=has_updated(logs))))
            logs.update({**seconds(logs), **gpus(), **ratio_spread(logs, self.updates)})
        self.alarms = self.health.check(logs)
        if trained:
            logs["health/alarms"] = float(len(self.alarms))

    def _states(self, trainer: Any, logs: dict[str, Any], *, updated: bool) -> dict[str, Any]:
        """What tells new weights from old ones. Engines are not asked where the update has changed no weight."""
        client = trainer.inference_engine_client
        version = getattr(client, "weight_version", None)
        states = {} if version is None else {COUNTER: version}
        if self.probe is not None and updated:
            engines = getattr(client, "server_urls", ())
            answers = self.probe.answers(engines)
            logs[UNASKED] = float(len(engines) - len(answers))
            states |= answers
        return states


class HaltJob(TrainingCallback):
    """Warns of alarms. If a rule halts, it raises, and the trainer saves a checkpoint: SkyRL knows no other stop."""

    def __init__(self, measured: MeasureHealth) -> None:
        """Act on the alarms of `measured`, which comes before this in the order of callbacks."""
        self.measured = measured

    def on_log(self, trainer: Any, callback_input: Any, control: Any) -> None:  # noqa: ARG002 -- SkyRL's signature
        """Act on the alarms of a step. If this raises, a tracker still gets the step: SkyRL then logs what is left.

        Raises:
            Unhealthy: if a rule halts. After a loss that is no finite number the weights may be spoiled, and the next
                start has to resume from an older checkpoint.
        """
        for alarm in self.measured.alarms:
            logger.warning(f"{alarm.action}: {alarm.why}")
        if halting := [alarm for alarm in self.measured.alarms if alarm.action == HALT]:
            why = "; ".join(alarm.why for alarm in halting)
            finite = all(alarm.finite for alarm in halting)
            raise Unhealthy(f"halted after step {callback_input.global_step}: {why}", finite=finite)
