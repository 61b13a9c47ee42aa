"""Asks FMP's stand-in of the offline world."""

import json
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.parse import urlencode

from mcp_servers.fmp.stand_in import stand_in
from mcp_servers.kit.upstream.http import in_process
from mcp_servers.kit.upstream.wire import Reply, Request
from mcp_servers.world import NOW, read, world
from mcp_servers.world.rows import SPLITS, Split
from mcp_servers.world.store import MemoryStore, Scope

TICKERS = ("ORCA", "MNTQ", "CDRL", "BLTN", "STLQ")
"""Companies of different industries."""


@cache
def store() -> MemoryStore:
    """The world; nobody writes to it here."""
    return world()


def at(text: str) -> datetime:
    """A moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def splits() -> list[Split]:
    """All splits of the world."""
    return list(store().rows(SPLITS))


async def reply(path: str, now: datetime = NOW, key: str | None = "a-key", **query: Any) -> Reply:
    """The stand-in's whole answer to `GET /stable/{path}`. `start` stands for the parameter `from`."""
    query = {"from" if name == "start" else name: value for name, value in query.items()}
    headers = {} if key is None else {"apikey": key}
    wire = in_process(stand_in(lambda: Scope(store(), now)))
    return await wire.send(Request("GET", "http://fmp.test", f"/stable/{path}", urlencode(query), headers))


async def rows(path: str, now: datetime = NOW, **query: Any) -> list[dict[str, Any]]:
    """The rows in the stand-in's answer."""
    found = await reply(path, now, **query)
    assert found.status == 200, found.body
    listed = json.loads(found.body)
    assert isinstance(listed, list)
    return listed


async def row(path: str, now: datetime = NOW, **query: Any) -> dict[str, Any]:
    """The only row in the stand-in's answer."""
    (found,) = await rows(path, now, **query)
    return found


def close(ticker: str, day: str, now: datetime = NOW) -> float:
    """The world's close of a day, in the shares of now."""
    (bar,) = read.bars(store(), ticker, day, day, now)
    return bar["close"]
