"""One pool of connections for all episodes of a process."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields
from functools import cache
from threading import Lock
from typing import Annotated, Any

from pydantic import Field

from trainer_client.client import Client
from trainer_client.client.calls import Call, R
from trainer_client.client.connection import PATIENCE_S, TIMEOUT_S

IMPATIENT_S = 5.0
"""Seconds, for one attempt and for beginning the last: enough where a connection has gone stale or a server restarts,
and no second wait for one that is away or hangs."""

Seconds = Annotated[float, Field(ge=0)]

_making = Lock()
"""Held while a client is looked for: a cache alone lets every thread of a first batch make one of its own."""


@dataclass
class ServerSettings:
    """How a trainer's environments reach the server. Times in seconds."""

    url: str = "http://127.0.0.1:8000"
    key: str | None = field(default=None, repr=False)
    """The trainer's key, if the server wants one."""
    timeout_s: Seconds = TIMEOUT_S
    """To wait for one answer; more than the server takes for a turn."""
    patience_s: Seconds = PATIENCE_S
    """Within which a failed call is sent again: an outage or a restart of the server that is shorter loses nothing."""
    connections: Annotated[int, Field(ge=1)] = 512
    """At least as many as there are environment workers."""
    observation_role: str = "tool"
    """The role of tool results: `user` for chat templates without a tool role."""
    max_lost_share: Annotated[float, Field(ge=0, le=1)] = 0.25
    """The share of a batch's rollouts that may be lost before the run is stopped; small batches are judged together."""


def settings_from(config: Any) -> ServerSettings:
    """The settings in `config`: an object or a mapping that has some of the fields."""
    get = config.get if hasattr(config, "get") else lambda name, default: getattr(config, name, default)
    return ServerSettings(**{f.name: get(f.name, f.default) for f in fields(ServerSettings)})


def client(settings: ServerSettings, *, patient: bool = True) -> Client:
    """The process's client for a server; an impatient one is for a call after one that failed, and may fail too."""
    most = math.inf if patient else IMPATIENT_S
    timeout, patience = min(settings.timeout_s, most), min(settings.patience_s, most)
    with _making:
        return _client(settings.url, settings.key, timeout, patience, settings.connections)


class GivenUp(RuntimeError):
    """The caller left before the call succeeded."""


@contextmanager
def while_wanted(wanted: Callable[[], bool]) -> Iterator[None]:
    """Calls in here, of this thread and by a client of this pool, are sent (again) only while they are `wanted`."""
    token = _wanted.set(wanted)
    try:
        yield
    finally:
        _wanted.reset(token)


_wanted: ContextVar[Callable[[], bool]] = ContextVar("wanted", default=lambda: True)


class _Pooled(Client):
    def _once(self, call: Call[R]) -> R:
        if not _wanted.get()():
            raise GivenUp("it was given up")
        return super()._once(call)


@cache
def _client(url: str, key: str | None, timeout_s: float, patience_s: float, connections: int) -> Client:
    return _Pooled(url, key, timeout_s=timeout_s, patience_s=patience_s, connections=connections)
