"""The names of SkyRL's settings and of ours, without SkyRL."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from trainer_client.recipes.grpo.settings import PREFIX, is_whole
from trainer_client.skyrl.shared_client import ServerSettings

TYPES: Mapping[str, str] = {"int": "a whole number", "float": "a number", "bool": "true or false"}

FREE = ".*"
"""The end of a name in the list below which every key is one."""


@cache
def _listed() -> Mapping[str, tuple[str, ...]]:
    """SkyRL 0.3.0's settings, with the types of numbers and switches; tests/skyrl compare the list with SkyRL."""
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


def is_empty_section(name: str, value: Any) -> bool:
    """Whether it is a section of settings without one."""
    return value == {} and any(each.startswith(f"{name}.") for each in _listed())


def of_its_type(name: str, value: Any) -> Any:
    """The value of a setting, with `3.0` as a whole number where only whole ones are taken.

    Raises:
        ValueError: if SkyRL says that it is a number or true or false, and the value is something else.
    """
    kind, *null = _listed().get(name, ("",)) or ("",)
    if not kind or (value is None and null) or (isinstance(value, str) and value.startswith("${")):
        return value  # the last is a reference to another setting
    if kind == "int" and isinstance(value, float) and value.is_integer():
        return int(value)
    fits = {"bool": isinstance(value, bool), "int": is_whole(value), "float": is_whole(value) or type(value) is float}
    if not fits[kind]:
        raise ValueError(f"{name}: expected {TYPES[kind]}, found {value!r:.100}")
    return value


def sections(name: str) -> Iterator[str]:
    """The name, and the sections that it is in, from the innermost."""
    while name:
        yield name
        name = name.rpartition(".")[0]
