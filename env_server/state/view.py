"""The tables of an episode as tools read and write them, typed by the table's row."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, Generic, TypeVar, cast

from env_server.state.digest import hash_hex
from env_server.state.frozen import FrozenDict, freeze, thaw
from env_server.state.overlay import Change, Overlay
from env_server.state.snapshot import Snapshot
from env_server.state.table import R, Table

D = TypeVar("D")
S = TypeVar("S")


class State:
    """The state of one episode: an overlay, and the journal of changes that are not yet committed."""

    __slots__ = ("journal", "overlay")

    def __init__(self, overlay: Overlay) -> None:
        """Start from `overlay`. This state owns it from now on."""
        self.overlay = overlay
        self.journal: list[Change] = []

    @classmethod
    def at(cls, base: Snapshot, changes: Iterable[Change] = ()) -> "State":
        """Return the state after `changes` are applied to `base` in order. They count as committed."""
        return cls(Overlay(base)).apply(changes)

    @property
    def hash(self) -> str:
        """State hash, 64 hexadecimal digits."""
        return hash_hex(self.overlay.hash)

    def apply(self, changes: Iterable[Change]) -> "State":
        """Apply `changes` in order and return this state. They count as committed."""
        for table, key, row in changes:
            self.overlay.set(table, key, freeze(row))
        return self

    def fork(self) -> "State":
        """Return an independent state with equal content and an empty journal."""
        return State(self.overlay.copy())

    def set(self, table: str, key: str, row: FrozenDict | None, equal: dict[str, Any] | None = None) -> None:
        """Write one row (None deletes it) and add it to the journal. `equal` is as in `Overlay.set`."""
        self.overlay.set(table, key, row, equal)
        self.journal.append(Change(table, key, row))

    def savepoint(self) -> Callable[[], None]:
        """Return a function that rolls the state back to this moment."""
        overlay, length = self.overlay, len(self.journal)
        kept = overlay.copy()

        def rollback() -> None:
            self.overlay = kept
            del self.journal[length:]

        return rollback

    def take_changes(self) -> list[Change]:
        """Return the journal and clear it. Keep each row's last version, and a deletion before a re-insert.

        A version stands where the row was first put, because new rows come in that order after a restart too.
        """
        kept: list[Change] = []
        places: dict[tuple[str, str], int] = {}
        journal, self.journal = self.journal, []
        for change in journal:
            where = (change.table, change.key)
            if change.row is None:
                places.pop(where, None)
                kept.append(change)
            elif where in places:
                kept[places[where]] = change
            else:
                places[where] = len(kept)
                kept.append(change)
        return kept

    def dump(self) -> Iterator[Change]:
        """Yield every row of the state as a Change, with tables and rows in order."""
        for name, base in self.overlay.base.tables.items():
            view: TableView[Any] = TableView(self, base.table)
            for row in view:
                yield Change(name, base.table.key_of(row), row)


class TableView(Generic[R]):
    """One table of one episode. Rows that are read are frozen; `edit` returns a copy and `put` stores it."""

    __slots__ = ("_state", "_table")

    def __init__(self, state: State, table: Table[R]) -> None:
        """View `table` in `state`."""
        self._state = state
        self._table = table

    def get(self, key: str) -> R | None:
        """Return the row with this key, or None."""
        return cast("R | None", self._state.overlay.get(self._table.name, key))

    def __contains__(self, key: str) -> bool:
        """Return whether a row with this key exists."""
        return self._state.overlay.get(self._table.name, key) is not None

    def __iter__(self) -> Iterator[R]:
        """Yield all rows: base rows in base order, then later ones in the order of insertion."""
        overlay = self._state.overlay
        base = overlay.base.tables[self._table.name].rows
        changed = overlay.changes.get(self._table.name)
        if changed is None:
            yield from cast("Iterable[R]", base.values())
            return
        for key, row in base.items():
            if key not in changed.rows:
                yield cast(R, row)
            elif key not in changed.late and (new := changed.rows[key]) is not None:
                yield cast(R, new)
        for key in changed.late:
            yield cast(R, changed.rows[key])

    def __len__(self) -> int:
        """Return the number of rows."""
        overlay = self._state.overlay
        base = overlay.base.tables[self._table.name].rows
        changed = overlay.changes.get(self._table.name)
        if changed is None:
            return len(base)
        gone = sum(1 for key in changed.rows if key in base and (changed.rows[key] is None or key in changed.late))
        return len(base) - gone + len(changed.late)

    def find(self, index: str, value: Hashable) -> list[R]:
        """Return the rows that `index` lists under `value`, in row order. The cost depends on matches and changes.

        Raises:
            KeyError: if the table declares no such index.
        """
        overlay = self._state.overlay
        base = overlay.base.tables[self._table.name]
        hits = base.index(index).get(value, ())
        changed = overlay.changes.get(self._table.name)
        if changed is None:
            return [cast(R, base.rows[key]) for key in hits]
        values = next(i.values for i in self._table.indexes if i.name == index)
        keys = [key for key in hits if key not in changed.rows]
        late = {key: len(base.position) + i for i, key in enumerate(changed.late)}
        keys += [k for k, row in changed.rows.items() if row is not None and value in values(cast(R, row))]
        keys.sort(key=lambda k: late[k] if k in late else base.position[k])
        return [cast(R, overlay.get(self._table.name, key)) for key in keys]

    def edit(self, key: str) -> R:
        """Return a mutable copy of the row. The table changes only when it is `put` back.

        Raises:
            KeyError: if there is no such row.
        """
        row = self.get(key)
        if row is None:
            raise KeyError(f"{self._table.name} has no row {key!r}")
        return thaw(row)

    def put(self, row: R) -> R:
        """Insert or replace a row. Return the frozen row as stored.

        Raises:
            ValueError: if the row is not JSON (NaN or infinity).
            TypeError: if it holds something that JSON cannot.
        """
        frozen = cast(FrozenDict, freeze(row))
        equal = cast("dict[str, Any]", row) if row == frozen else frozen  # freezing may change keys, and tuples
        frozen.write(equal)
        self._state.set(self._table.name, self._table.key_of(row), frozen, equal)
        return cast(R, frozen)

    def delete(self, key: str) -> None:
        """Remove the row.

        Raises:
            KeyError: if there is no such row.
        """
        if key not in self:
            raise KeyError(f"{self._table.name} has no row {key!r}")
        self._state.set(self._table.name, key, None)


class Db(Generic[D]):
    """The tables of an episode for tools, `db[TABLE]`, and the pack's `dialect` (its rules and texts)."""

    __slots__ = ("dialect", "state")

    def __init__(self, state: State, dialect: D) -> None:
        """Create a view of `state` with the given `dialect`."""
        self.state = state
        self.dialect = dialect

    def __getitem__(self, table: Table[S]) -> TableView[S]:
        """Return a view of `table`."""
        return TableView(self.state, table)
