"""SkyRL's configuration, extended by the section `environment.skyrl_gym.agent_env`. SkyRL must be installed."""

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
    """The section `agent_env`: how the environments reach the server."""


@dataclass
class GymConfig(SkyRLGymConfig):
    """SkyRL's section on gym environments, with `agent_env`."""

    agent_env: AgentEnvConfig = field(default_factory=AgentEnvConfig)


@dataclass
class EnvConfig(EnvironmentConfig):
    """SkyRL's section on environments, with `agent_env` as the default."""

    env_class: str = ENV_CLASS
    skyrl_gym: GymConfig = field(default_factory=GymConfig)


@dataclass
class TrainConfig(SkyRLTrainConfig):
    """SkyRL's whole configuration, with `agent_env`."""

    environment: EnvConfig = field(default_factory=EnvConfig)


def skyrl_config(settings: Mapping[str, Any]) -> TrainConfig:
    """Make SkyRL's configuration of flat settings (`trainer.policy.model.path`, ...).

    Raises:
        BadSettings: if SkyRL does not know some; the error names all of them.
        Exception: any error of SkyRL about values that it cannot use.
    """
    if wrong := unknown(settings):
        raise BadSettings("; ".join(wrong.values()))
    return _made(settings)


def unknown(settings: Mapping[str, Any]) -> dict[str, str]:
    """Setting that SkyRL does not take -> why. SkyRL itself stops at the first, and lists all names that it knows."""
    plain, found = TrainConfig(), dict[str, str]()
    for name, given in settings.items():
        if wrong := _unknown_part(plain, name):
            try:
                _made({name: given})  # SkyRL still takes some old names, and has better messages for others
            except Exception as error:
                found[name] = f"{name}: {wrong if 'Invalid fields' in str(error) else error}"
    return found


def _made(settings: Mapping[str, Any]) -> TrainConfig:
    config: TrainConfig = TrainConfig.from_cli_overrides(dict(settings))
    return config


def _unknown_part(section: Any, name: str) -> str | None:
    """The fault of a name; None if all of it is known, or the rest of it is free."""
    for part in name.split("."):
        if not is_dataclass(section):
            return None
        names = [each.name for each in fields(section)]
        if part not in names:
            return f"there is no such setting{meant(part, names)}"
        section = getattr(section, part)
    return None
