"""Integer ids, reserved in blocks. A process knows an id before the insert, and two processes never share one."""

import asyncio
from functools import cache, partial
from typing import Final

from sqlalchemy import Connection, Dialect, bindparam
from sqlalchemy.sql.dml import ReturningInsert

from env_server.records import tables
from env_server.records.statements import conflict_insert
from env_server.records.write.writer import Writer

BLOCK: Final = 1_000
"""Number of ids that a process reserves at once. Ids that it does not use stay unused."""

FRESH_S: Final = 1.0
"""Seconds after which a process drops the rest of its block, so that ids of several processes ascend with time.

Lists are in the order of ids, newest first. A server that kept its block would put its new episodes behind older ones
of a process that reserved a later block.
"""


class IdBlocks:
    """Ids of one counter, taken from blocks that this process has reserved."""

    def __init__(self, writer: Writer, name: str) -> None:
        self._writer = writer
        self._name = name
        self._free = range(0)
        self._until = 0.0
        self._lock = asyncio.Lock()

    async def take(self, count: int) -> range:
        """Return `count` consecutive unused ids. Raise StorageUnavailable if no block can be reserved."""
        if self._lacks(count):
            async with self._lock:
                await self._refill(count)
                return self._cut(count)
        return self._cut(count)

    def _lacks(self, count: int) -> bool:
        return len(self._free) < count or asyncio.get_running_loop().time() >= self._until

    async def _refill(self, count: int) -> None:
        if self._lacks(count):
            size = max(BLOCK, count)
            first = await self._writer.run(partial(reserve, name=self._name, count=size))
            self._free = range(first, first + size)
            self._until = asyncio.get_running_loop().time() + FRESH_S

    def _cut(self, count: int) -> range:
        taken, self._free = self._free[:count], self._free[count:]
        return taken


def reserve(connection: Connection, name: str, count: int) -> int:
    """Advance a counter by `count`. Return the first id of the block; ids start at 1."""
    after = connection.execute(
        reserve_statement(connection.dialect), {"name": name, "next": 1 + count, "count": count}
    ).scalar_one()
    return after - count


@cache
def reserve_statement(dialect: Dialect) -> ReturningInsert[int]:
    """Return the upsert behind `reserve`, which returns the counter's new value.

    It is cached, because building it leaves hundreds of reference cycles behind.
    """
    statement = conflict_insert(dialect, tables.counters)
    return statement.on_conflict_do_update(
        index_elements=[tables.counters.c.name],
        set_={"next": tables.counters.c.next + bindparam("count", type_=tables.Int)},
    ).returning(tables.counters.c.next)
