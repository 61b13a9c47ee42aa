"""Refusals of tools, and ids of new rows."""

import pytest
from typing_extensions import TypedDict

from env_server.domains.kit import Db, Dialect, Snapshot, State, Table, ToolError, new_id, refuse


class Slip(TypedDict):
    """A row."""

    slip_id: str


SLIPS = Table("slips", Slip, key="slip_id")


def db(*taken: str) -> Db[Dialect]:
    """A state with these slips."""
    return Db(State.at(Snapshot([SLIPS], {"slips": [{"slip_id": one} for one in taken]})), Dialect())


def test_a_refusal_fills_in_its_values() -> None:
    """The agent reads the dialect's text with the values of the call."""
    with pytest.raises(ToolError, match="no book b7"):
        refuse("no book {book}", book="b7")


def test_a_new_id_follows_from_the_row_and_is_free() -> None:
    """Equal rows get the same id, others another one, and a taken id is not given again."""
    first = new_id(db(), SLIPS, "S", "m1", "b1")
    assert first.startswith("S")
    assert len(first) == 9
    assert new_id(db("S1"), SLIPS, "S", "m1", "b1") == first
    assert new_id(db(), SLIPS, "S", "m1", "b2") != first
    assert new_id(db(first), SLIPS, "S", "m1", "b1") != first
