"""`env-server recordings`: list, export, import and prune recorded results of MCP servers."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from time import time
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError
from rich import box
from rich.table import Table

from env_server.commands.output import console, fail, print_json, readable_errors
from env_server.commands.setup import open_store, read_settings
from env_server.episodes.codec.recording import check_recording
from env_server.records import RecordingRow, Store

T = TypeVar("T")
DAY_S = 86_400.0
_row: TypeAdapter[RecordingRow] = TypeAdapter(RecordingRow)


def show(*, as_json: bool) -> None:
    """Print how many results are recorded, by tag and server."""
    sets = _with_store(_now(lambda store: store.recordings.sets()))
    if as_json:
        print_json({"recordings": [found._asdict() for found in sets]})
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("Tag", "Server", "Results", "First", "Last"):
        table.add_column(name, justify="right" if name == "Results" else "left")
    for found in sets:
        table.add_row(found.tag, found.server, f"{found.results:,}", _day(found.first), _day(found.last))
    console(as_json=False).print(table if sets else "Nothing is recorded.")


def export(tag: str, into: Path | None, *, vendor_data: bool, as_json: bool) -> None:
    """Write the recordings of a tag as JSON lines, to a file or stdout. End the program if there are none."""
    if not vendor_data:
        fail("recordings hold what vendors' servers answered, which you may not be allowed to pass on; "
             "if you are, say so with --vendor-data")  # fmt: skip
    rows = _with_store(_now(lambda store: list(store.recordings.rows(tag))))
    if not rows:
        fail(f"nothing is recorded under the tag {tag!r}")
    lines = "".join(f"{json.dumps(row._asdict())}\n" for row in rows)
    if into is None:
        sys.stdout.write(lines)
        return
    into.write_text(lines, encoding="utf-8")
    _report("exported", len(rows), as_json=as_json)


def take(path: Path, *, as_json: bool) -> None:
    """Store the recordings of a file. A recording that exists already stays."""
    rows = list(_read(path))
    new = _with_store(lambda store: store.recordings.put(rows))
    there = len(rows) - new
    if as_json:
        print_json({"imported": new, "present": there})
    else:
        more = f" {there:,} were there already." if there else ""
        console(as_json=False).print(f"{new:,} recordings imported.{more}")


def prune(tag: str, older_than_days: float, *, as_json: bool) -> None:
    """Delete the recordings of a tag that are older than a number of days; 0 deletes all."""
    before = time() - older_than_days * DAY_S
    _report("deleted", _with_store(lambda store: store.recordings.prune(tag, before)), as_json=as_json)


def _report(done: str, number: int, *, as_json: bool) -> None:
    if as_json:
        print_json({done: number})
    else:
        console(as_json=False).print(f"{number:,} recordings {done}.")


def _read(path: Path) -> Iterator[RecordingRow]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as e:
        fail(f"{path}: {getattr(e, 'strerror', None) or e}")
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = _row.validate_python(json.loads(line), strict=True)
            check_recording(row)
        except (ValueError, RecursionError) as e:
            fail(f"{path}: line {number} is no recording: {_said(e)}")
        yield row


def _said(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"


def _day(at: float) -> str:
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")
    except (OSError, OverflowError, ValueError):  # an old database may hold any number
        return "?"


def _now(read: Callable[[Store], T]) -> Callable[[Store], Awaitable[T]]:
    async def found(store: Store) -> T:
        return read(store)

    return found


def _with_store(work: Callable[[Store], Awaitable[T]]) -> T:
    """Return the result of `work` on the database of the settings."""

    async def run() -> T:
        store = open_store(read_settings())
        try:
            return await work(store)
        finally:
            await store.close()

    with readable_errors():
        return asyncio.run(run())
