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


class _Shelf(Generic[R]):
    """A table's rows by key, its indexes, and what was changed since."""

    def __init__(self, table: Table[R], rows: Iterable[R]) -> None:
        self.table = table
        self.rows: dict[str, R] = {table.key_of(row): row for row in rows}
        self.indexes: dict[str, dict[Hashable, dict[str, R]]] = {index.name: {} for index in table.indexes}
        for key, row in self.rows.items():
            self._enter(key, row)

    def _enter(self, key: str, row: R) -> None:
        for index in self.table.indexes:
            for value in index.values(row):
                self.indexes[index.name].setdefault(value, {})[key] = row

    def _leave(self, key: str, row: R) -> None:
        for index in self.table.indexes:
            for value in index.values(row):
                self.indexes[index.name][value].pop(key, None)

    def get(self, key: str) -> R | None:
        """See `Rows`."""
        return self.rows.get(key)

    def find(self, index: str, value: Hashable) -> list[R]:
        """See `Rows`."""
        return list(self.indexes[index].get(value, {}).values())

    def put(self, row: R) -> None:
        """See `Rows`."""
        key = self.table.key_of(row)
        if (before := self.rows.get(key)) is not None:
            self._leave(key, before)
        self.rows[key] = row
        self._enter(key, row)

    def delete(self, key: str) -> None:
        """See `Rows`."""
        self._leave(key, self.rows.pop(key))

    def __iter__(self) -> Iterator[R]:
        return iter(list(self.rows.values()))


class Memory:
    """A world in memory, for a server that stands alone."""

    def __init__(self, tables: Mapping[Table[Any], Iterable[Any]]) -> None:
        """Keep these rows."""
        self._shelves = {table.name: _Shelf(table, rows) for table, rows in tables.items()}

    def rows(self, table: Table[R]) -> Rows[R]:
        """See `Store`."""
        return cast("Rows[R]", self._shelves[table.name])


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
