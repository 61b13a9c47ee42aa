"""Schema migrations, run by the program itself. There is no ini file that could disagree with the settings."""

import ast
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import Column, Connection, Engine, MetaData, PrimaryKeyConstraint, String, Table, inspect, select, text

from env_server.records.engine import READ_ONLY
from env_server.records.errors import StorageUnavailable, translated
from env_server.records.tables import metadata

if TYPE_CHECKING:
    from alembic.config import Config

_VERSIONS: Final = Path(__file__).parent / "versions"
_NAMED: Final = "v*.py"

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


class Migration(NamedTuple):
    """One change of the schema: its number, and what it does."""

    revision: str
    does: str


def upgrade(engine: Engine) -> None:
    """Upgrade the database to the newest schema in one transaction.

    An empty database gets the tables as they are declared. An older database runs the migrations that it lacks.
    Processes that start together run one after another: SQLite's write lock or a PostgreSQL advisory lock orders them.

    Raises:
        StorageUnavailable: if the database does not answer, or a newer program has changed its schema.
    """
    with translated(), engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        there = inspect(connection).get_table_names()
        if not there:
            _create(connection)
        elif _lacking(connection, there):
            migrate(connection)


def pending(engine: Engine) -> list[Migration]:
    """Return the migrations that the database lacks, oldest first, and change nothing.

    Raises:
        StorageUnavailable: as `upgrade` does.
    """
    with translated(), engine.execution_options(isolation_level=READ_ONLY).connect() as connection:
        return _lacking(connection, inspect(connection).get_table_names())


def migrate(connection: Connection) -> None:
    """Run the migrations that the database lacks. A database without a recorded version starts from the first one."""
    from alembic import command  # noqa: PLC0415 - only an older database needs it

    command.upgrade(config(connection), "head")


def head() -> str:
    """Return the newest migration. Files are named v0001_WORDS.py, and the revision is the number."""
    return max(map(_revision, _VERSIONS.glob(_NAMED)))


def everything() -> list[Migration]:
    """Return all migrations, oldest first."""
    return [Migration(_revision(path), _first_line(path)) for path in sorted(_VERSIONS.glob(_NAMED))]


def _lacking(connection: Connection, there: list[str]) -> list[Migration]:
    """Return the migrations that a database with the tables `there` lacks."""
    version = _version(connection) if _VERSION.name in there else None
    if version == head():
        return []
    later = [one for one in everything() if version is None or one.revision > version]
    if not later:
        detail = f"a newer program has changed its schema (to {version}; this one knows {head()}): upgrade this program"
        raise StorageUnavailable(detail)
    return later


def _revision(path: Path) -> str:
    return path.name[1:].partition("_")[0]


def _first_line(path: Path) -> str:
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return said.partition("\n")[0]


def _create(connection: Connection) -> None:
    metadata.create_all(connection, checkfirst=False)
    _VERSION.create(connection)
    connection.execute(_VERSION.insert(), {"version_num": head()})


def _version(connection: Connection) -> str | None:
    return connection.execute(select(_VERSION.c.version_num)).scalar()
