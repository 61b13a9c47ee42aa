"""Values by argument names, collected from rows and from the answers of tools."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

Values = Mapping[str, Sequence[Any]]
"""Name -> distinct values in order of first occurrence."""

Scalar = str | int | float | bool


def collect(found: Iterable[Any]) -> Values:
    """Return the values in JSON values by the names of their fields.

    A list's values go by the singular of its name, and so do the keys of an object of objects. Text in either also
    counts as an id, so that `orders: ["#W1"]` and `orders: {"#W1": {...}}` both give an `order` and an `order_id`.
    """
    values: dict[str, dict[tuple[type, Scalar], Scalar]] = {}
    for value in found:
        for name, scalar in _named("", value):
            values.setdefault(name, {}).setdefault((type(scalar), scalar), scalar)
    return {name: tuple(distinct.values()) for name, distinct in values.items() if name}


def matching(values: Values, argument: str) -> Sequence[Any]:
    """Return the values that `argument` can take: those of its name, else of its name without its first words."""
    words = argument.split("_")
    for start in range(len(words)):
        found = values.get("_".join(words[start:]))
        if found:
            return found
    return ()


def singular(name: str) -> str:
    """Return the singular of a name: `item_ids` -> `item_id`, `addresses` -> `address`."""
    for ending, one in (("ies", "y"), ("sses", "ss"), ("s", "")):
        if name.endswith(ending) and not name.endswith("ss"):
            return name.removesuffix(ending) + one
    return name


def _named(name: str, value: Any) -> Iterator[tuple[str, Scalar]]:
    if isinstance(value, Mapping):
        if value and all(isinstance(inner, Mapping) for inner in value.values()):
            for key in value:
                yield from _one_of_many(name, key)
        for key, inner in value.items():
            yield from _named(key, inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            if isinstance(inner, Mapping | list | tuple):
                yield from _named(singular(name), inner)
            else:
                yield from _one_of_many(name, inner)
    elif value is not None:
        yield name, value


def _one_of_many(name: str, value: Any) -> Iterator[tuple[str, Scalar]]:
    one = singular(name)
    if one and value is not None:
        yield one, value
        if isinstance(value, str) and not one.endswith("_id"):
            yield f"{one}_id", value
