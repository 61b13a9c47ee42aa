"""The changes of an episode: `table -> key -> new row | None for deleted`, with an up-to-date state hash."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from env_server.state.digest import MODULUS
from env_server.state.frozen import FrozenDict
from env_server.state.snapshot import Snapshot


class Change(NamedTuple):
    """The new version of one row. If `row` is None, the row is deleted."""

    table: str
    key: str
    row: Any | None


@dataclass(slots=True)
class TableChanges:
    """The changed rows of one table.

    `late` orders the rows that come after the base rows: new rows, and base rows that were deleted and inserted again.
    The order is that of an insertion-ordered dict.
    """

    rows: dict[str, FrozenDict | None] = field(default_factory=dict)
    digests: dict[str, int] = field(default_factory=dict)
    late: dict[str, None] = field(default_factory=dict)

    def copy(self) -> "TableChanges":
        """Return an independent copy. The rows themselves are frozen, so both copies share them."""
        return TableChanges(self.rows.copy(), self.digests.copy(), self.late.copy())


class Overlay:
    """The changes of one episode over a snapshot, and the hash of the whole state.

    The cost of a write and the memory depend only on the changes. A copy (fork, savepoint) shares the per-table changes
    until one side writes.
    """

    __slots__ = ("_owned", "base", "changes", "hash")

    def __init__(self, base: Snapshot) -> None:
        """Create an empty overlay, whose state is the base."""
        self.base = base
        self.changes: dict[str, TableChanges] = {}
        self.hash = base.hash
        self._owned: set[str] = set()

    def copy(self) -> "Overlay":
        """Return an overlay with equal content. Later writes to one do not change the other."""
        twin = Overlay.__new__(Overlay)
        twin.base, twin.changes, twin.hash = self.base, dict(self.changes), self.hash
        twin._owned, self._owned = set(), set()
        return twin

    def get(self, table: str, key: str) -> FrozenDict | None:
        """Return the current row, or None."""
        changed = self.changes.get(table)
        if changed is not None and key in changed.rows:
            return changed.rows[key]
        return self.base.tables[table].rows.get(key)

    def set(self, table: str, key: str, row: FrozenDict | None, equal: dict[str, Any] | None = None) -> None:
        """Make `row` the current row of `key`; None deletes it.

        A plain dict that is `equal` to the row saves half of the time of its digest.
        """
        base = self.base.tables[table]
        changed = self._writable(table)
        existed = changed.rows[key] is not None if key in changed.rows else key in base.rows
        before = changed.digests[key] if key in changed.digests else base.digest_of(key)
        after = base.digest(key, equal or row) if row is not None else 0
        self.hash = (self.hash - before + after) % MODULUS
        if row is None:
            changed.late.pop(key, None)
        elif not existed:
            changed.late[key] = None
        if row is None and key not in base.rows:
            changed.rows.pop(key, None)
            changed.digests.pop(key, None)
        else:
            changed.rows[key] = row
            changed.digests[key] = after

    def _writable(self, table: str) -> TableChanges:
        changed = self.changes.get(table)
        if changed is None:
            changed = self.changes[table] = TableChanges()
        elif table not in self._owned:
            changed = self.changes[table] = changed.copy()
        self._owned.add(table)
        return changed
