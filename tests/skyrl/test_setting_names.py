"""The list of SkyRL's settings that `trainer config explain` reads, with types of numbers, is that of its schema."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib.resources import files
from types import NoneType
from typing import Any, Union, get_args, get_origin

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it  # isort: skip

from skyrl.train.config import SkyRLTrainConfig
from skyrl.train.config.config import _resolve_class_type

LIST = files("trainer_client.recipes.explain").joinpath("skyrl_settings.txt")


KINDS = {int: "int", float: "float", bool: "bool"}


def kind(annotation: Any) -> str:
    """The type of a number or of a switch, and whether it may be null; nothing for other types."""
    inner = [each for each in get_args(annotation) if each is not NoneType] if get_origin(annotation) is Union else []
    found = KINDS.get(inner[0] if len(inner) == 1 else annotation)
    return f" {found}{' null' if inner else ''}" if found else ""


def names(section: Any, prefix: str = "") -> Iterator[str]:
    """The settings of a section; one that takes free keys ends in `.*`, and others with sections are left out."""
    for each in fields(section):
        inner = _resolve_class_type(each.type)
        name = f"{prefix}{each.name}"
        if is_dataclass(inner) and "Optional" in str(each.type):
            yield name
        if is_dataclass(inner):
            yield from names(inner, f"{name}.")
        else:
            yield name + ".*" * ("dict" in str(each.type).lower()) + kind(each.type)


def test_the_list_is_that_of_skyrl() -> None:
    """Written anew by `python -m tests.skyrl.test_setting_names`, in SkyRL's environment."""
    assert LIST.read_text(encoding="utf-8").splitlines() == sorted(names(SkyRLTrainConfig))


if __name__ == "__main__":
    print("\n".join(sorted(names(SkyRLTrainConfig))))
