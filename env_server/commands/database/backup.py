"""`env-server backup`: copy the SQLite database while servers use it."""

from pathlib import Path

from env_server.commands.output import fail, readable_errors
from env_server.commands.setup import read_settings, sqlite_file
from env_server.records.files import check_file, copy_file


def run(*, to: Path) -> None:
    """Copy the configured database to the new file `to`, check the copy, and print its size."""
    file = sqlite_file(read_settings())
    if file is None:
        fail("ENV_SERVER_DATABASE_URL names a PostgreSQL database: back it up with pg_dump")
    with readable_errors():
        try:
            copy_file(file, to)
        except FileExistsError:
            fail(f"{to} exists; name a new file")
        except OSError as e:
            fail(f"{to}: {e.strerror}")
        check_file(to)
    print(f"{to.resolve()}: {to.stat().st_size:,} bytes")
