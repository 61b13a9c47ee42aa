"""SkyRL's experiment with our generator. SkyRL must be installed."""

import copy
import importlib
from typing import Any

import trainer_client.skyrl_compat  # noqa: F401  # isort: skip

import ray
from loguru import logger
from skyrl.backends.skyrl_train.inference_servers.utils import resolve_policy_model_name
from skyrl.train.entrypoints.main_base import BasePPOExp
from skyrl.train.trainer import RayPPOTrainer
from skyrl.train.utils import validate_cfg
from skyrl.train.utils.callbacks import TrainingCallback
from skyrl.train.utils.tracking import Tracking
from skyrl.train.utils.utils import initialize_ray

from trainer_client.masking import baseline_groups
from trainer_client.recipes.grpo.config import TrainConfig
from trainer_client.skyrl_generator import RobustGenerator

GAP = "policy/rollout_train_logprobs_abs_diff_mean"
LARGEST_GAP = 0.1
"""Above this the engine samples from another model than the one that is trained; rounding gives a tenth of it."""


class AgentEnvTrainer(RayPPOTrainer):
    """SkyRL's trainer, in which lost rollouts are compared with nothing."""

    def convert_to_training_input(self, generator_output: Any, uids: list[str]) -> Any:
        """Keep beside SkyRL's batch which rows are compared with which."""
        batch = super().convert_to_training_input(generator_output, uids)
        batch.metadata["baseline_groups"] = baseline_groups(generator_output, uids)
        return batch

    def compute_advantages_and_returns(self, data: Any) -> Any:
        """Compare them so. SkyRL needs the prompts' own ids before and after, to find where one begins."""
        uids, groups = data.metadata["uids"], data.metadata.pop("baseline_groups")
        data.metadata["uids"] = [*groups, *uids[len(groups) :]]  # rows that fill up the batch come last
        data = super().compute_advantages_and_returns(data)
        data.metadata["uids"] = uids
        return data


class WatchGap(TrainingCallback):
    """Says so when what is sampled from is not what is trained."""

    def on_log(self, trainer: Any, callback_input: Any, control: Any) -> None:  # noqa: ARG002  # SkyRL's signature
        """Look at the gap between the engine's and the trainer's log probabilities."""
        gap = callback_input.logs.get(GAP)
        if gap is not None and gap > LARGEST_GAP:
            logger.warning(f"{GAP} is {gap:.3f}: the engine's weights are not the trainer's; stop and look")


class AgentEnvExp(BasePPOExp):
    """An experiment that plays on an env-server."""

    def get_generator(self, cfg: Any, tokenizer: Any, inference_engine_client: Any) -> RobustGenerator:
        """Our generator; it registers the environment in this process, which is the one that plays."""
        return RobustGenerator(
            generator_cfg=cfg.generator,
            skyrl_gym_cfg=cfg.environment.skyrl_gym,
            inference_engine_client=inference_engine_client,
            tokenizer=tokenizer,
            policy_model_name=resolve_policy_model_name(cfg),
            run=cfg.trainer.run_name,
        )

    def get_trainer(self, **parts: Any) -> RayPPOTrainer:
        """Our trainer."""
        trainer = AgentEnvTrainer(**parts)
        trainer.add_callback(WatchGap())
        return trainer

    @staticmethod
    def get_cfg_as_str(cfg: Any) -> str:
        """The configuration for the log, without the key."""
        return str(BasePPOExp.get_cfg_as_str(_without_key(cfg)))

    def get_tracker(self) -> Tracking:
        """A tracker that is not told the key."""
        about = self.cfg.trainer
        return Tracking(
            project_name=about.project_name,
            experiment_name=about.run_name,
            backend=about.logger,
            config=_without_key(self.cfg),
            tags=about.tags,
        )


@ray.remote(num_cpus=1)
def _run(config: TrainConfig, experiment: str) -> None:
    module, _, name = experiment.partition(":")
    getattr(importlib.import_module(module), name)(config).run()


def train(config: TrainConfig, experiment: str = f"{__name__}:AgentEnvExp") -> None:
    """Train until done, in a Ray task of its own; `experiment` names the class, `module:Class`."""
    validate_cfg(config)
    initialize_ray(config)
    ray.get(_run.remote(config, experiment))


def _without_key(config: Any) -> Any:
    shown = copy.deepcopy(config)
    ours = shown.environment.skyrl_gym.agent_env
    ours.key = None if ours.key is None else "***"
    return shown
