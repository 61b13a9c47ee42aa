"""One pool of connections for all episodes of a process."""

from dataclasses import dataclass, fields
from functools import cache
from threading import Lock
from typing import Any

from trainer_client.client import Client
from trainer_client.connection import PATIENCE_S, TIMEOUT_S

IMPATIENT_S = 5.0
"""Seconds: enough where a connection has gone stale or a server restarts, and no second wait for an outage."""

_making = Lock()
"""Held while a client is looked for: a cache alone lets every thread of a first batch make one of its own."""


@dataclass
class ServerSettings:
    """How a trainer's environments reach the server. Times in seconds."""

    url: str = "http://127.0.0.1:8000"
    key: str | None = None
    """The trainer's key, if the server wants one."""
    timeout_s: float = TIMEOUT_S
    """To wait for one answer; more than the server takes for a turn."""
    patience_s: float = PATIENCE_S
    """Within which a failed call is sent again: an outage or a restart of the server that is shorter loses nothing."""
    connections: int = 512
    """At least as many as there are environment workers."""
    observation_role: str = "tool"
    """The role of tool results: `user` for chat templates without a tool role."""
    max_lost_share: float = 0.25
    """The share of a batch's rollouts that may be lost before the run is stopped; small batches are judged together."""


def settings_from(config: Any) -> ServerSettings:
    """The settings in `config`: an object or a mapping that has some of the fields."""
    get = config.get if hasattr(config, "get") else lambda name, default: getattr(config, name, default)
    return ServerSettings(**{f.name: get(f.name, f.default) for f in fields(ServerSettings)})


def client(settings: ServerSettings, *, patient: bool = True) -> Client:
    """The process's client for a server; an impatient one is for a call after one that failed, and may fail too."""
    patience = settings.patience_s if patient else min(settings.patience_s, IMPATIENT_S)
    with _making:
        return _client(settings.url, settings.key, settings.timeout_s, patience, settings.connections)


@cache
def _client(url: str, key: str | None, timeout_s: float, patience_s: float, connections: int) -> Client:
    return Client(url, key, timeout_s=timeout_s, patience_s=patience_s, connections=connections)
