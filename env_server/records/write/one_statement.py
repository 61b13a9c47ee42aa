"""A group of ordinary units in one statement of PostgreSQL.

PostgreSQL commits a statement outside of a transaction by itself. So a group needs one round trip. BEGIN, an insert for
each table and COMMIT would need four or more. The rows go as JSON, one text for each table, because arrays of the
driver take many times as long for each value.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import orjson
from sqlalchemy import Connection, Dialect, Table

from env_server.records import tables
from env_server.records.driver import execute_alone
from env_server.records.unit_of_work import EffectRow, Ending, EpisodeRow, KeyRow, RowVersion, TurnRow, Unit


class _Kind(NamedTuple):
    """One kind of rows: the field of a unit, its table, and the table's columns in the order of the rows."""

    field: str
    table: Table
    columns: tuple[str, ...]


KINDS: Final = (
    _Kind("episodes", tables.episodes, EpisodeRow._fields),
    _Kind("turns", tables.turns, TurnRow._fields),
    _Kind("rows", tables.row_versions, RowVersion._fields),
    _Kind("endings", tables.endings, Ending._fields),
    _Kind("keys", tables.keys, KeyRow._fields),
    _Kind("effects", tables.effects, EffectRow._fields),
)


class OneStatement:
    """Commits groups by one statement each."""

    def __init__(self, dialect: Dialect) -> None:
        """Write statements for `dialect`."""
        self._inserts = {kind: _insert(dialect, kind) for kind in KINDS}
        self._texts: dict[tuple[_Kind, ...], str] = {}

    def commit(self, connection: Connection, units: Sequence[Unit]) -> None:
        """Commit `units`, all or none of them. `fits` must hold for each, and no transaction may be open.

        Raises:
            DBAPIError: if the commit fails. If the connection broke, the units may be committed nevertheless.
        """
        rows = {kind: [row for unit in units for row in getattr(unit, kind.field)] for kind in KINDS}
        # PostgreSQL inserts the rows of the last kind first, and then those of the others from the last part to the
        # first. So they are locked in the order of `KINDS`, as in transactions, and two servers cannot deadlock.
        kinds = tuple(kind for kind, found in rows.items() if found)
        kinds = (*reversed(kinds[1:]), *kinds[:1])
        if kinds:
            values = [_json(kind, rows[kind]) for kind in kinds]
            execute_alone(connection, self._text(kinds), values)

    def _text(self, kinds: tuple[_Kind, ...]) -> str:
        if kinds not in self._texts:
            *before, last = (self._inserts[kind] for kind in kinds)
            parts = ", ".join(f"part_{number} AS ({insert})" for number, insert in enumerate(before))
            self._texts[kinds] = f"WITH {parts} {last}" if parts else last
        return self._texts[kinds]


def fits(work: object) -> bool:
    """Return whether `work` is a unit that only inserts rows, and where an existing row is always an error."""
    return isinstance(work, Unit) and not (work.copies or work.memos or work.recordings or work.claim is not None)


def _insert(dialect: Dialect, kind: _Kind) -> str:
    """Return an insert of the rows in a JSON array of objects, in their order."""
    quote = dialect.identifier_preparer.quote
    names = ", ".join(map(quote, kind.columns))
    typed = ", ".join(f"{quote(name)} {kind.table.c[name].type.compile(dialect)}" for name in kind.columns)
    return f"INSERT INTO {kind.table.name} ({names}) SELECT {names} FROM json_to_recordset(%s::json) AS rows({typed})"


def _json(kind: _Kind, rows: Sequence[tuple[object, ...]]) -> str:
    return orjson.dumps([dict(zip(kind.columns, row, strict=True)) for row in rows]).decode()
