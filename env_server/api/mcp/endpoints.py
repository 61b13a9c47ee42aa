"""The two MCP endpoints of a server: the trainer's catalogue, and the tools of each episode."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from env_server.api.mcp.calls import playing
from env_server.api.mcp.catalogue import catalogue_server
from env_server.api.mcp.direct import DirectCalls
from env_server.api.mcp.endpoint import McpEndpoint, anybody, episode_of_request, existing_episode
from env_server.api.mcp.episode import episode_server


@dataclass(frozen=True, slots=True)
class Both:
    """The two endpoints. They answer requests while the context manager `both` is open."""

    catalogue: McpEndpoint
    episode: McpEndpoint


@asynccontextmanager
async def both(respond_wait_s: float, *, streams: bool) -> AsyncIterator[Both]:
    """Open both endpoints and run their session managers.

    A call of `respond` waits up to `respond_wait_s` seconds for a user's answer. With `streams`, answers may be event
    streams.
    """
    async with playing(respond_wait_s) as player:
        server = episode_server(episode_of_request, player)
        direct = None if streams or server.middleware else DirectCalls(player, server.server_info_stamp)
        episode = McpEndpoint(server, existing_episode, streams=streams, direct=direct)
        catalogue = McpEndpoint(catalogue_server(), anybody, streams=streams)
        async with episode.run(), catalogue.run():
            yield Both(catalogue, episode)
