"""Where the world's rows are kept: tables as data, and the few ways in which a stand-in reads and writes them.

Alone, a server keeps the rows in memory (`Memory`). Inside an episode another `Store` reads and writes the rows of
that episode; the server cannot tell the difference.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar, cast

R = TypeVar("R")  # a TypedDict: the type of one row, a JSON object


@dataclass(frozen=True)
class Index(Generic[R]):
    """Finds rows by what `values` says of each of them; several values are allowed, as for tags."""

    name: str
    values: Callable[[R], Iterable[Hashable]]


@dataclass(frozen=True, eq=False)
class Table(Generic[R]):
    """A table of rows of TypedDict `row`, each known by the text in its field `key`."""

    name: str
    row: type[R]
    key: str
    indexes: tuple[Index[R], ...] = ()

    def key_of(self, row: R) -> str:
        """The key of `row`."""
        return str(cast("dict[str, Any]", row)[self.key])


class Rows(Protocol[R]):
    """One table of a store. Rows that are read must not be changed; `put` stores a new version."""

    def get(self, key: str) -> R | None:
        """The row with this key, or None."""

    def find(self, index: str, value: Hashable) -> list[R]:
        """The rows under `value` of an index, in the order in which they were stored."""

    def put(self, row: R) -> None:
        """Store a row in place of the one with its key, or as a new one."""

    def delete(self, key: str) -> None:
        """Remove a row. Raises KeyError where there is none."""

    def __iter__(self) -> Iterator[R]:
        """All rows, in the order in which they were stored."""


class Store(Protocol):
    """All tables of a world."""

    def rows(self, table: Table[R]) -> Rows[R]:
        """The rows of one table."""


class _Stock(Generic[R]):
    """A table's rows by key and its indexes, which never change."""

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
    """A stock and what was changed since; a write costs what it changes and leaves the stock as it is."""

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
    """The rows that many stores share; nothing changes them."""

    __slots__ = ("__weakref__", "_stocks")

    def __init__(self, tables: Mapping[Table[Any], Iterable[Any]]) -> None:
        """Keep these rows. They must not be changed from now on."""
        self._stocks = {table.name: _Stock(table, rows) for table, rows in tables.items()}

    def stock(self, table: Table[R]) -> _Stock[R]:
        """The rows of `table`; none of a table that was not given."""
        if table.name not in self._stocks:
            self._stocks[table.name] = _Stock(table, ())
        return cast("_Stock[R]", self._stocks[table.name])


class Memory:
    """A world in memory: a base, which is shared, and this store's own changes of it."""

    __slots__ = ("_base", "_shelves")

    def __init__(self, base: Base | Mapping[Table[Any], Iterable[Any]]) -> None:
        """Start from `base`, or from the rows of each table."""
        self._base = base if isinstance(base, Base) else Base(base)
        self._shelves: dict[str, _Shelf[Any]] = {}

    @property
    def base(self) -> Base:
        """What this store shares with others; what is derived from it can be kept for all of them."""
        return self._base

    def rows(self, table: Table[R]) -> Rows[R]:
        """See `Store`."""
        shelf = self._shelves.get(table.name)
        if shelf is None:
            shelf = self._shelves[table.name] = _Shelf(table, self._base.stock(table))
        return cast("Rows[R]", shelf)


@dataclass(frozen=True)
class Scope:
    """What a call sees: the rows, the time that counts as now, and whose call it is."""

    store: Store
    now: datetime
    """With a time zone. Nothing that is dated later exists for the call."""
    episode: str = ""
    """The episode that makes the call; empty where a server stands alone."""


_scope: ContextVar[Scope] = ContextVar("scope")


def scope() -> Scope:
    """The scope of the running call. Raises LookupError outside of `within`."""
    return _scope.get()


@contextmanager
def within(scope: Scope) -> Iterator[None]:
    """Run the body's calls in `scope`."""
    token = _scope.set(scope)
    try:
        yield
    finally:
        _scope.reset(token)
