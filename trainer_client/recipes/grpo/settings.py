"""A training job as flat settings, `trainer.policy.model.path` -> value: from presets, files and the command line.

The names are SkyRL's, and so are all defaults but those of our section. Nothing here needs SkyRL.
"""

import re
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter, ValidationError

from trainer_client.pool import ServerSettings
from trainer_client.row import ENV_CLASS

OURS = f"environment.skyrl_gym.{ENV_CLASS}."
SECTIONS = ("data", "trainer", "generator", "environment")
RUN = "trainer.run_name"
NEEDED = ("data.train_data", "trainer.policy.model.path", "generator.max_input_length", RUN)
"""Without these there is no job. SkyRL has a name for runs without one: on the server all jobs would be one."""

LEAST: Mapping[str, int] = {
    "environment.skyrl_gym.max_env_workers": 1,
    "generator.max_input_length": 1,
    "generator.max_turns": 1,
    "generator.n_samples_per_prompt": 1,
    "trainer.epochs": 1,
    "trainer.eval_interval": -1,
    "trainer.max_prompt_length": 1,
    "trainer.max_training_steps": 1,
    "trainer.policy.model.lora.rank": 0,
    "trainer.train_batch_size": 1,
}
"""The whole numbers that are reckoned with here, and the least that each may be."""

PLACES: Mapping[str, str] = {"trainer.ckpt_path": "~/ckpts", "trainer.export_path": "~/exports"}
"""Where SkyRL puts what jobs write; each gets a folder of its own there, or it would resume another's checkpoint."""

DEFAULTS: Mapping[str, Any] = {
    "environment.env_class": ENV_CLASS,
    "environment.skyrl_gym.max_env_workers": 32,
    "generator.max_turns": 1,
    "generator.n_samples_per_prompt": 5,
    "trainer.epochs": 1,
    "trainer.eval_interval": 5,
    "trainer.max_prompt_length": 512,
    "trainer.max_training_steps": None,
    "trainer.policy.model.lora.rank": 0,
    "trainer.train_batch_size": 1024,
}
"""SkyRL's own defaults, of the settings that are looked at here; a test holds them against SkyRL."""

RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
"""The run's name is also a folder's."""

Settings = dict[str, Any]


class BadSettings(ValueError):
    """Settings that cannot be used; the message says which and why."""


def presets() -> list[str]:
    """The names of the presets."""
    return sorted(item.name.removesuffix(".yaml") for item in files(__package__).joinpath("presets").iterdir())


def read(preset: str | None, paths: Iterable[Path], overrides: Iterable[str]) -> Settings:
    """The settings of a job; of what is said twice the later counts: preset, files, `key=value` overrides.

    What it writes goes to folders with the run's name, unless they are said.

    Raises:
        BadSettings: if there is no such preset, or a text is not what it should be.
    """
    found: Settings = {}
    if preset is not None:
        if preset not in presets():
            raise BadSettings(f"there is no preset {preset!r}; there are {', '.join(presets())}")
        found |= _parsed(files(__package__).joinpath("presets", f"{preset}.yaml").read_text(encoding="utf-8"), preset)
    for path in paths:
        found |= _parsed(path.read_text(encoding="utf-8"), str(path))
    for override in overrides:
        name, equals, value = override.partition("=")
        if not equals:
            raise BadSettings(f"expected key=value, found {override!r}")
        try:
            found[name] = yaml.safe_load(value)
        except yaml.YAMLError as error:
            raise BadSettings(f"{name}: {error}") from error
    return _own_places(found) | found


def flat(nested: Mapping[str, Any], prefix: str = "") -> Settings:
    """Nested sections as dotted names."""
    found: Settings = {}
    for name, value in nested.items():
        inner = isinstance(value, Mapping) and value
        found |= flat(value, f"{prefix}{name}.") if inner else {f"{prefix}{name}": value}
    return found


def value(settings: Mapping[str, Any], name: str) -> Any:
    """A setting, or its default."""
    return settings.get(name, DEFAULTS.get(name))


def below(settings: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The options under `name`, which a file gives one by one and the command line as one object."""
    found = dict(settings.get(name) or {})
    return found | {
        key.removeprefix(f"{name}."): given for key, given in settings.items() if key.startswith(f"{name}.")
    }


def parts(settings: Mapping[str, Any]) -> dict[str, list[str]]:
    """The files with the rows of each part of a job that is `checked`: `train`, and `val` if it evaluates."""
    given = {
        part: settings[f"data.{part}_data"] for part in ("train", "val") if part == "train" or _evaluates(settings)
    }
    return {part: [paths] if isinstance(paths, str) else paths for part, paths in given.items()}


def checked(settings: Mapping[str, Any]) -> ServerSettings:
    """Our section, if the settings are usable as far as can be told without SkyRL.

    Raises:
        BadSettings: naming everything that is wrong.
    """
    wrong = [f"{name}: there is no such section" for name in settings if name.partition(".")[0] not in SECTIONS]
    wrong += [f"{name}: missing" for name in NEEDED if settings.get(name) is None]
    if _evaluates(settings) and not settings.get("data.val_data"):  # SkyRL has a default, which is a file of its own
        wrong.append("data.val_data: missing; with trainer.eval_interval=-1 nothing is evaluated")
    wrong += [*_wrong_numbers(settings), *_wrong_texts(settings)]
    if value(settings, "environment.env_class") != ENV_CLASS:
        wrong.append(f"environment.env_class: must be {ENV_CLASS}")
    ours = {name.removeprefix(OURS): given for name, given in settings.items() if name.startswith(OURS)}
    wrong += [f"{OURS}{name}: there is no such setting" for name in ours.keys() - ServerSettings.__annotations__.keys()]
    found = ServerSettings()
    try:
        known = {name: given for name, given in ours.items() if name in ServerSettings.__annotations__}
        found = TypeAdapter(ServerSettings).validate_python(known)
    except ValidationError as error:
        wrong += [f"{OURS}{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
    workers = value(settings, "environment.skyrl_gym.max_env_workers")
    if _whole(workers) and found.connections < workers:
        wrong.append(f"{OURS}connections: fewer than environment.skyrl_gym.max_env_workers, which would wait for them")
    if wrong:
        raise BadSettings("; ".join(wrong))
    return found


def _evaluates(settings: Mapping[str, Any]) -> bool:
    interval = value(settings, "trainer.eval_interval")
    return _whole(interval) and interval > 0


def _whole(given: object) -> bool:
    return isinstance(given, int) and not isinstance(given, bool)


def _wrong_numbers(settings: Mapping[str, Any]) -> list[str]:
    given = {name: value(settings, name) for name in LEAST}
    return [
        f"{name}: expected a whole number from {LEAST[name]}, found {number!r}"
        for name, number in given.items()
        if not (_whole(number) and number >= LEAST[name]) and not (number is None and DEFAULTS.get(name) is None)
    ]


def _wrong_texts(settings: Mapping[str, Any]) -> list[str]:
    """Names that are no text, and files that are not named by texts; those that are missing are told by others."""
    names = {name: settings.get(name) for name in ("trainer.policy.model.path", RUN)}
    wrong = [name for name, given in names.items() if not isinstance(given, str | None)]
    for name in ("data.train_data", "data.val_data"):
        given = settings.get(name) or []
        if not isinstance(given, str | list) or not all(isinstance(path, str) for path in given):
            wrong.append(name)
    told = [f"{name}: expected text, found {settings[name]!r}" for name in wrong]
    if isinstance(run := names[RUN], str) and not RUN_NAME.fullmatch(run):
        told.append(f"{RUN}: expected a letter or digit, then up to 99 of them or of '._-', found {run!r}")
    return told


def _own_places(settings: Settings) -> Settings:
    run = settings.get(RUN)
    return {name: str(Path(place).expanduser() / run) for name, place in PLACES.items()} if isinstance(run, str) else {}


def _parsed(text: str, where: str) -> Settings:
    try:
        nested = yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        raise BadSettings(f"{where}: {error}") from error
    if not isinstance(nested, Mapping):
        raise BadSettings(f"{where}: expected sections, found {type(nested).__name__}")
    return flat(nested)
