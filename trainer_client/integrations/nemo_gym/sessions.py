"""The sessions of a resources server, kept in memory while it runs."""

import asyncio
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from trainer_client.client.errors import is_outage
from trainer_client.client.retry import Retrier


@dataclass
class Link:
    """The connection of one request to the server."""

    retrier: Retrier
    failure: Exception | None = None


@dataclass
class Sessions:
    """The sessions of a process, by the ids of their episodes."""

    _broken: set[str] = field(default_factory=set)
    _locks: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    def lock(self, episode: str) -> asyncio.Lock:
        """Return the lock under which a session's calls are made, one after another."""
        return self._locks.setdefault(episode, asyncio.Lock())

    def failed(self, episode: str, error: Exception | None) -> None:
        """Remember that a call of a session failed, if the environment was the reason: its reward means nothing."""
        if is_outage(error):
            self._broken.add(episode)

    def is_broken(self, episode: str) -> bool:
        """Return whether a call of a session has failed."""
        return episode in self._broken
