"""Recognises the kind of a source from its content, never from its name alone."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from env_server.commands.setup import need_pyarrow
from env_server.commands.view import own, tau2_results, tau_bench_results
from env_server.commands.view.found import Source, UnreadableSource
from env_server.records import Store

SQLITE, PARQUET = b"SQLite format 3\0", b"PAR1"
"""The first bytes of SQLite files and of Parquet files."""

NOTHING_KNOWN = (
    "neither trajectories of this project, an archive or a database of it, nor results of tau2-bench or tau-bench"
)


@contextmanager
def opened(name: str, run: str | None) -> Iterator[Source]:
    """Yield the content of `name`: a file, a folder, or the URL of a database. `run` chooses a run of a database.

    Raises:
        UnreadableSource: if it cannot be read.
        OSError: as above.
        StorageUnavailable: if a database cannot be read.
    """
    path = Path(name)
    is_url = "://" in name
    if not is_url and _first_bytes(path) != SQLITE:
        if run is not None:
            raise UnreadableSource("--run chooses a run of a database, and this is no database")
        yield _of_files(path)
        return
    store = _store(name if is_url else f"sqlite:///{path.resolve()}")
    if run is not None and store.runs.count(run) is None:
        raise UnreadableSource(f"no episode was begun in a run {run!r}")
    yield Source({"format": "database", "run": run}, own.stored(store, run))


def _store(url: str) -> Store:
    try:
        database = make_url(url).database
        if url.startswith("sqlite:") and (not database or not Path(database).is_file()):
            raise UnreadableSource("there is no such file")
        return Store.open_read_only(url)
    except (ArgumentError, ImportError, ValueError) as e:
        raise UnreadableSource(str(e).replace(url, "(the address)")) from e


def _first_bytes(path: Path) -> bytes:
    if not path.exists():
        raise UnreadableSource("there is no such file")
    if path.is_dir():
        return b""
    with path.open("rb") as file:
        return file.read(len(SQLITE))


def _of_files(path: Path) -> Source:
    if tau2_results.is_folder(path):
        return tau2_results.folder(path)
    files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    if not files:
        raise UnreadableSource(f"{NOTHING_KNOWN}: the folder has no Parquet files")
    if path.is_dir() or _first_bytes(path).startswith(PARQUET):
        need_pyarrow("an archive")
        return own.archived(files)
    return _of_json(path)


def _of_json(path: Path) -> Source:
    with path.open("rb") as file:
        first = file.readline(own.LONGEST_LINE)
    if own.is_trajectory(_json(first)):
        return own.trajectories(path)
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as e:
        raise UnreadableSource(f"{NOTHING_KNOWN}: it is no text in UTF-8") from e
    except (ValueError, RecursionError) as e:
        raise UnreadableSource(f"{NOTHING_KNOWN}: it is no JSON ({e})") from e
    if tau2_results.is_results(value):
        return tau2_results.results(value)
    if tau_bench_results.is_results(value):
        return tau_bench_results.results(value)
    if own.is_trajectory(value):
        return own.trajectory(value)
    raise UnreadableSource(NOTHING_KNOWN)


def _json(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
