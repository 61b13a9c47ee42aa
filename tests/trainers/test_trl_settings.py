"""`trainer config explain` knows every key of the GRPOConfig that is installed."""

from dataclasses import MISSING, fields
from enum import Enum
from typing import Any

from trl import GRPOConfig

from trainer_client.recipes.explain.meaning import explained


def default(each: Any) -> Any:
    """The default of a field, as a file would have it."""
    value = each.default_factory() if each.default_factory is not MISSING else each.default
    return value.value if isinstance(value, Enum) else value


def test_no_key_of_trl_is_unknown() -> None:
    """Each has settings, a note or a hint of its own, whether it has its default, null or another value."""
    for value in (default, lambda _: None, lambda _: "something else"):
        told = explained({each.name: value(each) for each in fields(GRPOConfig)})
        assert not [each.key for each in told if each.hint.startswith("unknown")]
        assert {bool(each.settings) + bool(each.note) + bool(each.hint) for each in told} == {1}
