"""Schema migrations, run by the program itself. There is no ini file that could disagree with the settings."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Column, Connection, Engine, MetaData, PrimaryKeyConstraint, String, Table, inspect, select, text
from sqlalchemy.exc import DBAPIError

from env_server.records.errors import translate
from env_server.records.tables import metadata

if TYPE_CHECKING:
    from alembic.config import Config

_LOCK: Final = 0x656E762D736572  # "env-ser" in ASCII; any number works that no other advisory lock uses

_VERSION: Final = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""Table in which Alembic records the last migration. The columns match the table that Alembic creates itself."""


def config(connection: Connection | None = None) -> "Config":
    """Return Alembic's configuration. With a connection, commands run on it and do not commit."""
    from alembic.config import Config  # noqa: PLC0415 - only an older database needs Alembic, whose import is slow

    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    settings.attributes["connection"] = connection
    return settings


def upgrade(engine: Engine) -> None:
    """Upgrade the database to the newest schema in one transaction. Raise StorageUnavailable.

    An empty database gets the tables as they are declared. An older database runs the migrations that it lacks.
    Processes that start together run one after another: SQLite's write lock or a PostgreSQL advisory lock orders them.
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
    """Run the migrations that the database lacks. A database without a recorded version starts from the first one."""
    from alembic import command  # noqa: PLC0415 - only an older database needs it

    command.upgrade(config(connection), "head")


def head() -> str:
    """Return the newest migration. Files are named v0001_WORDS.py, and the revision is the number."""
    newest = max(path.name for path in (Path(__file__).parent / "versions").glob("v*.py"))
    return newest[1:].partition("_")[0]


def _create(connection: Connection) -> None:
    metadata.create_all(connection, checkfirst=False)
    _VERSION.create(connection)
    connection.execute(_VERSION.insert(), {"version_num": head()})


def _version(connection: Connection) -> str | None:
    return connection.execute(select(_VERSION.c.version_num)).scalar()
