"""The databases of servers under test: SQLite files, or databases of a PostgreSQL server if POSTGRES_URL is set."""

import hashlib
import os
from pathlib import Path

VARIABLE = "POSTGRES_URL"
"""The address of a PostgreSQL server on which databases can be made. `make test-postgres` sets it."""


def address_of(file: Path) -> str:
    """The URL of the database that stands for `file`. It is made at the first call, and found by the file's path."""
    given = os.environ.get(VARIABLE)
    return f"sqlite:///{file}" if given is None else _made(given, file)


def _made(server: str, file: Path) -> str:
    from sqlalchemy import create_engine, make_url, text  # noqa: PLC0415 -- where SkyRL is installed the server is not
    from sqlalchemy.pool import NullPool  # noqa: PLC0415

    name = f"test_{hashlib.sha256(str(file).encode()).hexdigest()[:24]}"
    url = make_url(server).set(drivername="postgresql+psycopg")
    engine = create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        if not connection.execute(text("SELECT 1 FROM pg_database WHERE datname = :name"), {"name": name}).first():
            connection.execute(text(f'CREATE DATABASE "{name}"'))
    return make_url(server).set(database=name).render_as_string(hide_password=False)
