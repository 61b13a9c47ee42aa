"""Digests and the state hash are as defined: their values are computed in another way."""

import hashlib
import json
from typing import Any

import pytest
from typing_extensions import TypedDict

from env_server.state import Db, Snapshot, State, Table, row_digest


class Row(TypedDict):
    """A row whose amount is declared a float."""

    id: str
    amount: float


ROWS = [{"id": "b", "amount": 1}, {"id": "a", "amount": 2.5}]
TABLE = Table("t", Row, "id")


def test_digest_is_sha256_of_canonical_json() -> None:
    """Anyone can recompute it from the documented text."""
    text = '["t","a",{"amount":2.5,"id":"a"}]'
    assert row_digest("t", "a", {"id": "a", "amount": 2.5}) == int(hashlib.sha256(text.encode()).hexdigest(), 16)


def test_text_is_utf8() -> None:
    """Text is hashed unescaped, so that any JSON library gives the same bytes."""
    text = '["t","a",{"id":"\u00e9\U0001f600"}]'
    assert row_digest("t", "a", {"id": "\u00e9\U0001f600"}) == int(hashlib.sha256(text.encode("utf-8")).hexdigest(), 16)


def test_what_no_json_library_likes_has_a_digest_too() -> None:
    """Integers of any size and half surrogate pairs, which JSON libraries refuse, are hashed as ASCII escapes."""
    row = {"id": "\ud800", "n": 2**70}
    text = json.dumps(["t", "a", row], separators=(",", ":"), sort_keys=True)
    assert row_digest("t", "a", row) == int(hashlib.sha256(text.encode()).hexdigest(), 16)


def test_values_are_brought_to_their_types_where_the_pack_says_so() -> None:
    """1 and 1.0 are one amount for a coercing snapshot and two for another."""
    floats = [{**row, "amount": float(row["amount"])} for row in ROWS]  # type: ignore[arg-type]  # ints and floats
    assert Snapshot([TABLE], {"t": ROWS}).hash == Snapshot([TABLE], {"t": floats}).hash
    assert Snapshot([TABLE], {"t": ROWS}, coerces=False).hash != Snapshot([TABLE], {"t": floats}, coerces=False).hash


@pytest.mark.parametrize("unusual", [{"b": {"c": [1]}}, {1: "x"}, {None: 1}, {True: [2]}, (1, 2), [(3,)]], ids=repr)
def test_a_row_that_was_put_hashes_as_it_is_read(unusual: Any) -> None:
    """The hash and the text of a row that a tool has put are those of the frozen row, whatever the tool made it of."""
    state = State.at(Snapshot([TABLE], {"t": ()}))
    row: Any = {"id": "a", "amount": 1, "unusual": unusual}
    read: Any = Db(state, None)[TABLE].put(row)
    assert state.overlay.hash == Snapshot([TABLE], {"t": [read]}).hash
    assert read.text == json.dumps(read)


def test_the_order_of_rows_is_part_of_a_snapshots_identity() -> None:
    """A snapshot's identity covers the order of rows, because searches depend on it; the state hash does not."""
    one, two = Snapshot([TABLE], {"t": ROWS}), Snapshot([TABLE], {"t": ROWS[::-1]})
    assert one.hash == two.hash
    assert one.digest != two.digest


def test_an_empty_state_hashes_to_zero() -> None:
    """The hash of no rows is zero."""
    assert State.at(Snapshot([TABLE], {})).hash == "0" * 64
