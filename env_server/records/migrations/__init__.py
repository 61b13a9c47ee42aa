"""Schema migrations, run by the program itself: there is no ini file to keep in step with the settings."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Column, Connection, Engine, MetaData, PrimaryKeyConstraint, String, Table, inspect, select, text
from sqlalchemy.exc import DBAPIError

from env_server.records.errors import translate
from env_server.records.tables import metadata

if TYPE_CHECKING:
    from alembic.config import Config

_LOCK: Final = 0x656E762D736572  # "env-ser": any number will do, as long as nobody else's lock has it

_VERSION: Final = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""Where Alembic notes which migration was the last, as it makes it itself."""


def config(connection: Connection | None = None) -> "Config":
    """Alembic's configuration; with a connection, commands run on it and leave the commit to its owner."""
    from alembic.config import Config  # noqa: PLC0415 - only an older database needs Alembic, which takes long to import

    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    settings.attributes["connection"] = connection
    return settings


def upgrade(engine: Engine) -> None:
    """Brings the database to the newest schema, in one transaction. Raises StorageUnavailable.

    An empty database gets the tables as they are declared; an older one runs the migrations that it lacks. Processes
    that start together take turns: SQLite by its write lock, PostgreSQL by an advisory lock.
    """
    try:
        with engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            there = inspect(connection).get_table_names()
            if not there:
                _create(connection)
            elif _VERSION.name not in there or _version(connection) != head():
                migrate(connection)
    except DBAPIError as error:
        raise translate(error) from error


def migrate(connection: Connection) -> None:
    """Runs the migrations that the database lacks, from the first one where it has had none."""
    from alembic import command  # noqa: PLC0415 - as above

    command.upgrade(config(connection), "head")


def head() -> str:
    """The newest migration: files are called v0001_WORDS.py, and each one's revision is its number."""
    newest = max(path.name for path in (Path(__file__).parent / "versions").glob("v*.py"))
    return newest[1:].partition("_")[0]


def _create(connection: Connection) -> None:
    metadata.create_all(connection, checkfirst=False)
    _VERSION.create(connection)
    connection.execute(_VERSION.insert(), {"version_num": head()})


def _version(connection: Connection) -> str | None:
    return connection.execute(select(_VERSION.c.version_num)).scalar()
