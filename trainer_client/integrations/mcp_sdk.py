"""The official MCP SDK (`mcp` 2)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from trainer_client.integrations.access import CALL_S, access
from trainer_client.progress import Progress

PROTOCOL = "2026-07-28"
"""Pinned: the episode speaks it, and no round trip is spent on finding out."""


@asynccontextmanager
async def mcp_client(episode: Progress) -> AsyncIterator[Client]:
    """A connected client of the episode.

    A broken connection ends it; open another then, and send a call that may have been lost with the same
    `meta=call_meta()` (`trainer_client.integrations.access`) as before.
    """
    url, headers = access(episode)
    timeout = httpx2.Timeout(CALL_S, connect=10.0)
    async with (
        httpx2.AsyncClient(headers=headers, timeout=timeout) as http,
        Client(streamable_http_client(url, http_client=http), mode=PROTOCOL, cache=None) as client,
    ):
        yield client
