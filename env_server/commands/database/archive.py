"""`env-server archive`: write closed episodes that are older than an age to Parquet files."""

from pathlib import Path

from env_server.commands.database.ages import ended_before
from env_server.commands.database.existing import opened
from env_server.commands.database.prune import KEYS, shown
from env_server.commands.output import console, fail, print_json
from env_server.commands.setup import need_pyarrow, read_settings
from env_server.records.archive.write import Archived, Archiving
from env_server.records.upkeep.prune import Pruned, Pruning


def run(older_than: str, to: Path | None, *, prune: bool, as_json: bool) -> None:
    """Write the episodes into the folder, and with `prune` delete those that the folder holds. Print the numbers."""
    settings = read_settings(archive_dir=to)
    folder = settings.archive_dir
    if folder is None:
        fail("name the folder with --to, or set ENV_SERVER_ARCHIVE_DIR")
    need_pyarrow("archive")
    before = ended_before(older_than, settings)
    with opened(settings) as engine:
        try:
            done = Archiving(engine, folder, before).run()
        except OSError as e:
            fail(f"{folder}: {e.strerror or e}")
        there = sorted(file.name for file in folder.glob("*.parquet"))
        pruned = Pruning(engine, before, KEYS, archived_in=there).run() if prune else None
    if as_json:
        print_json({"archived": done.episodes, "files": done.files, "pruned": pruned and pruned._asdict()})
    else:
        _show(folder, done, pruned)


def _show(folder: Path, done: Archived, pruned: Pruned | None) -> None:
    screen = console(as_json=False)
    screen.print(f"{done.episodes:,} episodes archived in {folder.resolve()}", soft_wrap=True)
    for file in done.files:
        screen.print(f"  {file}", soft_wrap=True)
    if pruned is not None:
        screen.print(shown(pruned, dry_run=False), soft_wrap=True)
