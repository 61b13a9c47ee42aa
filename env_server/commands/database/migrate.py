"""`env-server migrate`: show the migrations that the database lacks, and run them."""

from collections.abc import Sequence

import typer

from env_server.commands.output import FAILED, console, plain, print_json, readable_errors
from env_server.commands.setup import database_shown, missing_sqlite_file, naming_database, read_settings
from env_server.records.engine import make_engine
from env_server.records.migrations import Migration, everything, pending, upgrade


def run(*, check: bool, as_json: bool) -> None:
    """Print the migrations that the database lacks, and run them. With `check`, end with status 1 if it lacks any."""
    settings = read_settings()
    with readable_errors(), naming_database(settings):
        if check and missing_sqlite_file(settings) is not None:
            lacking = everything()  # opening the database would create it
        else:
            engine = make_engine(settings.database_url, settings.sqlite_synchronous)
            lacking = pending(engine)
            if not check:
                upgrade(engine)
    if as_json:
        print_json({"ok": not (check and lacking), "pending" if check else "applied": [m._asdict() for m in lacking]})
    else:
        _show(database_shown(settings), lacking, check=check)
    if check and lacking:
        raise typer.Exit(FAILED)


def _show(database: str, lacking: Sequence[Migration], *, check: bool) -> None:
    screen = console(as_json=False)
    said = ("pending migrations:" if check else "migrations that were run:") if lacking else "the schema is the newest"
    screen.print(plain(f"{database}: {said}"), soft_wrap=True)
    for one in lacking:
        screen.print(f"  {one.revision}  {one.does}", soft_wrap=True)
