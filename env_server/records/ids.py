"""Integer ids, reserved in blocks: known before the insert, and no two processes share one."""

import asyncio
from functools import cache, partial
from typing import Final

from sqlalchemy import Connection, Dialect, bindparam
from sqlalchemy.sql.dml import ReturningInsert

from . import tables
from .statements import conflict_insert
from .writer import Writer

BLOCK: Final = 1_000
"""Ids a process reserves at once; what it does not use before it ends stays unused."""


class IdBlocks:
    """Hands out ids of one counter from blocks that this process owns."""

    def __init__(self, writer: Writer, name: str) -> None:
        self._writer = writer
        self._name = name
        self._free = range(0)
        self._lock = asyncio.Lock()

    async def take(self, count: int) -> range:
        """`count` consecutive unused ids. Raises StorageUnavailable when no block can be reserved."""
        if len(self._free) < count:
            async with self._lock:
                await self._refill(count)
                return self._cut(count)
        return self._cut(count)

    async def _refill(self, count: int) -> None:
        if len(self._free) < count:
            size = max(BLOCK, count)
            first = await self._writer.run(partial(reserve, name=self._name, count=size))
            self._free = range(first, first + size)

    def _cut(self, count: int) -> range:
        taken, self._free = self._free[:count], self._free[count:]
        return taken


def reserve(connection: Connection, name: str, count: int) -> int:
    """Moves a counter on by `count` and returns the first id of the block, counting from 1."""
    after = connection.execute(
        reserve_statement(connection.dialect), {"name": name, "next": 1 + count, "count": count}
    ).scalar_one()
    return after - count


@cache
def reserve_statement(dialect: Dialect) -> ReturningInsert[int]:
    """The upsert behind `reserve`; returns the counter's new value. Made once: it leaves hundreds of cycles behind."""
    statement = conflict_insert(dialect, tables.counters)
    return statement.on_conflict_do_update(
        index_elements=[tables.counters.c.name],
        set_={"next": tables.counters.c.next + bindparam("count", type_=tables.Int)},
    ).returning(tables.counters.c.next)
