"""The simulation itself: some seeds find nothing, a seed does the same again, and planted bugs are found."""

import asyncio
import random
import time

import pytest

from tests.faults.simulation.loop import OWNER, Owner, SimulatedLoop
from tests.faults.simulation.planted import PLANTED
from tests.faults.simulation.run import simulate

QUICKLY_FOUND = ["acknowledged before the commit", "retries are played again"]


@pytest.mark.parametrize("seed", range(6))
def test_a_seed_finds_nothing(seed: int) -> None:
    """No acknowledged turn is lost, changed or played twice, and nothing is sent twice, whatever fails."""
    assert simulate(seed).violation is None


def test_a_seed_does_the_same_again() -> None:
    """Its trace is the same line by line, and as many callbacks run. The clocks are real again afterwards."""
    before = time.time()
    first, _, again = simulate(2), simulate(3), simulate(2)
    assert first == again
    assert first.kills
    assert len(first.lines) > 20
    assert before <= time.time() < before + 3600


@pytest.mark.parametrize("name", QUICKLY_FOUND)
def test_a_planted_bug_is_found(name: str) -> None:
    """Some seed of the first ten finds it. tests/faults/test_seeds.py looks for the one that is harder to find."""
    with PLANTED[name]():
        found = next(filter(None, (simulate(seed).violation for seed in range(10))), None)
    assert found is not None
    assert simulate(0).violation is None


def test_what_a_dead_process_has_scheduled_never_runs() -> None:
    """Neither its callbacks nor its timers do. Time passes at once, and a paused process goes on later."""
    loop = SimulatedLoop(random.Random(0))  # type: ignore[abstract]  # files and sockets are not simulated
    ran: list[tuple[str, float]] = []

    async def tick(name: str) -> None:
        await asyncio.sleep(10)
        ran.append((name, round(loop.now)))

    async def start(owner: Owner) -> None:
        OWNER.set(owner)
        owner.tasks.append(loop.create_task(tick(owner.name)))

    async def life() -> None:
        dead, paused, fine = (Owner(name) for name in ("dead", "paused", "fine"))
        for owner in (dead, paused, fine):
            await loop.create_task(start(owner))
        await asyncio.sleep(5)
        loop.kill(dead)
        paused.paused_until = 100.0
        await asyncio.sleep(200)
        dead.tasks[0]._log_destroy_pending = False  # type: ignore[attr-defined]

    began = time.monotonic()
    done = loop.create_task(life())
    loop.run_until(done, 1_000)
    assert ran == [("fine", 10), ("paused", 100)]
    assert time.monotonic() - began < loop.now, "virtual time passes more slowly than real time"
