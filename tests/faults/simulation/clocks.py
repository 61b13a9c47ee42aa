"""Clocks and random names that depend on the seed alone, in all modules of the server."""

import os
import random
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from env_server.episodes.turn import claim, claim_owner
from env_server.lru import Recent
from tests.faults.simulation.loop import OWNER, Owner, SimulatedLoop

BEGAN = 1_800_000_000.0
"""The wall clock at the virtual time 0."""

OURS = ("env_server.", "agent_env_schemas", "mcp_servers.")
LATER = (
    "env_server.api.mcp.endpoints",
    "env_server.assembly",
    "env_server.episodes.expiry",
    "env_server.rewards.components",
    "env_server.tools.parse.formats",
    "env_server.users.strategies",
)
"""The modules that a server imports after it is ready. Their clocks have to be there before they can be replaced."""


@dataclass
class _Now:
    """The run that is in progress."""

    loop: SimulatedLoop | None = None
    rng: random.Random = field(default_factory=random.Random)


_now = _Now()
_time, _monotonic, _perf_counter, _sleep = time.time, time.monotonic, time.perf_counter, time.sleep


def _wall() -> float:
    return _time() if _now.loop is None else BEGAN + _now.loop.now + OWNER.get().clock_ahead_s


def _steady() -> float:
    return _monotonic() if _now.loop is None else _now.loop.now


def _pass(seconds: float) -> None:
    if _now.loop is None:
        _sleep(seconds)
    else:
        _now.loop.now += seconds


def _token_bytes(size: int = 32) -> bytes:
    return _now.rng.randbytes(size)


def _token_hex(size: int = 32) -> str:
    return _now.rng.randbytes(size).hex()


_CLOCKS: dict[Callable[..., Any], Callable[..., Any]] = {
    _time: _wall,
    _monotonic: _steady,
    _perf_counter: _steady,
    _sleep: _pass,
}


@contextmanager
def simulated(loop: SimulatedLoop, rng: random.Random, numbers: dict[int, Owner]) -> Iterator[None]:
    """Give the server's modules the clocks of `loop`, and names from `rng`. `numbers` are the ids of processes."""
    for name in LATER:
        import_module(name)
    patches: list[Any] = [patch.object(time, real.__name__, clock) for real, clock in _CLOCKS.items()]
    names = {"token_bytes": _token_bytes, "token_hex": _token_hex, "token_urlsafe": _token_hex}
    patches += [patch.object(secrets, name, make) for name, make in names.items()]
    patches.append(patch.object(claim_owner, "os", _processes(numbers)))
    patches.append(patch.object(claim, "SEEN", Recent[tuple[str, float], float](10_000)))
    for name, module in list(sys.modules.items()):
        if name.startswith(OURS):
            taken = [(key, clock) for key, value in vars(module).items() if (clock := _clock_for(value)) is not None]
            patches += [patch.object(module, key, clock) for key, clock in taken]
    claim_owner._name.cache_clear()
    _now.loop, _now.rng = loop, rng
    for each in patches:
        each.start()
    try:
        yield
    finally:
        for each in reversed(patches):
            each.stop()
        _now.loop = None
        claim_owner._name.cache_clear()


def _clock_for(value: Any) -> Callable[..., Any] | None:
    return next((clock for real, clock in _CLOCKS.items() if value is real), None)


def _processes(numbers: dict[int, Owner]) -> Any:
    """Return what `claim_owner` needs of `os`: numbers of processes, and whether they live."""

    def getpid() -> int:
        return next((number for number, owner in numbers.items() if owner is OWNER.get()), 1)

    def kill(pid: int, _signal: int) -> None:
        other, own = numbers.get(pid), OWNER.get()
        if other is None or other.machine != own.machine:
            raise PermissionError(pid)  # of another machine nothing is known
        if other.dead:
            raise ProcessLookupError(pid)

    return SimpleNamespace(getpid=getpid, kill=kill, name=os.name)
