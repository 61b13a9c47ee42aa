"""Requests to Polygon's stand-in of the offline world, at a given time."""

from datetime import datetime
from functools import cache
from typing import Any
from urllib.parse import urlencode

from pydantic_core import from_json

from mcp_servers.kit.upstream.wire import InProcess, Reply, Request
from mcp_servers.polygon.stand_in import stand_in
from mcp_servers.world import NOW, world
from mcp_servers.world.store import MemoryStore, Scope

HOST = "https://api.massive.com"


@cache
def store() -> MemoryStore:
    """The world; nobody writes to it here."""
    return world()


async def reply(path: str, now: datetime = NOW, key: str | None = "any-key", **query: Any) -> Reply:
    """The whole answer to a GET."""
    headers = {"authorization": f"Bearer {key}"} if key is not None else {}
    request = Request("GET", HOST, path, urlencode(query), headers)
    return await InProcess(stand_in(lambda: Scope(store(), now))).send(request)


async def ask(path: str, now: datetime = NOW, **query: Any) -> Any:
    """The JSON of a good answer."""
    answer = await reply(path, now, **query)
    assert answer.status == 200, answer.body
    return from_json(answer.body)


async def refused(path: str, **query: Any) -> tuple[int, Any]:
    """The status and the JSON of an error."""
    answer = await reply(path, **query)
    return answer.status, from_json(answer.body)


async def pages(path: str, **query: Any) -> list[list[Any]]:
    """The rows of all pages, by following their addresses."""
    found, body = [], await ask(path, **query)
    while True:
        found.append(body.get("results", []))
        if "next_url" not in body:
            return found
        rest, _, asked = body["next_url"].removeprefix(HOST).partition("?")
        body = from_json((await _raw(rest, asked)).body)


async def _raw(path: str, query: str) -> Reply:
    request = Request("GET", HOST, path, query, {"authorization": "Bearer any-key"})
    return await InProcess(stand_in(lambda: Scope(store(), NOW))).send(request)
