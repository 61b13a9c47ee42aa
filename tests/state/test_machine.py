"""The overlay compared with a naive model: a deep copy of plain dicts that is hashed from scratch."""

import copy
from typing import Any, NotRequired

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from typing_extensions import TypedDict

from env_server.state import Change, Db, Index, Snapshot, State, Table, diff_states, hash_hex, row_digest, thaw


class Item(TypedDict):
    """A row with an indexed value, nested data and an optional field."""

    id: str
    shelf: int
    tags: list[str]
    note: NotRequired[str | None]


ITEMS = Table(
    "items", Item, "id", (Index[Item]("shelf", lambda r: [r["shelf"]]), Index[Item]("tag", lambda r: r["tags"]))
)
NOTES = Table("notes", Item, "id")

KEYS = [f"k{i}" for i in range(8)]
ROWS: list[Item] = [
    {"id": key, "shelf": i % 3, "tags": ["a"] if i % 2 else ["a", "b"], "note": None} for i, key in enumerate(KEYS[:5])
]
BASE = Snapshot([ITEMS, NOTES], {"items": ROWS, "notes": ROWS[:2]})
FROZEN_BASE = copy.deepcopy([thaw(r) for _, _, r in BASE])

Model = dict[str, dict[str, Any]]

tables = st.sampled_from([ITEMS, NOTES])
keys = st.sampled_from(KEYS)
shelves = st.integers(0, 3)
tags = st.lists(st.sampled_from("abc"), max_size=2, unique=True)


def naive_hash(model: Model) -> str:
    """The state hash by its definition."""
    total = sum(row_digest(table, key, row) for table, rows in model.items() for key, row in rows.items())
    return hash_hex(total % 2**256)


class Machine(RuleBasedStateMachine):
    """Random reads, writes, deletes, searches, forks and rewinds on both the overlay and the model."""

    def __init__(self) -> None:
        super().__init__()
        self.state = State.at(BASE)
        self.model: Model = {"items": {r["id"]: thaw(r) for r in ROWS}, "notes": {r["id"]: thaw(r) for r in ROWS[:2]}}
        self.others: list[tuple[State, Model]] = []
        self.journal: list[Change] = []
        self.saved: Any = None

    def view(self, table: Table[Item]) -> Any:
        return Db(self.state, None)[table]

    @rule(table=tables, key=keys, shelf=shelves, tag=tags)
    def put(self, table: Table[Item], key: str, shelf: int, tag: list[str]) -> None:
        row: Item = {"id": key, "shelf": shelf, "tags": tag}
        self.view(table).put(row)
        tag.append("mutated after the put")
        self.model[table.name][key] = {"id": key, "shelf": shelf, "tags": tag[:-1]}

    @rule(table=tables, key=keys, shelf=shelves)
    def edit(self, table: Table[Item], key: str, shelf: int) -> None:
        if key not in self.model[table.name]:
            with pytest.raises(KeyError):
                self.view(table).edit(key)
            return
        row = self.view(table).edit(key)
        row["shelf"] = shelf
        row["tags"].append("c")
        self.view(table).put(row)
        self.model[table.name][key]["shelf"] = shelf
        self.model[table.name][key]["tags"].append("c")

    @rule(table=tables, key=keys)
    def delete(self, table: Table[Item], key: str) -> None:
        if key not in self.model[table.name]:
            with pytest.raises(KeyError):
                self.view(table).delete(key)
            return
        self.view(table).delete(key)
        del self.model[table.name][key]

    @rule(table=tables, key=keys)
    def read(self, table: Table[Item], key: str) -> None:
        row = self.view(table).get(key)
        assert row == self.model[table.name].get(key)
        assert (key in self.view(table)) == (key in self.model[table.name])
        if row is not None:
            with pytest.raises(TypeError):
                row["tags"].append("in place")
            with pytest.raises(TypeError):
                row["shelf"] = 9

    @rule(shelf=shelves, tag=st.sampled_from("abc"))
    def search(self, shelf: int, tag: str) -> None:
        items = self.model["items"].values()
        assert self.view(ITEMS).find("shelf", shelf) == [r for r in items if r["shelf"] == shelf]
        assert self.view(ITEMS).find("tag", tag) == [r for r in items if tag in r["tags"]]

    @rule()
    def fork(self) -> None:
        self.others.append((self.state.fork(), copy.deepcopy(self.model)))

    @precondition(lambda self: self.others)
    @rule(data=st.data())
    def switch(self, data: st.DataObject) -> None:
        chosen = data.draw(st.integers(0, len(self.others) - 1))
        self.commit()
        self.saved = None
        (self.state, self.model), self.others[chosen] = self.others[chosen], (self.state, self.model)
        self.journal = [Change(t, k, r) for t, k, r in self.state.dump()]
        self.journal = [*(Change(t, k, None) for t, k, _ in BASE), *self.journal]

    @rule()
    def save(self) -> None:
        self.commit()
        self.saved = (self.state.savepoint(), copy.deepcopy(self.model))

    @precondition(lambda self: self.saved is not None)
    @rule()
    def rewind(self) -> None:
        rollback, self.model = self.saved
        rollback()
        self.state.take_changes()
        self.saved = None
        self.journal = [*(Change(t, k, None) for t, k, _ in BASE), *self.state.dump()]

    @rule()
    def commit(self) -> None:
        self.journal += [Change(t, k, thaw(r)) for t, k, r in self.state.take_changes()]

    @rule()
    def restart(self) -> None:
        """In another process, what was committed gives the same state."""
        self.commit()
        self.state = State.at(BASE, self.journal)
        self.saved = None

    @invariant()
    def same_rows_and_hash(self) -> None:
        for table in (ITEMS, NOTES):
            assert list(self.view(table)) == list(self.model[table.name].values())
            assert len(self.view(table)) == len(self.model[table.name])
        assert self.state.hash == naive_hash(self.model)

    @invariant()
    def same_difference(self) -> None:
        start = State.at(BASE)
        found = {(d.table, d.key): (d.before, d.after) for d in diff_states(start, self.state)}
        before: Model = {"items": {r["id"]: r for r in ROWS}, "notes": {r["id"]: r for r in ROWS[:2]}}
        expected = {
            (table, key): (before[table].get(key), self.model[table].get(key))
            for table in before
            for key in before[table].keys() | self.model[table].keys()
            if before[table].get(key) != self.model[table].get(key)
        }
        assert found == expected

    @invariant()
    def base_untouched(self) -> None:
        assert [r for _, _, r in BASE] == FROZEN_BASE
        assert BASE.fresh_hash() == BASE.hash


TestMachine = Machine.TestCase
TestMachine.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
