"""A thousand episodes over MCP leave nothing behind in the process."""

import asyncio
import gc
import time
from pathlib import Path

import pytest

from tests.api.mcp.table import ERAS, KEY, Table
from tests.e2e.server import PATIENCE_S, Server

EPISODES = 1_000
AT_ONCE = 8
LARGEST_GROWTH = 5 * 1024 * 1024
"""Bytes by which the second half may grow the process."""


async def play(table: Table, number: int) -> None:
    """An episode by the official client: looked at, begun, and every other one abandoned in the middle of a call."""
    episode = await asyncio.to_thread(table.begin, max_turns=3, index=number % 100)
    async with table.client(episode, ERAS[number // 2 % 2]) as client:
        await client.list_tools()
        await client.call_tool("list_all_product_types", {})
        if number % 2:
            lost = asyncio.create_task(client.call_tool("respond", {"message": "Hello!"}))
            await asyncio.sleep(0)
            lost.cancel()
            return
        await client.call_tool("respond", {"message": "What can I do for you?"})
        last = await client.call_tool("think", {"thought": "hm"})
        assert (last.meta or {})["agent-env-server/done"] is True


async def play_all(table: Table, numbers: range) -> None:
    """Play several at a time."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> None:
        async with gate:
            await play(table, number)

    await asyncio.gather(*map(one, numbers))
    gc.collect()


def fill_page_cache(table: Table) -> None:
    """Write more than the database keeps of its pages in memory, so that what grows after that is something else."""
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
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))
    return resident * 1024, len(list(Path(f"/proc/{process.pid}/fd").iterdir()))


@pytest.mark.slow
async def test_a_thousand_episodes_leave_nothing_behind(tmp_path: Path) -> None:
    """Half played, half abandoned: the second five hundred cost less than 5 MB, and handles are as they were."""
    server = Server(tmp_path / "episodes.db", {"API_KEYS": f"trainer:{KEY}", "EVICT_AFTER_S": "1"}).start()
    try:
        table = Table([server])
        fill_page_cache(table)
        await play_all(table, range(20))
        _, handles = settled(table)
        await play_all(table, range(20, EPISODES // 2))
        half, _ = settled(table)
        await play_all(table, range(EPISODES // 2, EPISODES))
        whole, handles_after = settled(table)
    finally:
        server.kill()
    assert whole - half < LARGEST_GROWTH
    assert handles_after <= handles
