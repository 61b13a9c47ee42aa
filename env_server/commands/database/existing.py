"""Opens a database that exists, for commands that work on all of it."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine

from env_server.commands.output import fail, readable_errors
from env_server.commands.setup import missing_sqlite_file, naming_database
from env_server.records.engine import make_engine
from env_server.records.migrations import upgrade
from env_server.settings import Settings


@contextmanager
def opened(settings: Settings) -> Iterator[Engine]:
    """Yield an engine for the database of `settings`, with the newest schema. Errors of the database are one line.

    End the program if it is a SQLite file that does not exist.
    """
    if (missing := missing_sqlite_file(settings)) is not None:
        fail(f"there is no database at {missing}; set ENV_SERVER_DATABASE_URL to its address")
    with readable_errors(), naming_database(settings):
        engine = make_engine(settings.database_url, settings.sqlite_synchronous)
        upgrade(engine)
        yield engine
