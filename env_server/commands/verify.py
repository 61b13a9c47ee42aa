"""`env-server verify`: recompute stored hashes from the rows in SQL."""

import asyncio
from collections.abc import Iterator
from dataclasses import asdict

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from env_server.commands.output import FAILED, MISUSED, console, fail, plain, print_json, readable_errors
from env_server.commands.setup import all_packs, missing_sqlite_file, open_store, read_settings
from env_server.episodes.read.verify import Verifier, VerifyReport
from env_server.records import EpisodeRow, Store
from env_server.settings import Settings

LATEST = "latest"
"""Stands for the newest episode."""

PAGE = 1000
"""Number of episodes listed per query."""


def run(episode_id: str | None, *, base: bool, everything: bool, as_json: bool) -> None:
    """Check one episode, the bases, or everything.

    End the program with status 1 if there is a mismatch, and with 2 if something could not be checked.
    """
    if [episode_id is not None, base, everything].count(True) != 1:
        fail("name an episode (or `latest`), or add --base or --all")
    settings = read_settings()
    _refuse_missing_file(settings)
    with readable_errors():
        store = open_store(settings)
        try:
            findings = _checked(settings, store, episode_id, base=base or everything, everything=everything)
        finally:
            asyncio.run(store.close())
    ok = not findings.mismatches and not findings.unchecked
    if as_json:
        print_json({"ok": ok, **asdict(findings)})
    else:
        _show(findings)
    if not ok:
        raise typer.Exit(FAILED if findings.mismatches else MISUSED)


def _checked(settings: Settings, store: Store, episode_id: str | None, *, base: bool, everything: bool) -> VerifyReport:
    verifier = Verifier(store, all_packs(settings))
    if base:
        for key in store.catalog.snapshot_keys():
            verifier.base(key)
    if episode_id is not None:
        verifier.episode(_named(store, episode_id))
    if everything:
        for row in _all_episodes(store):
            verifier.episode(row)
    return verifier.findings


def _named(store: Store, episode_id: str) -> EpisodeRow:
    """Return the episode with this id, or the newest one for `latest`. End the program if there is none."""
    if episode_id == LATEST:
        newest = store.listings.episodes(limit=1).episodes
        if not newest:
            fail("there is no episode in this database yet")
        return newest[0].episode
    row = store.reads.episode_by_id(episode_id)
    if row is None:
        fail(f"no episode {episode_id!r}")
    return row


def _all_episodes(store: Store) -> Iterator[EpisodeRow]:
    before = None
    while page := store.listings.episodes(limit=PAGE, before=before).episodes:
        yield from (line.episode for line in page)
        before = page[-1].episode.id


def _refuse_missing_file(settings: Settings) -> None:
    """End the program if the SQLite file does not exist.

    Opening the database would create it, and an empty database would pass every check.
    """
    if (missing := missing_sqlite_file(settings)) is not None:
        fail(f"there is no database at {missing}; set ENV_SERVER_DATABASE_URL to its address")


def _show(findings: VerifyReport) -> None:
    screen = console(as_json=False)
    done = {"episodes": findings.episodes, "parts of turns": findings.turns, "bases": findings.snapshots}
    counts = "checked: " + ", ".join(f"{number:,} {what}" for what, number in done.items())
    for reason in findings.unchecked:
        screen.print(Text.assemble(("not checked: ", "bold yellow"), plain(reason)))
    if not findings.mismatches:
        screen.print(Text.assemble(("all hashes hold ", "bold green"), (f"({counts})", "dim")))
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_lines=True)
    table.add_column("Where", style="bold", no_wrap=True)
    table.add_column("What", style="red", overflow="fold")
    table.add_column("Stored and computed", style="dim", no_wrap=True)
    table.add_column("Rows", overflow="fold")
    for found in findings.mismatches:
        where = found.episode_id or found.what
        where += "" if found.turn is None else f"\nturn {found.turn}"
        hashes = f"{(found.stored or '')[:16]}\n{(found.computed or '')[:16]}".strip()
        table.add_row(plain(where), plain(found.detail), hashes, plain("\n".join(found.rows)))
    screen.print(table)
    number = len(findings.mismatches)
    said = f"{number} mismatch{'es' if number > 1 else ''} "
    screen.print(Text.assemble((said, "bold red"), (f"({counts})", "dim")))
