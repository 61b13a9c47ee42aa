"""The files of a job beside its exports: its whole configuration, its metrics and its log. SkyRL must be installed."""

import json
from pathlib import Path
from typing import Any

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it  # isort: skip

from loguru import logger
from skyrl.train.config import get_config_as_yaml_str
from skyrl.train.utils.callbacks import TrainingCallback

CONFIG, METRICS, LOG, BOARD = "resolved.yaml", "metrics.jsonl", "train.log", "tensorboard"


class KeepFiles(TrainingCallback):
    """Writes to the job's folder of exports. A job that is resumed appends, and replaces the configuration."""

    def __init__(self, config: Any) -> None:
        """Keep the files of a job with this configuration, which has no key of the server any more."""
        self.config = config

    def on_train_start(self, trainer: Any, callback_input: Any, control: Any) -> None:  # noqa: ARG002 -- SkyRL's
        """Write the configuration and begin the log."""
        folder = self._folder(trainer)
        (folder / CONFIG).write_text(get_config_as_yaml_str(self.config), encoding="utf-8")
        logger.add(folder / LOG, enqueue=False)

    def on_log(self, trainer: Any, callback_input: Any, control: Any) -> None:  # noqa: ARG002 -- SkyRL's signature
        """Write the numbers of a step or an evaluation as one line."""
        numbers = {name: float(each) for name, each in callback_input.logs.items() if isinstance(each, int | float)}
        with (self._folder(trainer) / METRICS).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"step": callback_input.global_step, **numbers}) + "\n")

    def _folder(self, trainer: Any) -> Path:
        folder = Path(trainer.cfg.trainer.export_path)
        folder.mkdir(parents=True, exist_ok=True)
        return folder
