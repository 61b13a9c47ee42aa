"""The client of the server, for threads and for asyncio: its requests, its retries, and a handle on each episode."""

from trainer_client.client.async_client import AsyncClient, AsyncEpisode
from trainer_client.client.errors import AgentEnvError, ServerError, Unreachable
from trainer_client.client.sync_client import Client, Episode

__all__ = ["AgentEnvError", "AsyncClient", "AsyncEpisode", "Client", "Episode", "ServerError", "Unreachable"]
