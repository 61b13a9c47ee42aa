"""Plays episodes from a trainer: a thin client with a sync and an async face, and nothing of the server in it."""

from trainer_client.async_episode import AsyncEpisode
from trainer_client.client import AsyncClient, Client
from trainer_client.episode import Episode
from trainer_client.errors import ServerError

__all__ = ["AsyncClient", "AsyncEpisode", "Client", "Episode", "ServerError"]
