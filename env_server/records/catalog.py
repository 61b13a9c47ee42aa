"""Shared data of episodes: blobs, snapshots, packs, tasks and gold results, each stored once under its digest.

Several processes may call a `put_*` method with the same row at the same time. One process stores the row and all of
them get the same key. Each method looks the row up before it writes, so that storing an existing row costs only a read.
Reads raise StorageUnavailable.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from sqlalchemy import Column, Connection, Select, Table, bindparam, literal_column, select

from env_server.records import tables
from env_server.records.read.read_connections import Readers
from env_server.records.statements import insert_once, insert_text
from env_server.records.unit_of_work import BaseRow, GoldRow, PackRow, SnapshotRow, TaskRow
from env_server.records.write.writer import Writer

T = TypeVar("T")

_PAGE: Final = 5_000

_b = tables.base_rows
_blob_text: Column[str] = tables.blobs.c.text
BLOB = select(_blob_text).where(tables.blobs.c.digest == bindparam("digest"))
BASE_ROWS = (
    select(_b.c.pos, _b.c.tbl, _b.c.key, _b.c.row)
    .where(_b.c.snapshot == bindparam("snapshot"), _b.c.pos > bindparam("after"))
    .order_by(_b.c.pos)
    .limit(literal_column(str(_PAGE)))
)
_g = tables.golds
_gold_result: Column[str] = _g.c.result
GOLD = select(_gold_result).where(
    _g.c.task == bindparam("task"),
    _g.c.tools_digest == bindparam("tools_digest"),
    _g.c.snapshot == bindparam("snapshot"),
)


def _find(table: Table, name: str) -> Select[int]:
    id: Column[int] = table.c.id
    return select(id).where(table.c[name] == bindparam("name"))


def _get(table: Table, fields: Sequence[str]) -> Select[*tuple[Any, ...]]:
    return select(*(table.c[field] for field in fields)).where(table.c.id == bindparam("id"))


FIND_SNAPSHOT = _find(tables.snapshots, "digest")
FIND_PACK = _find(tables.packs, "version")
FIND_TASK = _find(tables.tasks, "digest")
SNAPSHOT_KEYS = select(tables.snapshots.c.id).order_by(tables.snapshots.c.id)
SNAPSHOT = _get(tables.snapshots, SnapshotRow._fields)
PACK = _get(tables.packs, PackRow._fields)
TASK = _get(tables.tasks, TaskRow._fields)


class Catalog:
    """Store and look up the rows that episodes share."""

    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    async def put_blob(self, digest: str, text: str) -> None:
        """Store `text` under its digest, unless it is stored already."""
        if self.blob(digest) is None:
            await self._put_once(tables.blobs, {"digest": digest, "text": text})

    def blob(self, digest: str) -> str | None:
        """Return the text with this digest, or None."""
        return self._scalar(BLOB, {"digest": digest})

    async def put_snapshot(self, snapshot: SnapshotRow, rows: Sequence[BaseRow]) -> int:
        """Store a base snapshot and its rows in one transaction, unless it is stored already. Return its key."""
        found = self.find_snapshot(snapshot.digest)
        if found is not None:
            return found
        return await self._writer.run(lambda connection: _insert_snapshot(connection, snapshot, rows))

    def find_snapshot(self, digest: str) -> int | None:
        """Return the key of the snapshot with this digest, or None."""
        return self._scalar(FIND_SNAPSHOT, {"name": digest})

    def snapshot(self, id: int) -> SnapshotRow | None:
        """Return the snapshot with this key, or None."""
        row = self._readers.first(SNAPSHOT, {"id": id})
        return None if row is None else SnapshotRow._make(row)

    def snapshot_keys(self) -> list[int]:
        """Return the keys of all snapshots, oldest first."""
        return [row[0] for row in self._readers.all(SNAPSHOT_KEYS)]

    def base_rows(self, snapshot: int) -> Iterator[BaseRow]:
        """Yield the rows of the snapshot with this key, in the order of insertion. Rows are read in pages."""
        after = -1
        while page := self._readers.all(BASE_ROWS, {"snapshot": snapshot, "after": after}):
            yield from (BaseRow._make(row[1:]) for row in page)
            after = page[-1][0]

    async def put_pack(self, pack: PackRow) -> int:
        """Store a version of a pack, unless it is stored already. Return its key."""
        return await self._put(tables.packs, FIND_PACK, pack.version, pack._asdict())

    def find_pack(self, version: str) -> int | None:
        """Return the key of the pack with this version, or None."""
        return self._scalar(FIND_PACK, {"name": version})

    def pack(self, id: int) -> PackRow | None:
        """Return the pack with this key, or None."""
        row = self._readers.first(PACK, {"id": id})
        return None if row is None else PackRow._make(row)

    async def put_task(self, task: TaskRow) -> int:
        """Store a task, unless it is stored already. Return its key."""
        return await self._put(tables.tasks, FIND_TASK, task.digest, task._asdict())

    def find_task(self, digest: str) -> int | None:
        """Return the key of the task with this digest, or None."""
        return self._scalar(FIND_TASK, {"name": digest})

    def task(self, id: int) -> TaskRow | None:
        """Return the task with this key, or None."""
        row = self._readers.first(TASK, {"id": id})
        return None if row is None else TaskRow._make(row)

    async def put_gold(self, gold: GoldRow) -> None:
        """Store the result of a task's gold calls. If a result exists already, keep it."""
        if self.gold(gold.task, gold.tools_digest, gold.snapshot) is None:
            await self._put_once(tables.golds, gold._asdict())

    def gold(self, task: str, tools_digest: str, snapshot: str) -> str | None:
        """Return the stored result of a task's gold calls, or None. All three arguments are digests."""
        return self._scalar(GOLD, {"task": task, "tools_digest": tools_digest, "snapshot": snapshot})

    def _scalar(self, statement: Select[T], values: Mapping[str, object]) -> T | None:
        row = self._readers.first(statement, values)
        return None if row is None else row[0]

    async def _put_once(self, table: Table, values: Mapping[str, object]) -> None:
        await self._writer.run(lambda connection: _insert_once(connection, table, values))

    async def _put(self, table: Table, find: Select[int], name: str, values: Mapping[str, object]) -> int:
        found = self._scalar(find, {"name": name})
        if found is not None:
            return found
        return await self._writer.run(lambda connection: _insert_and_find(connection, table, find, name, values)[0])


def _insert_once(connection: Connection, table: Table, values: Mapping[str, object]) -> None:
    connection.execute(insert_once(connection.dialect, table), values)


def _insert_and_find(
    connection: Connection, table: Table, find: Select[int], name: str, values: Mapping[str, object]
) -> tuple[int, bool]:
    """Return the row's key, and whether this call inserted the row."""
    created = insert_once(connection.dialect, table).returning(table.c.id)
    id = connection.execute(created, values).scalar()
    if id is not None:
        return id, True
    return connection.execute(find, {"name": name}).scalar_one(), False


def _insert_snapshot(connection: Connection, snapshot: SnapshotRow, rows: Sequence[BaseRow]) -> int:
    id, created = _insert_and_find(connection, tables.snapshots, FIND_SNAPSHOT, snapshot.digest, snapshot._asdict())
    if created and rows:
        # Thousands of rows: as text for the driver, because SQLAlchemy makes a dictionary of parameters for each row.
        sql = insert_text(connection.dialect, tables.base_rows, ("snapshot", "pos", *BaseRow._fields))
        connection.exec_driver_sql(sql, [(id, pos, *row) for pos, row in enumerate(rows)])
    return id
