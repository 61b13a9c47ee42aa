"""A run of the simulation: one seed decides everything that happens in it."""

import asyncio
import logging
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import structlog

from env_server import app, assembly
from env_server.reading.sentences import patterns
from env_server.records import store
from env_server.records.engine import make_engine
from env_server.records.write import group_commit
from tests.faults.play.clients import Client, Ledger
from tests.faults.play.records import Violation
from tests.faults.simulation.audit import audit
from tests.faults.simulation.clocks import simulated
from tests.faults.simulation.faults import Weather
from tests.faults.simulation.loop import WORLD, SimulatedLoop, Stuck, bury
from tests.faults.simulation.outside import OUTSIDE, SOURCES
from tests.faults.simulation.world import World

MOST_CALLBACKS = 400_000
LONGEST_S = 3_000.0
"""The virtual time, in seconds, within which all clients must have been answered."""


@dataclass(frozen=True)
class Outcome:
    """What came of a run. Numbers are those of the whole run."""

    seed: int
    violation: str | None
    """What must never happen and has happened; None if nothing has."""

    lines: list[str]
    """The trace."""

    kills: int
    commits: int
    acknowledged: int
    sent: int
    """Texts that reached the server outside."""

    callbacks: int


def simulate(seed: int, draw: Callable[[random.Random], Weather] = Weather.of) -> Outcome:
    """Run a seed, and check what must hold after it. `draw` decides what goes wrong."""
    rng = random.Random(seed)
    loop = SimulatedLoop(rng)  # type: ignore[abstract]  # files and sockets are not simulated
    numbers: dict[int, Any] = {}
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="simulation-", dir=memory if memory.is_dir() else None))
    ledger, violation = Ledger(), None
    with _quiet(), simulated(loop, rng, numbers), ExitStack() as patches:
        world = World(loop, rng, folder, draw(rng), numbers)
        watch = world.disk.watch
        patches.enter_context(patch.object(store, "make_engine", lambda *args: watch(make_engine(*args))))
        patches.enter_context(patch.object(assembly, "hosted", lambda *_: SOURCES))
        patches.enter_context(patch.object(group_commit, "IMPATIENT_MS", 0))
        patches.enter_context(patch.object(patterns, "compile_all", lambda: None))
        patches.enter_context(patch.object(app, "_mcp", lambda _settings: nullcontext()))  # no client speaks it
        try:
            done = loop.create_task(_life(world, ledger, seed))
            loop.run_until(done, MOST_CALLBACKS)
            done.result()
        except (Violation, Stuck) as error:
            violation = f"{type(error).__name__}: {error}"
        finally:
            for owner in world.owners():
                loop.kill(owner)
                world.disk.drop(owner)
            bury(loop, [*world.owners(), WORLD])
    shutil.rmtree(folder, ignore_errors=True)
    return Outcome(
        seed,
        violation,
        world.lines,
        world.kills,
        world.commits,
        len(ledger.acknowledged),
        OUTSIDE.sent.total(),
        loop.ran,
    )


async def _life(world: World, ledger: Ledger, seed: int) -> None:
    clients = world.rng.randint(1, 4)
    keeping = asyncio.create_task(world.keep(world.rng.choice([1, 2, 2, 3])))
    suffering = asyncio.create_task(world.suffer())
    await world.ready()
    playing = [Client(f"c{i}", world, ledger, random.Random(f"{seed}/{i}")) for i in range(clients)]
    try:
        async with asyncio.timeout(LONGEST_S):
            await asyncio.gather(*(client.play() for client in playing))
    except TimeoutError:
        raise Violation("a client waits for ever") from None
    world.trace("CALM")
    world.calm_down()
    keeping.cancel()
    suffering.cancel()
    await audit(world, ledger)


@contextmanager
def _quiet() -> Iterator[None]:
    """Log nothing."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)
        structlog.configure(**before)
