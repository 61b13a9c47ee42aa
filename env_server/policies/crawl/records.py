"""What tools have answered, as flat records: every value by its names, with those of the records around it."""

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
"""Entries from which on a mapping of names to codes of one shape is taken for a list of named things."""


@dataclass(frozen=True, slots=True)
class Record:
    """One mapping of an answer."""

    own: Mapping[str, Scalar]
    """Its values by name."""

    around: Mapping[str, Scalar]
    """Those of the mappings that hold it, and the arguments that the answer was asked for with."""

    lists: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """The lists and mappings in it, by name."""

    depth: int = 0
    """How many calls led to it."""

    common: bool = False
    """Whether it may be anybody's: the answer to a question that named nothing of the user's."""

    fits: dict[str, tuple[dict[str, Any], str]] = field(default_factory=dict, compare=False)
    """Tool -> the arguments that this record gives for it, and the one that it lacks; kept by who works it out."""

    _taken: dict[str, Scalar | None] = field(default_factory=dict, compare=False)

    def get(self, name: str) -> Scalar | None:
        """The value that an argument `name` takes from here: its own first."""
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
    """The records in a tool's answer; a bare word is the id of what the tool's name speaks of."""
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
    """The plain values of a mapping; those with one word for a name also by what the mapping is."""
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
    """A mapping in a mapping: one of many by its key, or a part with a name."""
    if not many:
        yield from _walk([singular(key)], subjects, inner, outer)
        return
    ids = _ids(names, key)
    yield from _walk(names, subjects, {**ids, **inner}, outer)


def _many(value: Json) -> bool:
    """Whether all of a mapping's values are mappings, by keys that look like ids."""
    return all(isinstance(inner, Mapping) and re.search(r"\d", key) for key, inner in value.items())


def _named_codes(value: Json) -> bool:
    """Whether a mapping lists codes of one shape by the names of things."""
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
    """Whether a value of one name can be an argument of another: `payment_method_id` as `payment_id`."""
    if argument == "id":
        return known.endswith("_id")
    a, b = set(known.split("_")), set(argument.split("_"))
    return known.endswith("_id") and argument.endswith("_id") and min(len(a), len(b)) > 1 and (a <= b or b <= a)
