"""A training job's flat settings (`trainer.policy.model.path` -> value) from presets, files and the command line.

The names are SkyRL's, and so are the defaults except in the section `agent_env`. This module does not need SkyRL.
"""

import json
import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from trainer_client.skyrl.row import ENV_CLASS
from trainer_client.skyrl.shared_client import CHAT, RENDERED

PREFIX = f"environment.skyrl_gym.{ENV_CLASS}."
"""The beginning of the names of the settings of this package."""
ALGORITHM = "trainer.algorithm."
PLACEMENT = "trainer.placement."
LORA = "trainer.policy.model.lora."
OPTIMIZER = "trainer.policy.optimizer_config."
ENGINE = "generator.inference_engine."
SAMPLING = "generator.sampling_params."
"""The beginnings of the names of SkyRL's sections."""

URL = f"{PREFIX}url"
TOOLS = f"{PREFIX}tools"
MOVES, DECAY = f"{PREFIX}reference_every", f"{PREFIX}reference_decay"
RUN = "trainer.run_name"
MODEL = "trainer.policy.model.path"
CRITIC = "trainer.critic.model.path"
LONGEST = "generator.max_input_length"
STEP_WISE = "generator.step_wise_trajectories"

PLACES: Mapping[str, str] = {
    "trainer.ckpt_path": "~/ckpts",
    "trainer.export_path": "~/exports",
    f"{LORA}lora_sync_path": "~/lora_sync",
}
"""The folders for the files of jobs. Each job gets a folder in them, or it would resume another's checkpoint.

SkyRL gives all jobs one folder for the adapter that it hands to the engine, `/tmp/skyrl_lora_sync`: two jobs on a
machine would sample from each other's adapters. On several nodes the folder has to be shared, as a home folder is.
"""

DEFAULTS: Mapping[str, Any] = {
    "environment.env_class": ENV_CLASS,
    "environment.skyrl_gym.max_env_workers": 32,
    "generator.batched": False,
    f"{ENGINE}gpu_memory_utilization": 0.8,
    f"{ENGINE}num_engines": 1,
    f"{ENGINE}run_engines_locally": True,
    f"{ENGINE}tensor_parallel_size": 1,
    "generator.max_turns": 1,
    "generator.n_samples_per_prompt": 5,
    f"{SAMPLING}max_generate_length": 1024,
    STEP_WISE: False,
    f"{ALGORITHM}use_kl_in_reward": False,
    f"{ALGORITHM}use_kl_loss": True,
    CRITIC: None,
    "trainer.critic.model.lora.rank": 0,
    "trainer.epochs": 1,
    "trainer.eval_interval": 5,
    "trainer.fully_async.enabled": False,
    "trainer.logger": "wandb",
    "trainer.max_prompt_length": 512,
    "trainer.max_training_steps": None,
    f"{PLACEMENT}colocate_all": True,
    f"{PLACEMENT}colocate_policy_ref": True,
    f"{PLACEMENT}critic_num_gpus_per_node": 1,
    f"{PLACEMENT}critic_num_nodes": 1,
    f"{PLACEMENT}policy_num_gpus_per_node": 1,
    f"{PLACEMENT}policy_num_nodes": 1,
    f"{PLACEMENT}ref_num_gpus_per_node": 1,
    f"{PLACEMENT}ref_num_nodes": 1,
    f"{LORA}rank": 0,
    f"{LORA}target_modules": "all-linear",
    "trainer.project_name": "skyrl",
    "trainer.strategy": "fsdp",
    "trainer.update_ref_every_epoch": False,
    "trainer.train_batch_size": 1024,
}
"""SkyRL's defaults of the settings that this package reads; a test compares them with SkyRL."""

MACHINES = "machines"
KINDS = (MACHINES, "models", "methods")
"""The kinds of presets, in the order in which they are given."""

MERGE = "tag:yaml.org,2002:merge"

Settings = dict[str, Any]


class BadSettings(ValueError):
    """Settings that cannot be used; the message says which and why."""


def presets(kind: str | None = None) -> list[str]:
    """The names of the presets: of `machines`, `models` or `methods`, or of all."""
    return sorted(name for name, (of, _) in _presets().items() if kind in {None, of})


@cache
def _presets() -> dict[str, tuple[str, bytes]]:
    """Name of a preset -> its kind, which is its folder, and its text."""
    return {
        item.name.removesuffix(".yaml"): (folder.name, item.read_bytes())
        for folder in files(__package__).joinpath("presets").iterdir()
        for item in folder.iterdir()
    }


def read(named: Iterable[str], paths: Iterable[Path], overrides: Iterable[str], url: str | None = None) -> Settings:
    """Read the settings of a job. Later sources replace earlier ones: presets, files, `key=value` overrides.

    By default the job writes to folders with the run's name, the server is the one at `url`, and a critic starts from
    the policy's model. If the chat template describes the tools, the settings that this needs are added.

    Raises:
        BadSettings: if there is no such preset, or a text cannot be parsed.
    """
    found: Settings = {}
    for preset in named:
        if preset not in _presets():
            raise BadSettings(f"there is no preset {preset!r}; there are {', '.join(presets())}")
        found = _over(found, _sections(_presets()[preset][1], preset))
    for path in paths:
        found = _over(found, _sections(path.read_bytes(), str(path)))
    for override in overrides:
        name, equals, text = override.partition("=")
        if not equals:
            raise BadSettings(f"expected key=value, found {override!r}")
        found = _over(found, flat({name: _yaml(text, name)}))
    return {**_own_places(found), **_critic(found), **_native(found), **({URL: url} if url else {}), **found}


def undone(named: Sequence[str], settings: Settings) -> list[str]:
    """A line for each two presets of which the later one changes settings of the earlier one.

    Values that files or the command line give do not count. Nor do changes of a machine's preset by those of models and
    methods: it is a whole job, and is there to be changed.
    """
    given = {preset: _sections(_presets()[preset][1], preset) for preset in named}
    last = {name: preset for preset in named for name in given[preset]}
    changes: dict[tuple[str, str], list[str]] = defaultdict(list)
    for first, values in given.items():
        for name, value in values.items():
            later = given[last[name]][name]
            if value != later == settings.get(name) and not (_is_machine(first) and not _is_machine(last[name])):
                changes[first, last[name]].append(f"{name} from {json.dumps(value)} to {json.dumps(later)}")
    return [_undone(first, later, each) for (first, later), each in changes.items()]


def _undone(first: str, later: str, changes: Sequence[str]) -> str:
    kinds = [KINDS.index(_presets()[preset][0]) for preset in (first, later)]
    advice = f"; give {later} before {first}" if kinds[1] < kinds[0] else ""
    return f"the preset {later} changes what {first} sets, {', '.join(changes)}{advice}"


def _is_machine(preset: str) -> bool:
    return _presets()[preset][0] == MACHINES


def check_machine(named: Iterable[str], settings: Settings) -> None:
    """Check that a machine's preset is named, or nothing is missing that each machine's preset has.

    Raises:
        BadSettings: if there is none; the error names those that there are.
    """
    missing = [name for name in (MODEL, LONGEST) if settings.get(name) is None]
    if missing and not any(_is_machine(preset) for preset in named):
        raise BadSettings(
            f"{', '.join(missing)}: missing, and no preset of a machine is given: --preset with one of"
            f" {', '.join(presets(MACHINES))}, before other presets"
        )


def flat(nested: Mapping[str, Any], prefix: str = "") -> Settings:
    """Nested sections as dotted names.

    Raises:
        BadSettings: if a name is there twice, as `a.b` beside a section `a` with `b`.
    """
    found: Settings = {}
    for name, value in nested.items():
        inner = isinstance(value, Mapping) and value
        later = flat(value, f"{prefix}{name}.") if inner else {f"{prefix}{name}": value}
        if twice := found.keys() & later.keys():
            raise BadSettings(f"{', '.join(sorted(twice))}: there twice, dotted and in a section")
        found |= later
    return found


def value(settings: Mapping[str, Any], name: str) -> Any:
    """A setting, or its default."""
    return settings.get(name, DEFAULTS.get(name))


def below(settings: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The options under `name`."""
    return {key.removeprefix(f"{name}."): given for key, given in settings.items() if key.startswith(f"{name}.")}


def evaluates(settings: Mapping[str, Any]) -> bool:
    """Whether the job evaluates at all."""
    interval = value(settings, "trainer.eval_interval")
    return is_whole(interval) and interval > 0


def is_whole(given: object) -> bool:
    """Whether it is a whole number; `true` is not."""
    return isinstance(given, int) and not isinstance(given, bool)


def parts(settings: Mapping[str, Any]) -> dict[str, list[str]]:
    """The files with the rows of each part of a job that is `checked`: `train`, and `val` if it evaluates."""
    given = {part: settings[f"data.{part}_data"] for part in ("train", "val") if part == "train" or evaluates(settings)}
    return {part: [paths] if isinstance(paths, str) else paths for part, paths in given.items()}


class _Loader(yaml.SafeLoader):
    """YAML whose numbers are those of YAML 1.2, where `1e-6` is one, and whose sections name a key once."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Make a section.

        Raises:
            yaml.constructor.ConstructorError: if it names a key twice, of which PyYAML would take the last one, or if a
                key is a list or a section.
        """
        lines: dict[Any, int] = {}
        for key, _ in node.value:
            name, line = self.construct_object(key, deep=True), key.start_mark.line + 1
            if not isinstance(name, Hashable):
                raise yaml.constructor.ConstructorError(None, None, f"line {line} has no name for a key: {name!r:.100}")
            if key.tag != MERGE and name in lines:
                told = f"{name} is there twice, in line {lines[name]} and in line {line}"
                raise yaml.constructor.ConstructorError(None, None, told)
            lines[name] = line
        found: dict[Any, Any] = super().construct_mapping(node, deep=deep)
        return found


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[-+]?[0-9][0-9_]*(\.[0-9_]*)?[eE][-+]?[0-9]+"), list("-+0123456789")
)


def parsed(text: str | bytes) -> Any:
    """A YAML text.

    Raises:
        yaml.YAMLError: if it is none, or a section names a key twice.
        ValueError: if a date in it does not exist, or bytes are no text.
    """
    return yaml.load(text, _Loader)  # a safe one


def _own_places(settings: Settings) -> Settings:
    run = settings.get(RUN)
    return {name: str(Path(place).expanduser() / run) for name, place in PLACES.items()} if isinstance(run, str) else {}


def _critic(settings: Settings) -> Settings:
    needed = settings.get(f"{ALGORITHM}advantage_estimator") == "gae" and MODEL in settings
    return {CRITIC: settings[MODEL]} if needed else {}


def _native(settings: Settings) -> Settings:
    """Settings for tools in the chat template: a row for each turn, merged if possible; for `chat` also a parser."""
    if value(settings, TOOLS) not in {RENDERED, CHAT}:
        return {}
    engine = f"{ENGINE}engine_init_kwargs."
    reads = {f"{engine}enable_auto_tool_choice": True, f"{engine}tool_call_parser": "hermes"}
    rows = {STEP_WISE: True, "generator.merge_stepwise_output": True}
    return rows | (reads if settings[TOOLS] == CHAT else {})


def _over(found: Settings, later: Settings) -> Settings:
    """Replace earlier settings by later ones, also a value by a section, or a section by a value."""
    replaced = {name for name in found for new in later if name.startswith(f"{new}.") or new.startswith(f"{name}.")}
    return {name: given for name, given in found.items() if name not in replaced} | later


def _sections(text: bytes, where: str) -> Settings:
    nested = _yaml(text, where) or {}
    if not isinstance(nested, Mapping):
        raise BadSettings(f"{where}: expected sections, found {type(nested).__name__}")
    try:
        return flat(nested)
    except BadSettings as error:
        raise BadSettings(f"{where}: {error}") from None


def _yaml(text: str | bytes, where: str) -> Any:
    """Parse a text, which may be invalid as YAML, UTF-8 or a date, or contain itself."""
    try:
        found = parsed(text)
        json.dumps(found, default=str, skipkeys=True)  # this refuses a value that contains itself
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BadSettings(f"{where}: {' '.join(str(error).split())}") from error
    return found
