"""Answers of tools as flat records: every value by its names, with the values of the enclosing records."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from env_server.policies.crawl.shapes import mask
from env_server.policies.rules.values import Scalar, singular

Json = Mapping[str, Any]

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

UNIFORM = 5
"""The minimum number of entries for which a mapping of names to codes of one shape counts as a list of named things."""


@dataclass(frozen=True, slots=True)
class Record:
    """One mapping of an answer."""

    own: Mapping[str, Scalar]
    """Its values by name."""

    around: Mapping[str, Scalar]
    """The values of the mappings that contain it, and the arguments of the call."""

    lists: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """The lists and mappings in it, by name."""

    depth: int = 0
    """The number of calls that led to it."""

    common: bool = False
    """Whether it may belong to any customer: the call that it answers named nothing that belongs to the user."""

    fits: dict[str, tuple[dict[str, Any], str]] = field(default_factory=dict, compare=False)
    """Tool -> the arguments that this record gives for it, and the missing argument; a cache that callers fill."""

    _taken: dict[str, Scalar | None] = field(default_factory=dict, compare=False)

    def get(self, name: str) -> Scalar | None:
        """Return the value for an argument `name`; the record's own values come first."""
        if name not in self._taken:
            self._taken[name] = self._find(name)
        return self._taken[name]

    def _find(self, name: str) -> Scalar | None:
        for values in (self.own, self.around):
            found = values.get(name)
            if found is None:
                found = next((v for known, v in values.items() if _stands_for(known, name)), None)
            if found is not None:
                return found
        return None


def records(tool: str, arguments: Json, answer: str, depth: int, *, common: bool) -> list[Record]:
    """Return the records in a tool's answer. An answer of one word is the id of the thing in the tool's name."""
    subjects = [singular(word) for word in tool.partition("_by_")[0].split("_")[1:]]
    asked = {name: value for name, value in arguments.items() if isinstance(value, str | int | float)}
    try:
        value = json.loads(answer)
    except ValueError:
        value = answer
    if isinstance(value, str):
        if not re.fullmatch(r"\S+", value):
            return []
        value = {f"{subject}_id": value for subject in subjects if subject != "id"}
    found = _walk(subjects, subjects, value, asked)
    return [Record(own, around, lists, depth, common) for own, around, lists in found]


Flat = tuple[dict[str, Scalar], dict[str, Scalar], dict[str, Sequence[Any]]]


def _walk(names: Sequence[str], subjects: Sequence[str], value: Any, around: dict[str, Scalar]) -> Iterator[Flat]:
    if isinstance(value, list):
        for inner in value:
            if isinstance(inner, Mapping | list):
                yield from _walk(names, subjects, inner, around)
            elif isinstance(inner, str):
                yield _ids(names, inner), around, {}
    elif isinstance(value, Mapping) and _named_codes(value):
        for key, inner in value.items():
            yield {"name": key, **_ids(subjects, inner)}, around, {}
    elif isinstance(value, Mapping):
        own = _own(names, value)
        if own:
            yield own, around, {k: _entries(v) for k, v in value.items() if isinstance(v, list | Mapping)}
        outer = {**around, **own}
        for key, inner in value.items():
            if isinstance(inner, list):
                day = {"date": key} if _DAY.fullmatch(key) else {}
                if day:
                    yield {"date": key}, outer, {}
                yield from _walk([singular(key)], subjects, inner, {**outer, **day})
            elif isinstance(inner, Mapping):
                yield from _inner(names, subjects, key, inner, outer, many=_many(value))


def _own(names: Sequence[str], value: Json) -> dict[str, Scalar]:
    """Return the plain values of a mapping. One-word names also appear with the mapping's name as a prefix."""
    own: dict[str, Scalar] = {}
    for key, inner in value.items():
        if isinstance(inner, str | int | float):
            own[key] = inner
            for name in names if "_" not in key else ():
                own.setdefault(f"{name}_{key}", inner)
    return own


def _inner(
    names: Sequence[str], subjects: Sequence[str], key: str, inner: Json, outer: dict[str, Scalar], *, many: bool
) -> Iterator[Flat]:
    """Yield the records of a nested mapping: one of many by its key, or a part with a name."""
    if not many:
        yield from _walk([singular(key)], subjects, inner, outer)
        return
    ids = _ids(names, key)
    yield from _walk(names, subjects, {**ids, **inner}, outer)


def _many(value: Json) -> bool:
    """Return whether all values of a mapping are mappings, and all keys look like ids."""
    return all(isinstance(inner, Mapping) and re.search(r"\d", key) for key, inner in value.items())


def _named_codes(value: Json) -> bool:
    """Return whether a mapping lists codes of one shape by the names of things."""
    texts = [inner for inner in value.values() if isinstance(inner, str)]
    same = len(texts) == len(value) >= UNIFORM and len({mask(text) for text in texts}) == 1
    return same and all(re.search(r"\d", text) for text in texts)


def _ids(names: Sequence[str], value: str) -> dict[str, Scalar]:
    found: dict[str, Scalar] = {}
    for name in names:
        found[name] = value
        if not name.endswith("_id"):
            found[f"{name}_id"] = found[f"{name}_code"] = value
    return found


def _entries(value: Any) -> Sequence[Any]:
    if isinstance(value, Mapping):
        return [{"id": k, **v} if isinstance(v, Mapping) else k for k, v in value.items()]
    return list(value)


@cache
def _stands_for(known: str, argument: str) -> bool:
    """Return whether a value of one name can be an argument of another: `payment_method_id` as `payment_id`."""
    if argument == "id":
        return known.endswith("_id")
    a, b = set(known.split("_")), set(argument.split("_"))
    return known.endswith("_id") and argument.endswith("_id") and min(len(a), len(b)) > 1 and (a <= b or b <= a)
