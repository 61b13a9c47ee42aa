"""Statements that go to the driver itself, on the step path.

For each execution SQLAlchemy describes the columns of the result, which takes longer than a small statement. Errors
are converted to those of SQLAlchemy.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError


def rows_of(connection: Connection, text: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
    """Return all rows of a statement of the driver, with the driver's types.

    Raises:
        DBAPIError: if the statement fails.
    """
    with _errors(connection, text) as driver:
        rows: list[tuple[Any, ...]] = driver.execute(text, values).fetchall()
        return rows


def execute(connection: Connection, text: str) -> None:
    """Run a statement of the driver that has no result.

    Raises:
        DBAPIError: if it fails.
    """
    with _errors(connection, text) as driver:
        driver.execute(text)


def insert_many(connection: Connection, text: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Run an insert of the driver for each of `rows`.

    Raises:
        DBAPIError: if it fails.
    """
    with _errors(connection, text) as driver:
        cursor = driver.cursor()
        cursor.executemany(text, rows)
        cursor.close()


def execute_alone(connection: Connection, text: str, values: Sequence[object]) -> None:
    """Run a statement of psycopg's outside of a transaction: the database commits it by itself.

    Raises:
        DBAPIError: if it fails.
    """
    with _errors(connection, text) as driver:
        driver.autocommit = True
        try:
            driver.execute(text, values)
        finally:
            if not driver.closed:
                driver.autocommit = False


@contextmanager
def _errors(connection: Connection, text: str) -> Iterator[Any]:
    """Yield the driver's connection. Raise its errors as SQLAlchemy does."""
    driver, dialect = connection.connection.driver_connection, connection.dialect
    kind: type[Exception] = dialect.loaded_dbapi.Error
    try:
        yield driver
    except kind as e:
        gone = dialect.is_disconnect(e, driver, None)  # type: ignore[arg-type]  # it is the driver's error
        raise DBAPIError.instance(text, None, e, kind, connection_invalidated=gone, dialect=dialect) from e
