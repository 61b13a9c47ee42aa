"""Frozen JSON: dicts and lists that cannot be changed in place, so that all episodes may share them."""

import json
from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar, cast

from pydantic_core import from_json

T = TypeVar("T")


class FrozenError(TypeError):
    """An attempt of a tool to change a row that it only read. The tool must `edit` the row and `put` it back."""


_ATOMS = frozenset((str, int, float, bool, type(None)))

_encode = json.JSONEncoder(check_circular=False, allow_nan=False).encode


def _refuse(_self: object, *_args: object, **_kwargs: object) -> NoReturn:
    raise FrozenError("this row is shared and cannot be changed in place: use table.edit(key) and table.put(row)")


class FrozenDict(dict[str, Any]):
    """A dict that reads, compares and serialises like a dict but refuses every change.

    Its JSON text is made only once, because it cannot change. Agents read that text, SQL stores it, and `thaw` parses
    it.
    """

    __slots__ = ("_text",)
    _text: str

    @property
    def text(self) -> str:
        """JSON text in the dict's own key order, with non-ASCII characters escaped.

        Raises:
            ValueError: if it holds NaN or infinity.
            TypeError: if it holds something that JSON cannot.
        """
        try:
            return self._text
        except AttributeError:
            self._text = _encode(self)
            return self._text

    def write(self, equal: dict[str, Any]) -> None:
        """Make `text` of a dict with the same content. A plain dict is read faster than a frozen one.

        Raises:
            ValueError, TypeError: as `text`.
        """
        self._text = _encode(equal)

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


class FrozenList(list[Any]):
    """A list that reads, compares and serialises like a list but refuses every change."""

    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse


def freeze(value: T) -> T:
    """Return a frozen deep copy of JSON-like `value`. A frozen value is returned unchanged."""
    kind = type(value)
    if kind in _ATOMS or kind is FrozenDict or kind is FrozenList:
        return value
    if isinstance(value, dict):
        return cast(T, _frozen_dict(value))
    if isinstance(value, list | tuple):
        return cast(T, FrozenList([v if type(v) in _ATOMS else freeze(v) for v in value]))
    return value


def _frozen_dict(value: dict[Any, Any]) -> FrozenDict:
    frozen = FrozenDict(value)  # most rows hold few values that are no atoms, so a copy is quicker than a new dict
    for key, inner in value.items():
        if type(key) is not str:
            return FrozenDict({str(k): freeze(v) for k, v in value.items()})
        if type(inner) not in _ATOMS:
            dict.__setitem__(frozen, key, freeze(inner))
    return frozen


def thaw(value: T) -> T:
    """Return a plain, mutable deep copy of JSON-like `value`."""
    if isinstance(value, FrozenDict):
        return cast(T, _parsed(value.text))
    if isinstance(value, dict):
        return cast(T, {k: thaw(v) for k, v in value.items()})
    if isinstance(value, list | tuple):
        return cast(T, [thaw(v) for v in value])
    return value


def _parsed(text: str) -> Any:
    """Return the value of a JSON text. The first parser is faster; it refuses lone surrogates and deep nesting."""
    try:
        return from_json(text)
    except ValueError:
        return json.loads(text)


def merged(row: Any, patch: Any) -> Any:
    """Return a mutable copy of `row` in which `patch` replaces the fields it names, objects field by field."""
    if not isinstance(row, Mapping) or not isinstance(patch, Mapping):
        return thaw(patch)
    return {**thaw(dict(row)), **{k: merged(row.get(k), v) for k, v in patch.items()}}
