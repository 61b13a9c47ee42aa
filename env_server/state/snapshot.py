"""The immutable base of a pack's data. All episodes of the process share it."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from env_server.state.digest import MODULUS, canonical, hash_hex, row_digest
from env_server.state.frozen import FrozenDict, freeze
from env_server.state.table import Table


class Identity(NamedTuple):
    """The identity of a snapshot: the state hash of its rows, and its digest."""

    hash: int
    digest: str


class BaseTable:
    """One table of a snapshot: frozen rows in a fixed order, their digests, and the declared indexes."""

    def __init__(self, table: Table[Any], rows: Iterable[Any], *, coerces: bool) -> None:
        """Freeze `rows`: plain dicts, in the order that searches keep."""
        self.table = table
        self.coerces = coerces
        self.rows: dict[str, FrozenDict] = {table.key_of(row): freeze(row) for row in rows}
        self.position: dict[str, int] = {key: i for i, key in enumerate(self.rows)}
        self._indexes: dict[str, dict[Hashable, tuple[str, ...]]] = {}
        self._digests: dict[str, int] = {}

    def digest_of(self, key: str) -> int:
        """Return the digest of the row with this key, or 0 if there is none. Computed once per process."""
        found = self._digests.get(key)
        if found is None:
            if key not in self.rows:
                return 0
            found = self._digests[key] = self.digest(key, self.rows[key])
        return found

    def digest(self, key: str, row: Any) -> int:
        """Return the digest of a row of this table. With `coerces`, convert its values to the declared types first."""
        return row_digest(self.table.name, key, self.table.coerce(row) if self.coerces else row)

    def index(self, name: str) -> Mapping[Hashable, tuple[str, ...]]:
        """Return the index `name` over the base rows: value -> keys in row order. It is built at its first use.

        Raises:
            KeyError: if the table declares no such index.
        """
        built = self._indexes.get(name)
        if built is None:
            built = self._indexes[name] = self._build(name)
        return built

    def _build(self, name: str) -> dict[Hashable, tuple[str, ...]]:
        index = next((i for i in self.table.indexes if i.name == name), None)
        if index is None:
            raise KeyError(f"table {self.table.name!r} has no index {name!r}")
        found: dict[Hashable, list[str]] = {}
        for key, row in self.rows.items():
            for value in index.values(row):
                found.setdefault(value, []).append(key)
        return {value: tuple(keys) for value, keys in found.items()}


class Snapshot:
    """Tables at one moment. A snapshot never changes, so any number of episodes may read it at once."""

    def __init__(
        self,
        tables: Sequence[Table[Any]],
        rows: Mapping[str, Iterable[Any]],
        *,
        coerces: bool = True,
        identity: Identity | None = None,
        texts: Callable[[], Sequence[str] | None] | None = None,
    ) -> None:
        """Build the tables from `rows`: table name -> rows in order. A table without an entry is empty.

        A caller that knows the `identity` of these rows, or where their `texts` are kept, saves their computation.
        """
        self.coerces = coerces
        self._known = identity
        self._texts = texts
        self.tables = {t.name: BaseTable(t, rows.get(t.name, ()), coerces=coerces) for t in tables}

    @cached_property
    def hash(self) -> int:
        """The state hash of the base: the sum of all row digests modulo 2**256."""
        if self._known is not None:
            return self._known.hash
        return sum(table.digest_of(key) for table in self.tables.values() for key in table.rows) % MODULUS

    @cached_property
    def digest(self) -> str:
        """The identity of this snapshot, computed from the hash and the order of rows.

        Equal snapshots have equal digests.
        """
        if self._known is not None:
            return self._known.digest
        order = [[name, list(table.rows)] for name, table in self.tables.items()]
        return hash_hex(row_digest(hash_hex(self.hash), str(self.coerces), order))

    @property
    def identity(self) -> Identity:
        """The hash and the digest."""
        return Identity(self.hash, self.digest)

    def __iter__(self) -> Iterator[tuple[str, str, FrozenDict]]:
        """Yield all rows as (table, key, row), with tables and rows in order."""
        for name, table in self.tables.items():
            for key, row in table.rows.items():
                yield name, key, row

    def texts(self) -> Sequence[str]:
        """Return the JSON text of each row, in order. It is `FrozenDict.text`, which SQL stores."""
        known = self._texts() if self._texts is not None else None
        return [row.text for _, _, row in self] if known is None else known

    def fresh_hash(self) -> int:
        """Return the hash recomputed from the rows, without any cache; `verify --base` uses it."""
        return sum(self.tables[name].digest(key, row) for name, key, row in self) % MODULUS

    def __repr__(self) -> str:
        """Show the number of rows of each table."""
        return f"Snapshot({canonical({n: len(t.rows) for n, t in self.tables.items()})})"
