"""A thousand episodes over MCP leave no memory and no handles behind in the process; half of them end within a call."""

import asyncio
import gc
import ssl
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.api.mcp.table import ERAS, KEY, Json, Table, bearer
from tests.e2e.server import PATIENCE_S, Server

EPISODES = 1_000
AT_ONCE = 8
WARM = 40
FEW = 4
LOOKS = 6
LARGEST_GROWTH = 5 * 1024 * 1024
"""Bytes by which the second half of the episodes may grow the process."""

ABSENT: Json = {"strategy": "external", "first_message": "Hello!"}
"""A user who never answers, so that a call of `respond` stays under way."""

SETTINGS = {"API_KEYS": f"trainer:{KEY}", "EVICT_AFTER_S": "1", "RESPOND_WAIT_S": "5"}
TLS = ssl.create_default_context()
"""Not used, but without it each client would load the certificates anew."""


async def crowd(server: Server, numbers: range) -> None:
    """Play episodes with the official client, several at a time: every other one to its end, the rest are abandoned."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(trainer: httpx2.AsyncClient, number: int) -> None:
        async with gate:
            await (abandon if number % 2 else play)(trainer, number)

    async with httpx2.AsyncClient(base_url=server.url, headers=bearer(KEY), timeout=PATIENCE_S) as trainer:
        await asyncio.gather(*(one(trainer, number) for number in numbers))
    gc.collect()


async def play(trainer: httpx2.AsyncClient, number: int) -> None:
    """Play an episode to its end."""
    async with seat(trainer, number) as (_, client):
        await client.call_tool("respond", {"message": "What can I do for you?"})
        meta: Any = {"agent-env-server/status": True}
        last = await client.call_tool("think", {"thought": "hm"}, meta=meta)
        assert (last.meta or {})["agent-env-server/done"] is True


async def abandon(trainer: httpx2.AsyncClient, number: int) -> None:
    """Abandon an episode while the server plays a call: the connection is dropped, and no client comes back."""
    async with seat(trainer, number, user=ABSENT) as (episode, client):
        lost = asyncio.create_task(client.call_tool("respond", {"message": "Hello!"}))
        while not (await ask(trainer, "GET", f"/episodes/{episode['episode_id']}"))["awaiting_user"]:
            assert not lost.done()
        lost.cancel()


@asynccontextmanager
async def seat(trainer: httpx2.AsyncClient, number: int, **options: Any) -> AsyncIterator[tuple[Json, Client]]:
    """A new episode, and a client of it with connections of its own that has read the episode and made a call."""
    task = {"domain": "retail", "split": "test", "index": number % 100}
    episode = await ask(trainer, "POST", "/reset", **task, max_turns=3, **options)
    headers, era = bearer(episode["agent_token"]), ERAS[number // 2 % 2]
    async with (
        httpx2.AsyncClient(headers=headers, timeout=PATIENCE_S, verify=TLS) as http,
        Client(streamable_http_client(episode["mcp_url"], http_client=http), mode=era) as client,
    ):
        await client.list_tools()
        await client.call_tool("list_all_product_types", {})
        yield episode, client


async def ask(trainer: httpx2.AsyncClient, method: str, path: str, **body: Any) -> Json:
    """The reply to a trainer's request."""
    reply: Json = (await trainer.request(method, path, json=body or None)).raise_for_status().json()
    return reply


def fill_page_cache(table: Table) -> None:
    """Write more pages than the database keeps in memory, so that later growth has another cause."""
    for _ in range(4):
        table.begin(n=1024, metadata={"padding": "x" * 15_000})


def settled(table: Table) -> tuple[int, int]:
    """Resident bytes and open handles of the server, once it has forgotten its idle episodes."""
    deadline = time.monotonic() + PATIENCE_S
    while table.ask("GET", "/readyz")["live_episodes"]:
        assert time.monotonic() < deadline, "episodes stay in memory"
        time.sleep(0.5)
    process = table.servers[0].process
    assert process is not None
    looks = []
    for _ in range(LOOKS):  # the server closes the connection that asked, and returns memory to the system
        time.sleep(0.5)
        looks.append((resident(process.pid), len(list(Path(f"/proc/{process.pid}/fd").iterdir()))))
    return min(looks)[0], looks[-1][1]


def resident(pid: int) -> int:
    """Resident bytes of a process."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")) * 1024


@pytest.mark.slow
@pytest.mark.parametrize("streams", [False, True], ids=["json", "streams"])
async def test_a_thousand_episodes_leave_nothing_behind(tmp_path: Path, streams: bool) -> None:
    """Half is played, half abandoned: the second 500 episodes add less than 5 MB, and no handle stays open."""
    server = Server(tmp_path / "episodes.db", {**SETTINGS, "MCP_STREAMS": str(streams)}).start()
    try:
        table = Table([server])
        fill_page_cache(table)
        await crowd(server, range(WARM))
        _, handles = settled(table)
        await crowd(server, range(WARM, EPISODES // 2))
        half, _ = settled(table)
        await crowd(server, range(EPISODES // 2, EPISODES))
        whole, handles_after = settled(table)
    finally:
        server.kill()
    assert whole - half < LARGEST_GROWTH
    assert handles_after <= handles + FEW  # a thread may open one meanwhile; a leak would be hundreds
