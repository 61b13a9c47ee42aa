"""The client of the server, for threads and for asyncio: its requests, its retries, and a handle on each episode."""

from trainer_client.client.async_client import AsyncClient, AsyncEpisode
from trainer_client.client.errors import ServerError
from trainer_client.client.sync_client import Client, Episode

__all__ = ["AsyncClient", "AsyncEpisode", "Client", "Episode", "ServerError"]
