"""The storage of the world's rows: tables as data, and the operations that stand-ins use to read and write them.

A stand-alone server keeps the rows in memory (`MemoryStore`). Inside an episode another `Store` reads and writes the
rows of that episode. The server does not need to know which store it has.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar, cast

R = TypeVar("R")  # A TypedDict: the type of one row, a JSON object.


@dataclass(frozen=True)
class Index(Generic[R]):
    """An index of rows. `values` returns the index values of a row. A row can have several values, such as tags."""

    name: str
    values: Callable[[R], Iterable[Hashable]]


@dataclass(frozen=True, eq=False)
class Table(Generic[R]):
    """A table of rows of TypedDict `row`. The text in the field `key` identifies a row."""

    name: str
    row: type[R]
    key: str
    indexes: tuple[Index[R], ...] = ()

    def key_of(self, row: R) -> str:
        """Return the key of `row`."""
        return str(cast("dict[str, Any]", row)[self.key])


class Rows(Protocol[R]):
    """One table of a store. Callers must not change rows that they read. `put` stores a new version."""

    def get(self, key: str) -> R | None:
        """Return the row with this key, or None."""

    def find(self, index: str, value: Hashable) -> list[R]:
        """Return the rows under `value` of an index, in the order in which they were stored."""

    def put(self, row: R) -> None:
        """Store a row. Replace the row with the same key, if there is one."""

    def delete(self, key: str) -> None:
        """Remove a row. Raise KeyError if it does not exist."""

    def __iter__(self) -> Iterator[R]:
        """Iterate over all rows, in the order in which they were stored."""


class Store(Protocol):
    """All tables of a world."""

    def rows(self, table: Table[R]) -> Rows[R]:
        """Return the rows of one table."""


class _Stock(Generic[R]):
    """The immutable rows of a table by key, with the indexes."""

    __slots__ = ("indexes", "rows")

    def __init__(self, table: Table[R], rows: Iterable[R]) -> None:
        self.rows: dict[str, R] = {table.key_of(row): row for row in rows}
        self.indexes: dict[str, dict[Hashable, list[R]]] = {index.name: {} for index in table.indexes}
        for index in table.indexes:
            found = self.indexes[index.name]
            for row in self.rows.values():
                for value in index.values(row):
                    found.setdefault(value, []).append(row)


class _Shelf(Generic[R]):
    """A stock and the changes since then.

    The cost of a write depends only on the changed row, and the stock stays unchanged.
    """

    __slots__ = ("_changed", "_late", "_stock", "_table")

    def __init__(self, table: Table[R], stock: _Stock[R]) -> None:
        self._table = table
        self._stock = stock
        self._changed: dict[str, R | None] = {}
        self._late: dict[str, None] = {}

    def get(self, key: str) -> R | None:
        """See `Rows`."""
        return self._changed[key] if key in self._changed else self._stock.rows.get(key)

    def find(self, index: str, value: Hashable) -> list[R]:
        """See `Rows`."""
        rows = self._stock.indexes[index].get(value, [])
        if not self._changed:
            return rows.copy()
        values = next(each.values for each in self._table.indexes if each.name == index)
        kept = [row for row in rows if self._table.key_of(row) not in self._changed]
        return kept + [row for row in self._changed.values() if row is not None and value in values(row)]

    def put(self, row: R) -> None:
        """See `Rows`."""
        key = self._table.key_of(row)
        if self.get(key) is None:
            self._late[key] = None
        self._changed[key] = row

    def delete(self, key: str) -> None:
        """See `Rows`."""
        if self.get(key) is None:
            raise KeyError(key)
        self._late.pop(key, None)
        if key in self._stock.rows:
            self._changed[key] = None
        else:
            del self._changed[key]

    def __iter__(self) -> Iterator[R]:
        for key, row in self._stock.rows.items():
            current = self._changed.get(key, row) if key not in self._late else None
            if current is not None:
                yield current
        for key in self._late:
            yield cast("R", self._changed[key])


class Base:
    """Immutable rows that many stores share."""

    __slots__ = ("__weakref__", "_stocks")

    def __init__(self, tables: Mapping[Table[Any], Iterable[Any]]) -> None:
        """Store these rows. The caller must not change them afterwards."""
        self._stocks = {table.name: _Stock(table, rows) for table, rows in tables.items()}

    def stock(self, table: Table[R]) -> _Stock[R]:
        """Return the rows of `table`, or no rows if the table was not given."""
        if table.name not in self._stocks:
            self._stocks[table.name] = _Stock(table, ())
        return cast("_Stock[R]", self._stocks[table.name])


class MemoryStore:
    """A world in memory: a shared base, and this store's own changes."""

    __slots__ = ("_base", "_shelves")

    def __init__(self, base: Base | Mapping[Table[Any], Iterable[Any]]) -> None:
        """Start from `base`, or from the rows of each table."""
        self._base = base if isinstance(base, Base) else Base(base)
        self._shelves: dict[str, _Shelf[Any]] = {}

    @property
    def base(self) -> Base:
        """Return the shared base of this store. Data derived from the base can be cached for all its stores."""
        return self._base

    def rows(self, table: Table[R]) -> Rows[R]:
        """Return the rows of a table, as `Store` declares it."""
        shelf = self._shelves.get(table.name)
        if shelf is None:
            shelf = self._shelves[table.name] = _Shelf(table, self._base.stock(table))
        return cast("Rows[R]", shelf)


@dataclass(frozen=True)
class Scope:
    """The context of a call: the rows, the time that counts as now, and the episode."""

    store: Store
    now: datetime
    """The current time, with a time zone. Rows with a later date do not exist for the call."""
    episode: str = ""
    """The id of the episode that makes the call. Empty for a stand-alone server."""


_scope: ContextVar[Scope] = ContextVar("scope")


def scope() -> Scope:
    """Return the scope of the running call. Raise LookupError outside of `within`."""
    return _scope.get()


@contextmanager
def within(scope: Scope) -> Iterator[None]:
    """Run the calls of the body in `scope`."""
    token = _scope.set(scope)
    try:
        yield
    finally:
        _scope.reset(token)
