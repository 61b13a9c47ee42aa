"""Statements of the writer: the step path's inserts as plain SQL, and inserts that tolerate an existing key."""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import Dialect, Insert, Table, bindparam, insert, select, tuple_
from sqlalchemy.dialects import sqlite

from env_server.records import tables
from env_server.records.unit_of_work import EffectRow, Ending, EpisodeRow, KeyRow, RowVersion, TurnRow

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

    ConflictInsert = sqlite.Insert | postgresql.Insert


@dataclass(frozen=True, slots=True)
class Inserts:
    """SQL text of the step path's inserts. The parameters are a row tuple's values in field order.

    Each statement is compiled once and given to the driver as text. That costs about half of `execute(insert(...))`.
    """

    episodes: str
    turns: str
    rows: str
    endings: str
    keys: str
    effects: str


def prepare_inserts(dialect: Dialect) -> Inserts:
    """Return the inserts of the step path for a dialect with positional parameters."""
    return Inserts(
        episodes=insert_text(dialect, tables.episodes, EpisodeRow._fields),
        turns=insert_text(dialect, tables.turns, TurnRow._fields),
        rows=insert_text(dialect, tables.row_versions, RowVersion._fields),
        endings=insert_text(dialect, tables.endings, Ending._fields),
        keys=insert_text(dialect, tables.keys, KeyRow._fields),
        effects=insert_text(dialect, tables.effects, EffectRow._fields),
    )


def insert_text(dialect: Dialect, table: Table, fields: tuple[str, ...]) -> str:
    """Return an insert of `fields`, all columns of `table` in order, as SQL text with positional parameters."""
    compiled = insert(table).inline().compile(dialect=dialect, column_keys=list(fields))
    if tuple(compiled.positiontup or ()) != fields:
        raise AssertionError(f"columns of {table.name} are not in the order of its row tuple")
    return str(compiled)


def conflict_insert(dialect: Dialect, table: Table) -> "ConflictInsert":
    """Return an insert that supports ON CONFLICT. SQLAlchemy has one class for each dialect."""
    if dialect.name != "postgresql":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415 - slow to import, and SQLite does not need it

    return postgresql.insert(table)


@cache
def insert_once(dialect: Dialect, table: Table) -> "ConflictInsert":
    """Return an insert that does nothing if the row's key exists. It waits for a concurrent insert of the same key."""
    return conflict_insert(dialect, table).on_conflict_do_nothing()


def _copy(table: Table, fields: tuple[str, ...]) -> Insert:
    """Return an INSERT ... SELECT that copies one episode's rows under another key, in commit order.

    The copy includes rows up to and including one part of a turn. The parameters are the fields of `HistoryCopy`. The
    limit is exact, because the source episode may grow at the same time.
    """
    columns = [bindparam("dst", type_=tables.Int) if name == "episode" else table.c[name] for name in fields]
    source = (
        select(*columns)
        .where(
            table.c.episode == bindparam("src"),
            tuple_(table.c.turn, table.c.part, table.c.seq)
            <= tuple_(bindparam("turn"), bindparam("part"), bindparam("seq"), types=[tables.Int] * 3),
        )
        .order_by(table.c.id)
    )
    return insert(table).from_select(list(fields), source)


COPY_TURNS = _copy(tables.turns, TurnRow._fields)
COPY_ROWS = _copy(tables.row_versions, RowVersion._fields)
