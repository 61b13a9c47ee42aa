"""SkyRL's experiment with the generator and the trainer of this package. SkyRL must be installed."""

import copy
import importlib
import os
from pathlib import Path
from typing import Any

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it  # isort: skip

import ray
from skyrl.backends.skyrl_train.inference_servers.utils import resolve_policy_model_name
from skyrl.train.entrypoints.main_base import BasePPOExp
from skyrl.train.trainer import RayPPOTrainer
from skyrl.train.utils import validate_cfg
from skyrl.train.utils.callbacks import TrainingCallback
from skyrl.train.utils.utils import initialize_ray

from trainer_client.recipes.grpo.config import TrainConfig
from trainer_client.recipes.grpo.files import BOARD, KeepFiles
from trainer_client.recipes.grpo.probe import probe
from trainer_client.recipes.grpo.ratio import with_ratio
from trainer_client.recipes.grpo.rows.dataset import JobRows
from trainer_client.recipes.grpo.settings import BadSettings
from trainer_client.recipes.grpo.trainer import AgentEnvTrainer, OrderOfRows
from trainer_client.recipes.grpo.watch import HaltJob, MeasureHealth
from trainer_client.skyrl.generator import RobustGenerator
from trainer_client.skyrl.shared_client import ServerSettings


class AgentEnvExp(BasePPOExp):
    """An experiment that plays on an env-server."""

    def __init__(self, cfg: Any) -> None:
        """Remove the server's key: SkyRL writes its configuration to logs and checkpoints, and sends it to trackers.

        The loss becomes one that also logs the ratio (`ratio.py`).
        """
        cfg = copy.deepcopy(cfg)
        section = cfg.environment.skyrl_gym.agent_env
        self._key, section.key = section.key, None
        self.given = copy.deepcopy(cfg)
        cfg.trainer.algorithm.policy_loss_type = with_ratio(cfg.trainer.algorithm.policy_loss_type)
        super().__init__(cfg)

    def get_train_dataset(self) -> JobRows:
        """Read the rows to train on.

        Raises:
            BadSettings: if they do not make a batch, or cannot be read.
        """
        rows = self._rows(self.cfg.data.train_data, self.cfg.environment.skyrl_gym.agent_env)
        if len(rows) < (batch := self.cfg.trainer.train_batch_size):
            raise BadSettings(f"{len(rows)} rows do not make a batch of {batch}: there is nothing to train on")
        return rows

    def get_eval_dataset(self) -> JobRows | None:
        """Read the rows to evaluate on, if the job evaluates."""
        data = self.cfg.data.val_data if self.cfg.trainer.eval_interval > 0 else None
        return self._rows(data) if data else None

    def _rows(self, sources: list[str], section: ServerSettings | None = None) -> JobRows:
        return JobRows(sources, self.tokenizer, self.cfg.trainer.max_prompt_length, section)

    def get_generator(self, cfg: Any, tokenizer: Any, inference_engine_client: Any) -> RobustGenerator:
        """Make the generator, with the key; it registers the environment in this process, which plays."""
        gym = copy.deepcopy(cfg.environment.skyrl_gym)
        gym.agent_env.key = self._key
        return RobustGenerator(
            generator_cfg=cfg.generator,
            skyrl_gym_cfg=gym,
            inference_engine_client=inference_engine_client,
            tokenizer=tokenizer,
            policy_model_name=resolve_policy_model_name(cfg),
            run=cfg.trainer.run_name,
        )

    def get_tracker(self) -> Any:
        """Make the tracker; TensorBoard's files are beside the job's exports, or all jobs would share a folder."""
        os.environ.setdefault("TENSORBOARD_DIR", str(Path(self.cfg.trainer.export_path) / BOARD))
        return super().get_tracker()

    def get_trainer(self, **parts: Any) -> RayPPOTrainer:
        """Make the trainer."""
        trainer = AgentEnvTrainer(**parts)
        for callback in self.callbacks():
            trainer.add_callback(callback)
        return trainer

    def callbacks(self) -> list[TrainingCallback]:
        """The callbacks that watch the job, in their order: they measure what a step logs, write it, and act on it."""
        of = self.cfg.trainer
        updates = of.train_batch_size // of.policy_mini_batch_size * of.update_epochs_per_batch
        asked = probe(self.tokenizer, resolve_policy_model_name(self.cfg))
        health = MeasureHealth(self.cfg.environment.skyrl_gym.agent_env.health, updates, asked)
        return [OrderOfRows(), health, KeepFiles(self.given), HaltJob(health)]


@ray.remote(num_cpus=1)
def _run(config: TrainConfig, experiment: str) -> None:
    module, _, name = experiment.partition(":")
    getattr(importlib.import_module(module), name)(config).run()


def train(config: TrainConfig, experiment: str = f"{__name__}:AgentEnvExp") -> None:
    """Train until done, in a Ray task of its own; `experiment` names the class, `module:Class`."""
    validate_cfg(config)
    initialize_ray(config)
    ray.get(_run.remote(config, experiment))
