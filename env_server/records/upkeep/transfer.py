"""Copies of a whole database into an empty one, of the same kind or of the other."""

import hashlib
from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import Connection, Engine, Table, func, insert, select

from env_server.records.errors import translated
from env_server.records.read.moment import one_moment
from env_server.records.tables import metadata

BATCH: Final = 1_000
"""Rows that are read and inserted at once."""

_DIGEST_BYTES: Final = 16


class NotEmpty(Exception):
    """A target that has rows already. The message names the tables."""


class NotEqual(Exception):
    """A copy whose rows differ from those of the source. Nothing of it is stored."""


def copy_all(source: Engine, target: Engine) -> dict[str, int]:
    """Copy every row of every table, as of one moment, and check the copy. Return the numbers of rows by table.

    Both databases need the newest schema. The copy is one transaction: if it fails, the target stays empty. The check
    reads all rows of the target again. Servers may use the source, but what they commit after the beginning is not in
    the copy.

    Raises:
        Conflict: if somebody writes the same rows into the target meanwhile.
        NotEmpty: if the target has rows.
        NotEqual: if a row was changed on its way.
        StorageUnavailable: if a database does not answer.
    """
    with translated(), one_moment(source) as reading, target.begin() as writing:
        filled = [table.name for table in metadata.sorted_tables if writing.execute(select(table).limit(1)).first()]
        if filled:
            raise NotEmpty(f"it has rows in {', '.join(filled)}")
        return {table.name: _copied(table, reading, writing) for table in metadata.sorted_tables}


def _copied(table: Table, reading: Connection, writing: Connection) -> int:
    """Copy the rows of one table and return their number."""
    count = total = 0
    for rows in _pages(table, reading):
        writing.execute(insert(table), [dict(zip(table.columns.keys(), row, strict=True)) for row in rows])
        count += len(rows)
        total += _sum(rows)
    if sum(map(_sum, _pages(table, writing))) != total:
        raise NotEqual(f"the copied rows of {table.name} differ from those of the source")
    _continue_numbers(table, writing)
    return count


def _pages(table: Table, connection: Connection) -> Iterator[list[tuple[Any, ...]]]:
    with connection.execute(select(table).execution_options(yield_per=BATCH)) as result:
        for page in result.partitions():
            yield [*map(tuple, page)]


def _sum(rows: list[tuple[Any, ...]]) -> int:
    """Return the sum of the rows' digests. It does not depend on their order, which differs between databases."""
    digests = (hashlib.blake2b(repr(row).encode(), digest_size=_DIGEST_BYTES).digest() for row in rows)
    return sum(int.from_bytes(digest) for digest in digests)


def _continue_numbers(table: Table, connection: Connection) -> None:
    """Let PostgreSQL number new rows after the copied ones, as SQLite does by itself."""
    column = table.autoincrement_column
    if connection.dialect.name == "postgresql" and column is not None:
        highest = select(func.max(column)).scalar_subquery()
        connection.execute(select(func.setval(func.pg_get_serial_sequence(table.name, column.name), highest)))
