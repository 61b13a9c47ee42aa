"""The names of SkyRL's settings and of ours, without SkyRL."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from trainer_client.recipes.grpo.checking import SECTIONS, meant
from trainer_client.recipes.grpo.settings import ALGORITHM, ENGINE, PREFIX, is_whole
from trainer_client.skyrl.shared_client import ServerSettings

TYPES: Mapping[str, str] = {"int": "a whole number", "float": "a number", "bool": "true or false", "text": "text"}
MANY: Mapping[str, str] = {"int": "whole numbers", "float": "numbers", "text": "texts"}

LOGGERS = ("wandb", "tensorboard", "mlflow", "swanlab", "console")
LOSSES = ("regular", "dual_clip", "gspo", "cispo", "rollout_is", "clip_cov", "kl_cov", "sapo", "cross_entropy")

CHOICES: Mapping[str, tuple[str, ...]] = {
    "trainer.strategy": ("fsdp", "megatron"),
    "trainer.resume_mode": ("none", "latest", "from_path"),
    "trainer.logger": LOGGERS,
    "trainer.sequence_parallel_backend": ("ulysses",),
    f"{ALGORITHM}advantage_estimator": ("grpo", "gae", "rloo", "reinforce++", "maxrl"),
    f"{ALGORITHM}policy_loss_type": (*LOSSES, "importance_sampling", "dppo"),
    f"{ALGORITHM}loss_reduction": (
        "token_mean",
        "token_mean_legacy",
        "sequence_mean",
        "seq_mean_token_sum_norm",
        "prompt_mean",
    ),
    f"{ALGORITHM}kl_estimator_type": ("k1", "k2", "k3", "abs"),
    f"{ALGORITHM}kl_ctrl.type": ("fixed", "adaptive"),
    f"{ALGORITHM}dynamic_sampling.type": ("filter", "replace"),
    f"{ALGORITHM}dppo.dppo_type": ("binary_tv", "binary_kl"),
    f"{ALGORITHM}off_policy_correction.tis_ratio_type": ("token", "sequence"),
    f"{ALGORITHM}off_policy_correction.sequence_mask_metric": ("product", "geometric"),
    f"{ENGINE}backend": ("vllm",),
    f"{ENGINE}distributed_executor_backend": ("mp", "ray"),
}
"""Setting -> the only texts that SkyRL 0.3.0 takes; tests/skyrl compare them with SkyRL."""

ONE_OR_MANY = ("data.train_data", "data.val_data", ".target_modules", ".exclude_modules")
"""Ends of settings that take a text or a list of texts, whatever SkyRL's schema says."""

OLD = ("trainer.use_sample_packing", f"{ENGINE}async_engine")
"""Old names that SkyRL 0.3.0 still takes."""

FEW = 3
"""The most suggestions for a name that is the beginning of several known names."""

FREE = ".*"
"""The end of a listed name below which every key is a setting."""


@cache
def _listed() -> Mapping[str, tuple[str, ...]]:
    """SkyRL 0.3.0's settings, with their types; tests/skyrl compare the list with SkyRL.

    A type is `int`, `float`, `bool` or `text`. Behind it, `[]` means a list of such, and `[2]` one of this length.
    """
    text = files(__package__).joinpath("skyrl_settings.txt").read_text(encoding="utf-8")
    return {name: tuple(types) for name, *types in map(str.split, text.splitlines())}


def settings() -> list[str]:
    """SkyRL's settings, and those of `agent_env`, in the order of the alphabet."""
    own = (f"{PREFIX}{name}" for name in ServerSettings.__annotations__)
    return sorted({*(name.removesuffix(FREE) for name in _listed()), *own})


def is_setting(name: str) -> bool:
    """Whether a job has this setting; what is below `agent_env` is checked with its value."""
    free = any(f"{section}{FREE}" in _listed() for section in sections(name))
    return free or name in _listed() or name.startswith(PREFIX)


def is_section(name: str) -> bool:
    """Whether it is a section of settings."""
    return any(each.startswith(f"{name}.") for each in _listed())


def is_empty_section(name: str, value: Any) -> bool:
    """Whether `name` is a section of settings, and `value` has none."""
    return value == {} and is_section(name)


def unknown_names(given: Mapping[str, Any]) -> list[str]:
    """A message for each name that is no setting. Names outside the known sections are not checked here."""
    names = [name for name in given if name.partition(".")[0] in SECTIONS and name not in (*SECTIONS, *OLD)]
    return [
        f"{name}: there is no such setting{_meant(name)}"
        for name in names
        if not is_setting(name) and not is_section(name)
    ]


def _meant(name: str) -> str:
    """The names of which this one is the beginning, if they are few; else the closest one."""
    begun = [each for each in settings() if each.startswith(name)]
    return f"; did you mean {' or '.join(begun)}?" if 0 < len(begun) <= FEW else meant(name, settings())


def of_its_type(name: str, value: Any) -> Any:
    """The value of a setting, with `3.0` as a whole number where only whole ones are taken.

    Raises:
        ValueError: if the value is of another type than SkyRL's list says.
    """
    kind, *null = _listed().get(name, ("",)) or ("",)
    if not kind or (value is None and null) or (isinstance(value, str) and value.startswith("${")):
        return value  # the last is a reference to another setting
    if name.endswith(ONE_OR_MANY):
        kind = f"text{'[]' * isinstance(value, list)}"
    if value not in CHOICES.get(name, (value,)):
        raise ValueError(f"{name}: expected one of {', '.join(CHOICES[name])}, found {value!r:.100}")
    inner, many, length = kind.partition("[")
    if not many:
        return _one(name, inner, value, TYPES[inner])
    size = length.removesuffix("]")
    expected = f"a list of {f'{size} ' if size else ''}{MANY[inner]}"
    if not isinstance(value, list) or (size and len(value) != int(size)):
        raise ValueError(f"{name}: expected {expected}, found {value!r:.100}")
    return [_one(name, inner, each, expected) for each in value]


def _one(name: str, kind: str, value: Any, expected: str) -> Any:
    """A single value of a type."""
    if kind == "int" and isinstance(value, float) and value.is_integer():
        return int(value)
    fits = {
        "bool": isinstance(value, bool),
        "int": is_whole(value),
        "float": is_whole(value) or type(value) is float,
        "text": isinstance(value, str),
    }
    if not fits[kind]:
        raise ValueError(f"{name}: expected {expected}, found {value!r:.100}")
    return value


def sections(name: str) -> Iterator[str]:
    """The name, and the sections that it is in, from the innermost."""
    while name:
        yield name
        name = name.rpartition(".")[0]
