"""Reads of many rows that all see the database as it is at one moment."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import Connection, Engine, select, text

from env_server.records.engine import READ_ONLY
from env_server.records.tables import episodes

_FIRST_READ: Final = select(episodes.c.id).limit(1)
"""In both databases the moment of a transaction is its first read."""


@contextmanager
def one_moment(engine: Engine) -> Iterator[Connection]:
    """Yield a connection whose reads all see the database as it is now. It blocks no other connection."""
    if engine.dialect.name == "postgresql":
        options: dict[str, Any] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        with engine.execution_options(**options).begin() as connection:
            connection.execute(_FIRST_READ)
            yield connection
        return
    with engine.execution_options(isolation_level=READ_ONLY).connect() as connection:
        connection.execute(text("BEGIN"))  # SQLite's plain BEGIN takes no write lock
        connection.execute(_FIRST_READ)
        yield connection
        connection.execute(text("ROLLBACK"))
