"""Tables, the identities of snapshots, and what a write copies."""

from typing import Any

import pytest
from pydantic import ValidationError
from typing_extensions import TypedDict

from env_server.state import Db, Identity, Snapshot, State, Table


class Row(TypedDict):
    """A row."""

    id: str
    amount: float


TABLE = Table("t", Row, "id")
BASE = Snapshot([TABLE], {"t": [{"id": "a", "amount": 1.0}]})


def test_a_row_is_validated_and_converted() -> None:
    """Values get the declared types, additional fields stay, and what is no row of the table is refused."""
    validate: Any = TABLE.validate
    assert validate({"id": "b", "amount": "2.5", "note": None}) == {"id": "b", "amount": 2.5, "note": None}
    for other in ({"id": "b"}, {"id": "b", "amount": "much"}, ["b", 2.5], None):
        with pytest.raises(ValidationError):
            validate(other)


def test_a_known_identity_is_not_computed_again() -> None:
    """A snapshot keeps the identity with which it is made; without one, its identity is computed from its rows."""
    rows = {"t": [{"id": "a", "amount": 1.0}]}
    assert Snapshot([TABLE], rows).identity == BASE.identity
    known = Identity(7, "digest")
    assert Snapshot([TABLE], rows, identity=known).identity == known


def test_the_texts_of_rows_are_those_that_sql_stores() -> None:
    """The texts of rows are those that SQL stores: read from where they are kept, or else made from the rows."""
    rows = {"t": [{"id": "a", "amount": 1.0}, {"id": "é", "amount": 2}]}
    texts = ['{"id": "a", "amount": 1.0}', '{"id": "\\u00e9", "amount": 2}']
    assert Snapshot([TABLE], rows).texts() == texts
    assert Snapshot([TABLE], rows, texts=lambda: ["kept", "too"]).texts() == ["kept", "too"]
    assert Snapshot([TABLE], rows, texts=lambda: None).texts() == texts


def test_only_the_first_write_after_a_fork_copies() -> None:
    """The cost of a write does not grow with the rows that the episode changed before."""
    state = State.at(BASE)
    view: Any = Db(state, None)[TABLE]
    changes = state.overlay.changes
    view.put({"id": "b", "amount": 2.0})
    first = changes["t"]
    view.put({"id": "c", "amount": 3.0})
    assert changes["t"] is first
    state.fork()
    view.put({"id": "d", "amount": 4.0})
    second = changes["t"]
    assert second is not first
    view.put({"id": "e", "amount": 5.0})
    assert changes["t"] is second
