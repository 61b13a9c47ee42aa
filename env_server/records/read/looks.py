"""Reads that many callers make at the same time. On PostgreSQL one statement answers all of them.

A caller asks for the answer to one key. The statements of a look join a table of all wanted keys, and each row of a
result begins with its key.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeVar

from sqlalchemy import ARRAY, Dialect, FromClause, Select, bindparam, cast, func, select
from sqlalchemy.types import TypeEngine

from env_server.records.read.read_connections import Readers

T = TypeVar("T")

BY_INDEX: Final = (
    "SET plan_cache_mode = force_generic_plan; SET enable_hashjoin = off; SET enable_mergejoin = off;"
    " SET enable_seqscan = off"
)
"""PostgreSQL's settings for looks. The only good plan of a look uses indexes, whatever the size of the tables.

Without these settings PostgreSQL would read whole tables as long as it has no statistics, as in a new database. It
would also plan again for each look, which takes longer than the look.
"""

Key = tuple[Any, ...]
Rows = list[tuple[Any, ...]]


@dataclass(frozen=True, eq=False)
class Look(Generic[T]):
    """One kind of look: the names and types of its key, its statements in order, and the meaning of their rows."""

    key: Mapping[str, TypeEngine[Any]]
    statements: tuple[Callable[[FromClause], Select[Any]], ...]
    """Each takes a table of the wanted keys, and selects the columns that follow the key."""

    made: Callable[[Sequence[Rows]], T]
    """Makes the answer to one key from its rows, one list for each statement. The rows come without the key."""


class _Text(NamedTuple):
    """A statement for the driver, and the values that follow those of the key."""

    sql: str
    constants: Key


class Looks:
    """Answers looks over read connections. Usable from any thread."""

    def __init__(self, readers: Readers, dialect: Dialect) -> None:
        """Answer through `readers`, in the SQL of `dialect`. On PostgreSQL they have the settings `BY_INDEX`."""
        self._readers, self._dialect = readers, dialect
        self.at_once = dialect.name == "postgresql"
        """Whether many keys cost hardly more than one, so that callers should be answered together."""

        self._texts: dict[Look[Any], tuple[_Text, ...]] = {}

    def answer(self, look: Look[T], keys: Sequence[Key]) -> dict[Key, T]:
        """Return the answer to each key. A later statement sees at least what an earlier one has seen.

        Raises:
            StorageUnavailable: if the database cannot answer.
        """
        if look not in self._texts:
            self._texts[look] = tuple(self._text(look, statement) for statement in look.statements)
        asked = list(dict.fromkeys(keys))
        groups = [tuple(map(list, zip(*asked, strict=True)))] if self.at_once else asked
        found: dict[Key, list[Rows]] = {key: [[] for _ in look.statements] for key in asked}
        width = len(look.key)
        for number, text in enumerate(self._texts[look]):
            for values in groups:
                for row in self._readers.plain(text.sql, (*values, *text.constants)):
                    found[tuple(row[:width])][number].append(tuple(row[width:]))
        return {key: look.made(rows) for key, rows in found.items()}

    def _text(self, look: Look[Any], statement: Callable[[FromClause], Select[Any]]) -> _Text:
        wanted: FromClause
        if self.at_once:
            arrays = [cast(bindparam(name), ARRAY(type_)) for name, type_ in look.key.items()]
            wanted = func.unnest(*arrays).table_valued(*look.key, name="wanted").render_derived()
        else:
            wanted = select(*(bindparam(n, type_=t).label(n) for n, t in look.key.items())).subquery("wanted")
        chosen = statement(wanted)
        whole = chosen.with_only_columns(*(wanted.c[name] for name in look.key), *chosen.selected_columns)
        compiled = whole.compile(dialect=self._dialect)
        names = tuple(compiled.positiontup or ())
        if names[: len(look.key)] != tuple(look.key):
            raise AssertionError(f"the statement does not begin with the values {tuple(look.key)}")
        return _Text(str(compiled), tuple(compiled.params[name] for name in names[len(look.key) :]))


class AskedLook(NamedTuple):
    """A look, the key of one caller, and the object that answers them."""

    looks: Looks
    look: Look[Any]
    key: Key


def answers(asked: Sequence[AskedLook]) -> dict[AskedLook, object]:
    """Return the answer to each of `asked`. All keys of one kind of look are answered together.

    Raises:
        StorageUnavailable: if the database cannot answer.
    """
    keys = defaultdict[tuple[Looks, Look[Any]], list[Key]](list)
    for looks, look, key in asked:
        keys[looks, look].append(key)
    return {
        AskedLook(looks, look, key): told
        for (looks, look), of in keys.items()
        for key, told in looks.answer(look, of).items()
    }
