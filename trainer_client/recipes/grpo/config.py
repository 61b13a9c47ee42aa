"""SkyRL's configuration with our section in it: `environment.skyrl_gym.agent_env`. SkyRL must be installed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import trainer_client.skyrl_compat  # noqa: F401  # isort: skip

from skyrl.train.config import EnvironmentConfig, SkyRLGymConfig, SkyRLTrainConfig
from skyrl.train.config.config import BaseConfig

from trainer_client.pool import ServerSettings
from trainer_client.row import ENV_CLASS


@dataclass
class AgentEnvConfig(ServerSettings, BaseConfig):
    """Our section."""


@dataclass
class GymConfig(SkyRLGymConfig):
    """SkyRL's environments, and ours under its id."""

    agent_env: AgentEnvConfig = field(default_factory=AgentEnvConfig)


@dataclass
class EnvConfig(EnvironmentConfig):
    """SkyRL's section on environments."""

    env_class: str = ENV_CLASS
    skyrl_gym: GymConfig = field(default_factory=GymConfig)


@dataclass
class TrainConfig(SkyRLTrainConfig):
    """All of it."""

    environment: EnvConfig = field(default_factory=EnvConfig)


def skyrl_config(settings: Mapping[str, Any]) -> TrainConfig:
    """The configuration that flat settings (`trainer.policy.model.path`, ...) come to.

    Raises:
        ValueError: if there is no such setting.
    """
    config: TrainConfig = TrainConfig.from_cli_overrides(dict(settings))
    return config
