"""The client that all episodes of a process share, and its settings."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields
from functools import cache
from threading import Lock
from typing import Annotated, Any

from pydantic import Field

from agent_env_schemas import Difficulty
from trainer_client.client import Client
from trainer_client.client.calls import ApiCall, R
from trainer_client.client.connection import PATIENCE_S, TIMEOUT_S

IMPATIENT_S = 5.0
"""Seconds for one attempt of a client that is not patient, and seconds within which its last attempt begins. They are
enough for a stale connection or a server that restarts, and avoid a second long wait for one that is away or hangs."""

TEXT, RENDERED, CHAT = "text", "rendered", "chat"
"""The values of `tools`."""

SHUFFLED, EASY_FIRST = "shuffled", "difficulty"
"""The values of `order`."""

COUNT, MASK = "count", "mask"
"""The values of `outages`."""

Seconds = Annotated[float, Field(ge=0)]

_making = Lock()
"""Held while a client is looked up: with a cache alone every thread of a first batch would make its own."""


@dataclass
class ServerSettings:
    """How a trainer's environments reach the server. Times in seconds."""

    url: str = "http://127.0.0.1:8000"
    key: str | None = field(default=None, repr=False)
    """The trainer's key, if the server wants one."""
    timeout_s: Seconds = TIMEOUT_S
    """The limit of one attempt, which must exceed what the server takes for a turn."""
    patience_s: Seconds = PATIENCE_S
    """The time within which a failed call is sent again: a shorter outage of the server loses nothing."""
    connections: Annotated[int, Field(ge=1)] = 512
    """The most connections; at least as many as there are environment workers."""
    observation_role: str = "tool"
    """The role of tool results: `user` for chat templates without a tool role."""
    max_lost_share: Annotated[float, Field(ge=0, le=1)] = 0.25
    """The share of a batch's rollouts that may be lost before the run stops; small batches are judged together."""
    tools: Annotated[str, Field(pattern="^(text|rendered|chat)$")] = TEXT
    """How the policy is told of its tools: `text` in the system message of the rows; `rendered` by the chat template,
    which is applied here; `chat` by the engine's chat endpoint, which also reads the calls."""
    reset: dict[str, Any] = field(default_factory=dict)
    """Fields of `/reset` for every episode, in place of those of its row, such as `user` and `max_errors`."""
    outages: Annotated[str, Field(pattern="^(count|mask)$")] = COUNT
    """What becomes of an episode in which a tool's server failed: `count` trains on it as on any other; `mask` keeps it
    out of the loss and of its group's baseline, as a lost rollout."""
    difficulty: Difficulty | None = None
    """Train only on rows of this difficulty: a level such as 2, or a range such as '1-3'."""
    order: Annotated[str, Field(pattern="^(shuffled|difficulty)$")] = SHUFFLED
    """The order of the rows of an epoch: `difficulty` puts easy tasks first, and shuffles within a level."""
    health: str = ""
    """Rules on what is logged, with `;` between them, which replace the default rules of their metrics."""
    reference_every: Annotated[int, Field(ge=0)] = 0
    """The number of steps after which the reference of the KL loss moves towards the policy, again and again; 0: it
    stays."""
    reference_decay: Annotated[float, Field(ge=0, lt=1)] = 0.95
    """The part of the reference that stays when it moves; with 0 it becomes the policy."""


def settings_from(config: Any) -> ServerSettings:
    """The settings in `config`: an object or a mapping that has some of the fields."""
    get = config.get if hasattr(config, "get") else lambda name, default: getattr(config, name, default)
    plain = ServerSettings()
    return ServerSettings(**{f.name: get(f.name, getattr(plain, f.name)) for f in fields(ServerSettings)})


def client(settings: ServerSettings, *, patient: bool = True) -> Client:
    """The process's client for a server. One that is not `patient` is for a call that follows a failed call."""
    most = math.inf if patient else IMPATIENT_S
    timeout, patience = min(settings.timeout_s, most), min(settings.patience_s, most)
    with _making:
        return _client(settings.url, settings.key, timeout, patience, settings.connections)


class GivenUp(RuntimeError):
    """The caller left before the call succeeded."""


@contextmanager
def while_wanted(wanted: Callable[[], bool]) -> Iterator[None]:
    """Send (and retry) calls of this thread by the shared client only while they are `wanted`."""
    token = _wanted.set(wanted)
    try:
        yield
    finally:
        _wanted.reset(token)


_wanted: ContextVar[Callable[[], bool]] = ContextVar("wanted", default=lambda: True)


class _Pooled(Client):
    def _once(self, call: ApiCall[R]) -> R:
        if not _wanted.get()():
            raise GivenUp("it was given up")
        return super()._once(call)


@cache
def _client(url: str, key: str | None, timeout_s: float, patience_s: float, connections: int) -> Client:
    return _Pooled(
        url, key, timeout=timeout_s, patience_s=patience_s, connect_patience_s=patience_s, connections=connections
    )
