"""The changes that a commit takes from a state, and the differences of two states."""

from typing import Any

import pytest
from typing_extensions import TypedDict

from env_server.state import Change, Snapshot, State, Table, TableView, diff_states


class Item(TypedDict):
    """A row."""

    id: str
    shelf: int


ITEMS = Table("items", Item, "id")
BASE = Snapshot([ITEMS], {"items": [{"id": "a", "shelf": 1}, {"id": "b", "shelf": 1}]})


def changed(*rows: tuple[str, int | None]) -> State:
    """A state after rows were put (key, shelf) or deleted (key, None), in this order."""
    state = State.at(BASE)
    for key, shelf in rows:
        view: Any = TableView(state, ITEMS)
        if shelf is None:
            view.delete(key)
        else:
            view.put({"id": key, "shelf": shelf})
    return state


def test_each_row_is_taken_once_where_it_was_first_put() -> None:
    """A commit takes the newest version of each row, in the order of first puts, and empties the journal."""
    state = changed(("b", 2), ("a", 2), ("b", 3))
    assert [(change.key, change.row["shelf"]) for change in state.take_changes() if change.row] == [("b", 3), ("a", 2)]
    assert state.take_changes() == []


def test_new_rows_keep_their_order_over_a_restart() -> None:
    """A new row that changes again before the commit keeps its place, also after a restart."""
    state = changed(("c", 1), ("d", 1), ("c", 2), ("e", 1), ("d", None), ("d", 3))
    order = [row["id"] for row in TableView(state, ITEMS)]
    assert order == ["a", "b", "c", "e", "d"]
    assert [row["id"] for row in TableView(State.at(BASE, state.take_changes()), ITEMS)] == order


def test_a_deletion_before_an_insertion_is_kept() -> None:
    """A row that is deleted and put again stands at the end of its table, also after a restart."""
    taken = changed(("a", 2), ("a", None), ("a", 3)).take_changes()
    assert [(change.key, change.row and change.row["shelf"]) for change in taken] == [("a", 2), ("a", None), ("a", 3)]
    again = State.at(BASE, taken)
    assert [row["id"] for row in TableView(again, ITEMS)] == ["b", "a"]


@pytest.mark.parametrize(
    ("rows", "keys"),
    [
        ([("a", 2)], ["a"]),
        ([("a", None)], ["a"]),
        ([("c", 1)], ["c"]),
        ([("a", 2), ("a", 1)], []),
        ([("c", 1), ("c", None)], []),
    ],
)
def test_states_differ_in_rows_that_one_lacks_or_has_otherwise(
    rows: list[tuple[str, int | None]], keys: list[str]
) -> None:
    """New, deleted and changed rows of either state are differences; equal rows are none."""
    one, two = State.at(BASE), changed(*rows)
    assert [found.key for found in diff_states(one, two)] == keys
    assert [found.key for found in diff_states(two, one)] == keys
    assert (one.overlay.hash == two.overlay.hash) is (keys == [])


def test_a_row_that_came_and_went_leaves_nothing() -> None:
    """A row that was added and removed leaves neither itself nor its digest, so that such episodes do not grow."""
    state = changed(("c", 1), ("c", None))
    found = state.overlay.changes["items"]
    assert (found.rows, found.digests, found.late) == ({}, {}, {})
    assert Change("items", "c", None) in state.take_changes()
