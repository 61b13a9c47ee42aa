"""Schema migrations, run by the program itself: there is no ini file to keep in step with the settings."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from env_server.records.errors import translate

_LOCK: Final = 0x656E762D736572  # "env-ser": any number will do, as long as nobody else's lock has it


def config(connection: Connection | None = None) -> Config:
    """Alembic's configuration; with a connection, commands run on it and leave the commit to its owner."""
    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    settings.attributes["connection"] = connection
    return settings


def upgrade(engine: Engine) -> None:
    """Brings the database to the newest schema, in one transaction. Raises StorageUnavailable.

    Processes that start together take turns: SQLite by its write lock, PostgreSQL by an advisory lock.
    """
    try:
        with engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            command.upgrade(config(connection), "head")
    except DBAPIError as error:
        raise translate(error) from error
