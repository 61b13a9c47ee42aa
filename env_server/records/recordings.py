"""Recorded results of calls to the outside, by tag."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, select

from env_server.records import tables
from env_server.records.read.read_connections import Readers
from env_server.records.statements import insert_once
from env_server.records.unit_of_work import RecordingRow
from env_server.records.write.writer import Writer

_r = tables.recordings
_KEY = [_r.c[name] for name in RecordingRow._fields[:6]]
LISTING = "(listing)"
"""Stands for a tool's name in the rows that hold a server's listing. No tool can have this name."""

TAGS = (
    select(_r.c.tag, _r.c.server, func.count(), func.min(_r.c.at), func.max(_r.c.at))
    .where(_r.c.tool != LISTING)
    .group_by(_r.c.tag, _r.c.server)
    .order_by(_r.c.tag, _r.c.server)
)
ROWS = select(*(_r.c[name] for name in RecordingRow._fields)).where(_r.c.tag == bindparam("tag")).order_by(*_KEY)
ONE_OF = select(_r.c.tag).where(_r.c.tag == bindparam("tag")).limit(1)
PRUNE = delete(_r).where(_r.c.tag == bindparam("tag"), _r.c.at < bindparam("before"))
LISTINGS = select(*(_r.c[name] for name in RecordingRow._fields)).where(_r.c.tool == LISTING).order_by(_r.c.at, *_KEY)
MOST = 500
"""Maximum number of recordings that one transaction stores."""


class RecordedSet(NamedTuple):
    """The recordings of one server under a tag. Times in seconds since the epoch."""

    tag: str
    server: str
    results: int
    first: float
    last: float


class Recordings:
    """The recordings of a database. Reads raise StorageUnavailable."""

    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    def sets(self) -> list[RecordedSet]:
        """Return the recorded sets of results, by tag and server."""
        return [RecordedSet._make(row) for row in self._readers.all(TAGS)]

    def has(self, tag: str) -> bool:
        """Return whether anything is recorded under a tag."""
        return bool(self._readers.all(ONE_OF, {"tag": tag}))

    def listings(self) -> list[RecordingRow]:
        """Return the listings of servers at the times when their calls were recorded, the newest last."""
        return [RecordingRow._make(row) for row in self._readers.all(LISTINGS)]

    def rows(self, tag: str) -> Iterator[RecordingRow]:
        """Yield the recordings of a tag, sorted by their keys."""
        yield from map(RecordingRow._make, self._readers.all(ROWS, {"tag": tag}))

    async def put(self, rows: Sequence[RecordingRow]) -> int:
        """Store recordings. The first one under a key stays. Return how many were new."""
        stored = 0
        for start in range(0, len(rows), MOST):
            stored += await self._writer.run(partial(_put, [row._asdict() for row in rows[start : start + MOST]]))
        return stored

    async def prune(self, tag: str, before: float) -> int:
        """Delete the recordings of a tag that were made before a time. Return how many."""
        values = {"tag": tag, "before": before}
        return int(await self._writer.run(lambda connection: connection.execute(PRUNE, values).rowcount))


def _put(values: list[dict[str, Any]], connection: Connection) -> int:
    statement = insert_once(connection.dialect, _r)
    return sum(connection.execute(statement, value).rowcount for value in values)
