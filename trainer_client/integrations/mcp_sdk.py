"""Episodes for the official MCP SDK (`mcp` 2)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from trainer_client.client.progress import Progress
from trainer_client.integrations.access import access
from trainer_client.integrations.needed import needed
from trainer_client.integrations.transport import http_client

with needed("mcp>=2.3,<3", "mcp"):
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

PROTOCOL = "2026-07-28"
"""The protocol version of the episode; it is pinned to save the round trip of a negotiation."""


@asynccontextmanager
async def mcp_client(episode: Progress) -> AsyncIterator[Client]:
    """Connect a client to the episode.

    A call whose connection breaks is sent again under its key, for the `patience_s` of the trainer's client. After that
    `call_tool` raises `MCPError`; the client stays usable.
    """
    url, headers = access(episode)
    left: Exception | None = None
    try:
        async with (
            http_client(episode, headers) as http,
            Client(streamable_http_client(url, http_client=http), mode=PROTOCOL, cache=None) as client,
        ):
            try:
                yield client
            except Exception as error:
                left = error
                raise
    except ExceptionGroup:
        if left is None:
            raise
        raise left from None  # the error itself, without the groups that the SDK puts around it
