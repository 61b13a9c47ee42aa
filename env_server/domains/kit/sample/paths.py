"""Places in results that a row names, and the placeholders of its calls. JMESPath finds the places.

A row writes `price`, `quote.price`, `results[]`, `results[0].close`, `results[][title]` or `rows{name->value}`, each
with or without a name in front (`titles = results[][title]`). Only steps into objects and lists are understood: they
cost no more than the result's size.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import jmespath  # type: ignore[import-untyped]  # it ships no types
from jmespath.exceptions import JMESPathError  # type: ignore[import-untyped]

from env_server.domains.kit.sample.bounds import OverBounds, Work
from env_server.domains.kit.sample.problem import SampleProblem

LONGEST: Final = 500
"""Maximum characters of a path."""

MOST_FILLED: Final = 1_000_000
"""Maximum bytes of the values that stand in the place of placeholders, in one call."""

_NAMED: Final = re.compile(r"\s*(?:([A-Za-z_]\w*)\s*=\s*)?(\S.*?)\s*", re.DOTALL)
_PAIRS: Final = re.compile(r"(.+)\{\s*([^{}>]+?)\s*->\s*([^{}>]+?)\s*\}")
_OF_EACH: Final = re.compile(r"\[\]\[\s*['\"]?([A-Za-z_]\w*)['\"]?\s*\]")
_PLACEHOLDER: Final = re.compile(r"\$\{\s*([^{}]+?)\s*\}")
_STEPS: Final = frozenset(
    {"field", "subexpression", "index_expression", "index", "slice", "projection", "flatten", "identity", "current"}
)


class _Place(NamedTuple):
    name: str
    find: Any
    """The compiled path."""

    pairs: tuple[str, str] | None
    """The fields whose values become the keys and the values of an object."""


def check_path(text: str) -> None:
    """Refuse a text that is no path.

    Raises:
        SampleProblem: with the reason.
    """
    _place(text)


def name_of(text: str) -> str:
    """Return the name of the value at a path: the one in front, else the path's last name.

    Raises:
        SampleProblem: if it is no path.
    """
    return _place(text).name


def extracted(text: str, result: Any) -> Any:
    """Return the value at a path of a result; None if there is none.

    Raises:
        SampleProblem: if it is no path.
    """
    place = _place(text)
    found = place.find.search(result)
    if place.pairs is None:
        return found
    if not isinstance(found, list):
        return None
    key, value = place.pairs
    return {str(one[key]): one.get(value) for one in found if isinstance(one, dict) and one.get(key) is not None}


def placeholders(value: Any) -> Iterator[str]:
    """Yield the text between `${` and `}` of each placeholder in `value`."""
    if isinstance(value, str):
        yield from _PLACEHOLDER.findall(value)
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from placeholders(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from placeholders(inner)


def filled(value: Any, facts: Mapping[str, Any]) -> Any:
    """Return `value` with known values in place of its placeholders; unknown ones stay.

    A text that is one placeholder becomes the value itself, with its type. A placeholder stays if its value would bring
    the sum of the filled-in values above `MOST_FILLED` bytes.
    """
    return _filled(value, facts, Work(size=MOST_FILLED))


def _filled(value: Any, facts: Mapping[str, Any], work: Work) -> Any:
    if isinstance(value, str):
        whole = _PLACEHOLDER.fullmatch(value.strip())
        if whole is not None:
            found = _fitting(whole[1], facts, work)
            return value if found is None else found
        return _PLACEHOLDER.sub(lambda hit: _shown(_fitting(hit[1], facts, work), hit[0]), value)
    if isinstance(value, dict):
        return {name: _filled(inner, facts, work) for name, inner in value.items()}
    return [_filled(inner, facts, work) for inner in value] if isinstance(value, list) else value


def _fitting(text: str, facts: Mapping[str, Any], work: Work) -> Any:
    """Return the value of a placeholder; None if it is unknown, or if `work` does not allow its size."""
    found = _known(text, facts)
    try:
        work.charge(found)
    except OverBounds:
        return None
    return found


def _known(text: str, facts: Mapping[str, Any]) -> Any:
    if text in facts:
        return facts[text]
    try:
        return extracted(text, facts)
    except SampleProblem:
        return None


def _shown(found: Any, otherwise: str) -> str:
    return otherwise if found is None else str(found)


@lru_cache(maxsize=4096)
def _place(text: str) -> _Place:
    whole = _NAMED.fullmatch(text)
    if whole is None or len(text) > LONGEST:
        raise SampleProblem(f"{text[:80]!r} is no path" if whole is None else "the path is too long")
    path, pairs = whole[2], _PAIRS.fullmatch(whole[2])
    if pairs is not None:
        path = pairs[1]
    try:
        find = jmespath.compile(_OF_EACH.sub(r"[].\1", path))
    except JMESPathError as e:
        raise SampleProblem(f"{text!r} is no path: {str(e).splitlines()[0]}") from e
    if not _only_steps(find.parsed):
        raise SampleProblem(f"{text!r} does more than step into objects and lists")
    name = whole[1] or _last_name(path)
    if not name:
        raise SampleProblem(f"{text!r} needs a name: `name = {path}`")
    return _Place(name, find, None if pairs is None else (pairs[2], pairs[3]))


def _last_name(path: str) -> str:
    """Return the last name before any brackets, as in `data.items[][title]` -> `items`."""
    names = re.findall(r"[A-Za-z_]\w*", path.partition("[")[0])
    return names[-1] if names else ""


def _only_steps(node: Any) -> bool:
    return node["type"] in _STEPS and all(_only_steps(child) for child in node["children"] if isinstance(child, dict))
