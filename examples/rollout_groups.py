"""A rollout loop for a trainer: groups of episodes of one task, and the advantage of each rollout in its group.

    .venv/bin/python examples/rollout_groups.py

`make serve` starts the server. Put your model where `Policy` is.
"""

import asyncio
import json
import statistics
import sys
import time
from random import Random
from typing import Any

from trainer_client import AsyncClient, AsyncEpisode, Unreachable

GROUPS, ROLLOUTS = 3, 6
RUN = f"rollout-groups-{time.time_ns()}"  # a new name for each start of the trainer


class Policy:
    """A stand-in for a model: in seven of ten rollouts it makes the calls of the reference solution."""

    def __init__(self, gold: Any, rng: Random) -> None:
        self.calls = [call.model_dump() for call in gold.actions] if rng.random() < 0.7 else []
        self.outputs = " ".join(gold.outputs)

    def text(self, messages: list[dict[str, Any]]) -> str:
        """Return the next text of the rollout. A model samples it from `messages` with its chat template."""
        said = sum(message["role"] == "assistant" for message in messages)
        if said < len(self.calls):
            call = {"name": self.calls[said]["name"], "arguments": self.calls[said]["arguments"]}
            return f"<tool_call>{json.dumps(call)}</tool_call>"
        return f"All done. {self.outputs} Is there anything else?"


async def rollout(episode: AsyncEpisode, policy: Policy) -> float | None:
    """Play one episode to its end, and return its reward: None if the server does not score it."""
    async with episode:
        while not episode.done:
            await episode.step(policy.text(episode.messages))
    return episode.reward


def advantages(rewards: list[float | None]) -> list[float | None]:
    """Return how far each reward is from the mean of its group, in standard deviations, as GRPO computes it."""
    scored = [reward for reward in rewards if reward is not None]
    if not scored:
        return [None for _ in rewards]
    mean, spread = statistics.fmean(scored), statistics.pstdev(scored)
    return [None if reward is None else (reward - mean) / (spread + 1e-6) for reward in rewards]


async def main() -> None:
    """Play a few groups, and print a line for each."""
    rng = Random(0)
    async with AsyncClient() as client:
        for index in range(GROUPS):
            # The stand-in does not talk, so conduct must not count. Leave `conduct` out for a real model.
            options: dict[str, Any] = {"run": RUN, "split": "train", "index": index, "conduct": "report"}
            group = await client.reset_group("retail", ROLLOUTS, **options)  # one task, one commit
            task_id = group[0].reply.info.task_id
            gold = (await client.task("retail", task_id, gold=True)).gold  # for the stand-in only
            rewards = await asyncio.gather(*(rollout(episode, Policy(gold, rng)) for episode in group))
            shown = ["  none" if a is None else f"{a:+.2f}" for a in advantages(rewards)]
            print(f"{task_id}: rewards {rewards}, advantages {' '.join(shown)}")
    print(f"The server keeps the records: GET /episodes?run={RUN}")


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except Unreachable as error:
        sys.exit(f"{error}. Start a server: make serve")
