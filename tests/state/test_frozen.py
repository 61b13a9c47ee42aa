"""Rows cannot be changed in place."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.state import FrozenError, freeze, thaw

jsons = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)

CHANGES: dict[str, Callable[[Any], Any]] = {
    "set a key": lambda row: row.__setitem__("a", 1),
    "delete a key": lambda row: row.__delitem__("list"),
    "update": lambda row: row.update(a=1),
    "merge": lambda row: row.__ior__({"a": 1}),
    "pop": lambda row: row.pop("list"),
    "set default": lambda row: row.setdefault("new", 1),
    "clear": lambda row: row.clear(),
    "append deep inside": lambda row: row["list"][1]["deep"].append(1),
    "sort": lambda row: row["list"][1]["deep"].sort(),
    "extend in place": lambda row: row["list"].__iadd__([1]),
    "assign an item": lambda row: row["list"].__setitem__(0, 1),
    "assign a slice": lambda row: row["list"].__setitem__(slice(0, 1), []),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_every_change_in_place_is_refused(change: Callable[[Any], Any]) -> None:
    """Every way to change a row in place is an error at any depth, and the message says what to do instead."""
    row = freeze({"a": 0, "list": [0, {"deep": [2, 1]}]})
    with pytest.raises(FrozenError, match="edit"):
        change(row)
    assert row == {"a": 0, "list": [0, {"deep": [2, 1]}]}


@given(jsons)
def test_frozen_rows_read_and_serialise_as_plain_ones(value: Any) -> None:
    """A frozen row equals the plain row, has the same JSON text, and thaws into independent plain data."""
    frozen = freeze(value)
    assert frozen == value
    assert json.dumps(frozen) == json.dumps(value)
    plain = thaw(frozen)
    assert plain == value
    assert type(plain) is type(value)


@pytest.mark.parametrize("inner", ["\ud800", "\udc00\ud800", 10**30, -(2**63) - 1, 1e16, -0.0, 5e-324], ids=ascii)
@pytest.mark.parametrize("depth", [1, 120])
def test_unusual_values_thaw_unchanged(inner: Any, depth: int) -> None:
    """Lone surrogates, numbers of any size and deep nesting thaw as the standard parser reads them."""
    row = {"a": inner}
    for _ in range(depth):
        row = {"a": [row]}
    assert repr(thaw(freeze(row))) == repr(row)
