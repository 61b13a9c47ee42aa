"""SkyRL's configuration with our section in it: `environment.skyrl_gym.agent_env`. SkyRL must be installed."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it  # isort: skip

from skyrl.train.config import EnvironmentConfig, SkyRLGymConfig, SkyRLTrainConfig
from skyrl.train.config.config import BaseConfig

from trainer_client.recipes.grpo.checking import meant
from trainer_client.recipes.grpo.settings import BadSettings
from trainer_client.skyrl.row import ENV_CLASS
from trainer_client.skyrl.shared_client import ServerSettings


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
        BadSettings: naming all that SkyRL does not know.
        Exception: whatever SkyRL raises about values that it cannot use.
    """
    if wrong := unknown(settings):
        raise BadSettings("; ".join(wrong.values()))
    return _made(settings)


def unknown(settings: Mapping[str, Any]) -> dict[str, str]:
    """The settings that SkyRL does not take, and what to say of each: it stops at the first, and lists all it knows."""
    plain, found = TrainConfig(), dict[str, str]()
    for name, given in settings.items():
        if wrong := _unknown_part(plain, name):
            try:
                _made({name: given})  # some old names are still taken, and about others SkyRL knows more
            except Exception as error:
                found[name] = f"{name}: {wrong if 'Invalid fields' in str(error) else error}"
    return found


def _made(settings: Mapping[str, Any]) -> TrainConfig:
    config: TrainConfig = TrainConfig.from_cli_overrides(dict(settings))
    return config


def _unknown_part(section: Any, name: str) -> str | None:
    """What is wrong with a name; None where all of it is known, or what is below is free."""
    for part in name.split("."):
        if not is_dataclass(section):
            return None
        names = [each.name for each in fields(section)]
        if part not in names:
            return f"there is no such setting{meant(part, names)}"
        section = getattr(section, part)
    return None
