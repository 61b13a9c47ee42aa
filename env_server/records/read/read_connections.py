"""Connections that only read. Each one stays open and holds no transaction between two reads."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar, TypeVarTuple

from sqlalchemy import Connection, Engine, Row, Select
from sqlalchemy.exc import DBAPIError

from env_server.records.driver import rows_of
from env_server.records.engine import READ_ONLY, SameFile
from env_server.records.errors import StorageUnavailable, translate

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Readers:
    """A pool of open connections, as many as the largest number of concurrent reads. Usable from any thread.

    A result is always fetched completely, because an unfinished result would pin an old view of the database.
    """

    def __init__(self, engine: Engine, file: SameFile, settings: str | None = None) -> None:
        """Open connections of `engine`. `settings` is SQL that each connection executes first."""
        self._file = file
        self._settings = settings
        self._engine = engine.execution_options(isolation_level=READ_ONLY)
        self._idle: deque[Connection] = deque()

    def all(self, statement: Select[*Ts], values: Mapping[str, object] | None = None) -> Sequence[Row[*Ts]]:
        """Return all rows of the result, including every process's commits. Raise StorageUnavailable."""
        return self._read(lambda connection: connection.execute(statement, values).all())

    def plain(self, text: str, values: tuple[object, ...]) -> Sequence[tuple[Any, ...]]:
        """Return all rows of a statement of the driver, with the driver's types. Raise StorageUnavailable."""
        return self._read(lambda connection: rows_of(connection, text, values))

    def _read(self, read: Callable[[Connection], T]) -> T:
        self._file.check()
        try:
            connection = self._take()
            try:
                rows = read(connection)
            except BaseException:
                connection.close()
                raise
        except DBAPIError as error:
            failure = translate(error)
            if isinstance(failure, StorageUnavailable):
                self.close()  # the idle connections are broken too; the next read reconnects
            raise failure from error
        self._idle.append(connection)
        return rows

    def first(self, statement: Select[*Ts], values: Mapping[str, object] | None = None) -> Row[*Ts] | None:
        """Return the first row, or None. The statement must find at most one row, or have LIMIT 1."""
        rows = self.all(statement, values)
        return rows[0] if rows else None

    def close(self) -> None:
        """Close the idle connections. A later read opens new ones."""
        while self._idle:
            with suppress(DBAPIError, IndexError):
                self._idle.pop().close()

    def _take(self) -> Connection:
        try:
            return self._idle.pop()
        except IndexError:
            connection = self._engine.connect()
            if self._settings is not None:
                connection.exec_driver_sql(self._settings)
            return connection
