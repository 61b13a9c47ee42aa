"""How long a batch takes when the environment is far away: threads wait for it side by side."""

import asyncio
import time
from typing import Any

import pytest

from tests.e2e.server import Server
from tests.skyrl.playing import Game
from tests.skyrl.test_generator import after_talk, scores
from tests.trainer_client.proxy import Proxy

LATENCY_S, ROLLOUTS, WORKERS, CALLS = 0.1, 128, 32, 3
"""Each rollout calls three times: the reset and two turns."""


class Far(Proxy):
    """Answers later."""

    async def _pass_on(self, request: bytes) -> bytes:
        await asyncio.sleep(LATENCY_S)
        return await super()._pass_on(request)


@pytest.mark.slow
def test_waiting_is_shared(server: Server, tokenizer: Any) -> None:
    """128 rollouts, 100 ms away, 32 workers: prints the time beside the ideal, and no rollout is lost."""
    ideal = ROLLOUTS * CALLS * LATENCY_S / WORKERS
    with Far(server.port) as proxy:
        game = Game(
            proxy.url,
            tokenizer,
            after_talk,
            prompts=16,
            samples=8,
            settings={"environment.skyrl_gym.max_env_workers": WORKERS},
        )
        began, busy = time.monotonic(), time.process_time()
        output = game.play()
        took, busy = time.monotonic() - began, time.process_time() - busy
    assert scores(output) == [1.0] * ROLLOUTS
    waited = output["rollout_metrics"]["environment/env_seconds"]
    print(f"\n{took:.2f} s, ideal {ideal:.2f} s, {took / ideal:.2f} x; each waited {waited:.2f} s")
    print(f"{busy:.2f} s of CPU for generator, engine and proxy, which share this process")
