"""How long a batch takes when the environment is far away: threads wait for it side by side."""

import asyncio
import os
import time
from typing import Any

import pytest

from tests.e2e.server import Server
from tests.skyrl.playing import Game, after_talk, scores
from tests.skyrl.standin.apart import apart, engine, far
from tests.trainer_client.proxy import Proxy

LATENCY_S, PROMPTS, SAMPLES, WORKERS, CALLS = 0.1, 16, 8, 32, 3
"""Each rollout calls three times: the reset and two turns."""

ROLLOUTS = PROMPTS * SAMPLES
IDEAL_WAVES = ROLLOUTS * CALLS // WORKERS


class Gate(Proxy):
    """Holds calls back until as many wait as there are workers, or no other comes; `waves` has how many it let in."""

    def __init__(self, port: int, quiet_s: float = 0.5) -> None:
        super().__init__(port)
        self.quiet_s = quiet_s
        self.waves: list[int] = []
        self._waiting = 0
        self._next = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None

    async def _pass_on(self, request: bytes) -> bytes:
        opened = self._next
        self._waiting += 1
        if self._timer is not None:
            self._timer.cancel()
        if self._waiting == WORKERS:
            self._open_up()
        else:
            self._timer = self._loop.call_later(self.quiet_s, self._open_up)
        await opened.wait()
        return await super()._pass_on(request)

    def _open_up(self) -> None:
        self._next.set()
        self.waves.append(self._waiting)
        self._waiting, self._next, self._timer = 0, asyncio.Event(), None


def game(url: str, tokenizer: Any) -> Game:
    """A batch of 128 rollouts with 32 workers."""
    settings = {"environment.skyrl_gym.max_env_workers": WORKERS}
    return Game(url, tokenizer, after_talk, prompts=PROMPTS, samples=SAMPLES, settings=settings)


def test_calls_wait_side_by_side(server: Server, tokenizer: Any) -> None:
    """128 rollouts with 32 workers wait for the environment at most twice as often as if all always waited together.

    The test counts waves of calls in place of time, so its result does not depend on the machine.
    """
    with Gate(server.port) as gate:
        output = game(gate.url, tokenizer).play()
    assert scores(output) == [1.0] * ROLLOUTS
    assert (sum(gate.waves), max(gate.waves)) == (ROLLOUTS * CALLS, WORKERS)
    print(f"\n{len(gate.waves)} waves, ideal {IDEAL_WAVES}: {gate.waves}")
    assert len(gate.waves) <= 2 * IDEAL_WAVES


@pytest.mark.slow
def test_what_it_takes(server: Server, model: Any, tokenizer: Any) -> None:
    """The benchmark: prints the time of three batches, each call 100 ms away, beside the ideal; no rollout is lost."""
    ideal = IDEAL_WAVES * LATENCY_S
    with apart(far, server.port, LATENCY_S) as url, apart(engine, str(model)) as engine_url:
        for batch in range(1, 4):
            began, busy = time.monotonic(), time.process_time()
            output = game(url, tokenizer).play_with(engine_url)
            took, busy = time.monotonic() - began, time.process_time() - busy
            assert scores(output) == [1.0] * ROLLOUTS
            assert output["rollout_metrics"]["environment/conversation_length"] == CALLS - 1
            print(f"\nbatch {batch}: {took:.2f} s, ideal {ideal:.2f} s, {took / ideal:.2f} x;", end=" ")
            print(f"generator and client took {busy:.2f} s of CPU; load {os.getloadavg()[0]:.1f}")
