"""`env-server copy`: copy the whole database into an empty one, such as from SQLite to PostgreSQL."""

from env_server.commands.output import console, fail, print_json, readable_errors
from env_server.commands.setup import database_shown, missing_sqlite_file, naming_database, read_settings
from env_server.records import Conflict
from env_server.records.engine import make_engine
from env_server.records.migrations import pending, upgrade
from env_server.records.upkeep.transfer import NotEmpty, NotEqual, copy_all


def run(source: str | None, to: str, *, as_json: bool) -> None:
    """Copy the database at the address `source` (default: the configured one) to the one at `to`, and check it."""
    old, new = read_settings(database_url=source), read_settings(database_url=to)
    if (missing := missing_sqlite_file(old)) is not None:
        fail(f"there is no database at {missing}")
    with readable_errors():
        with naming_database(old, "--from"):
            reading = make_engine(old.database_url)
            if pending(reading):
                fail(f"{database_shown(old)} has an older schema: run `env-server migrate` on it first")
        with naming_database(new, "--to"):
            writing = make_engine(new.database_url, new.sqlite_synchronous)
            upgrade(writing)
        try:
            copied = copy_all(reading, writing)
        except NotEmpty as e:
            fail(f"{database_shown(new)} is not empty: {e}")
        except Conflict:
            fail(f"{database_shown(new)} was written to by somebody else; nothing was copied")
        except NotEqual as e:
            fail(f"{database_shown(new)}: {e}; nothing was copied")
    if as_json:
        print_json({"rows": copied})
    else:
        numbers = ", ".join(f"{number:,} {name}" for name, number in copied.items() if number)
        console(as_json=False).print(
            f"copied to {database_shown(new)}, and checked: {numbers or 'no rows'}", soft_wrap=True
        )
