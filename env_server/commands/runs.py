"""Finds runs of evaluations, by their name in the database or as files."""

import asyncio
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from env_server.commands.output import fail, readable_errors
from env_server.commands.setup import database_shown, missing_sqlite_file, open_store, read_settings
from env_server.evals.outcome import EpisodeOutcome
from env_server.records import Store
from env_server.settings import Settings

KIND = "evaluation"
"""The kind of memo that stores the options of a run."""

RESULTS = "results.jsonl"
"""Name of the outcomes file in the folder of a report."""

MOST_RUNS = 20
"""Maximum number of known names in the error about an unknown name, newest first."""


@dataclass(frozen=True, slots=True)
class FoundRun:
    """The outcomes and options of a run."""

    outcomes: Sequence[EpisodeOutcome]
    spec: Mapping[str, Any] = field(default_factory=dict)
    """The options of the run; empty if it comes from a file."""


def find_runs(names: Sequence[str]) -> list[FoundRun]:
    """Return the runs with these names. A file or folder of a name is read first, else the database.

    The database is opened only if a name is no file. End the program if a run cannot be read.
    """
    files = {name: _read(path) for name in names if (path := _file(name)) is not None}
    others = [name for name in names if name not in files]
    for name in others:
        if not name.isprintable():
            fail(f"there is no file {name!r}, and no run of that name")
    if others:
        settings = read_settings()
        _refuse_missing_file(settings, others[0])
        with readable_errors():
            store = open_store(settings)
            try:
                files |= {name: _stored(settings, store, name) for name in others}
            finally:
                asyncio.run(store.close())
    return [files[name] for name in names]


def _file(name: str) -> Path | None:
    """Return the outcomes file of `name`: the path itself, or the file in the folder of a report.

    None if there is none.
    """
    if os.path.isdir(name):
        inside = Path(name) / RESULTS
        return inside if inside.is_file() else None
    return Path(name) if os.path.isfile(name) else None


def _read(path: Path) -> FoundRun:
    outcomes = []
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    outcomes.append(_outcome(line, f"{path}, line {number}"))
    except (OSError, UnicodeDecodeError) as e:
        fail(f"{path} cannot be read: {e}")
    if not outcomes:
        fail(f"{path} is empty")
    return FoundRun(_first_of_each(outcomes))


def _outcome(text: str, where: str) -> EpisodeOutcome:
    try:
        return EpisodeOutcome.read_json(text)
    except ValueError:
        fail(f"{where} is not the outcome of an episode, as `env-server eval` writes them")


def _first_of_each(outcomes: Iterable[EpisodeOutcome]) -> list[EpisodeOutcome]:
    """Return one outcome per trial: the first, as in the database."""
    found: dict[tuple[str, int], EpisodeOutcome] = {}
    for outcome in outcomes:
        found.setdefault((outcome.task_id, outcome.trial), outcome)
    return list(found.values())


def _stored(settings: Settings, store: Store, name: str) -> FoundRun:
    spec = store.memos.get(KIND, name)
    if spec is None:
        known = store.memos.keys(KIND)[::-1]
        more = f" and {len(known) - MOST_RUNS:,} more" if known[MOST_RUNS:] else ""
        there = f"there are: {', '.join(known[:MOST_RUNS])}{more}" if known else "it has no runs"
        fail(f"no file {name!r}, and no such run in {database_shown(settings)}; {there}")
    outcomes = [
        _outcome(row.result, f"the result of {row.task_id} in run {name!r}") for row in store.memos.results(name)
    ]
    if not outcomes:
        fail(f"run {name!r} has no finished episodes yet")
    return FoundRun(outcomes, json.loads(spec))


def _refuse_missing_file(settings: Settings, name: str) -> None:
    """End the program if the SQLite file does not exist, since opening the database would create it."""
    if (missing := missing_sqlite_file(settings)) is not None:
        fail(f"no file {name!r}, and no database at {missing}; set ENV_SERVER_DATABASE_URL to its address")
