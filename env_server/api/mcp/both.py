"""The two MCP endpoints of a server: the trainer's catalogue, and each episode's tools."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from env_server.api.mcp.catalogue import catalogue_server
from env_server.api.mcp.endpoint import McpEndpoint, anybody, episode_of_request, existing_episode
from env_server.api.mcp.episode import episode_server


@dataclass(frozen=True, slots=True)
class Both:
    """The endpoints, which answer while `both` is open."""

    catalogue: McpEndpoint
    episode: McpEndpoint


@asynccontextmanager
async def both(respond_wait_s: float, *, streams: bool) -> AsyncIterator[Both]:
    """The endpoints, with what each needs running. `respond` waits `respond_wait_s` for a user's answer.

    With `streams` answers may be event streams.
    """
    playing = McpEndpoint(episode_server(episode_of_request, respond_wait_s), existing_episode, streams=streams)
    catalogue = McpEndpoint(catalogue_server(), anybody, streams=streams)
    async with playing.run(), catalogue.run():
        yield Both(catalogue, playing)
