"""JSON text of any values, and the stored text of rows."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.episodes.codec.text import dumps, loads, row_text, row_value
from env_server.state import freeze

plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(plain)
def test_json_comes_back_as_it_was(value: Any) -> None:
    """Any value that JSON can hold is the same after it was written and read."""
    assert loads(dumps(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": [1, 2]}, '{"a":[1,2]}'),
        ("\ud800", '"\ufffd"'),
        ({"\udfff": ("x\ud800", 1.5)}, '{"\ufffd":["x\ufffd",1.5]}'),
        ([2**70, math.nan, math.inf, True], f"[{2**70},null,null,true]"),
        (math.nan, "null"),
        ("é", '"é"'),
        ([2**70, "é"], f'[{2**70},"é"]'),
    ],
)
def test_what_json_cannot_hold_is_replaced(value: Any, text: str) -> None:
    """Halves of surrogate pairs, NaN, infinities and integers of any size never raise an error."""
    assert dumps(value) == text


def test_huge_integers_are_read() -> None:
    """An integer beyond the range of floats comes back."""
    assert loads(str(10**400)) == 10**400


@given(plain)
def test_rows_come_back_as_they_were_written(value: Any) -> None:
    """A row's text keeps values and the order of keys, whether the row is frozen or not."""
    row = {"z": value, "a": "é"}
    text = row_text(row)
    assert row_text(freeze(row)) == text
    assert "\\u00e9" in text
    again = row_value(text)
    assert (again, list(again)) == (row, ["z", "a"])
