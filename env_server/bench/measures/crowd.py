"""Episodes whose users are models, all begun at once, beside a steady load of other episodes' steps."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import orjson

from agent_env_schemas import UserStrategy
from env_server.bench import BenchError
from env_server.bench.load.http import Connection
from env_server.bench.plans import SPLIT, Turn

OTHERS = 10
"""Number of episodes of the steady load, each with its own connection."""

TASKS = 16
"""Number of tasks that are played. Another measurement covers the cost of a task's first reset and score."""


@dataclass(slots=True)
class Trickle:
    """Steps at a steady rate in episodes without models. `took` has the milliseconds of each step."""

    domain: str
    port: int
    look_up: Turn
    per_s: float
    took: list[float] = field(default_factory=list)
    _going: bool = True

    async def run(self) -> None:
        """Send steps until `stop` is called."""
        await asyncio.gather(*(self._session(i) for i in range(OTHERS)))

    def stop(self) -> None:
        """Let each session finish its step and end."""
        self._going = False

    async def _session(self, i: int) -> None:
        connection = await Connection.open(self.port)
        begun = await post(connection, "/reset", reset(self.domain, i, max_turns=1000, max_calls=10_000))
        action, due = orjson.loads(self.look_up.action), perf_counter() + i / self.per_s
        while self._going:
            await asyncio.sleep(max(0.0, due - perf_counter()))
            sent = perf_counter()
            reply = await post(connection, "/step", {"episode_id": begun["episode_id"], "action": action})
            self.took.append(1000 * (perf_counter() - sent))
            while due < perf_counter():  # missed steps are skipped, so that sessions stay spread
                due += OTHERS / self.per_s
            if reply["done"]:
                raise BenchError(f"an episode without a model ended: {reply['stop_reason']}")
        connection.close()


@dataclass(frozen=True, slots=True)
class Crowd:
    """`players` episodes of `turns` turns. The user ends the last turn."""

    domain: str
    port: int
    players: int
    turns: int

    async def play(self) -> None:
        """Play all of them, begun at the same moment.

        Raises:
            BenchError: if a reply is wrong.
        """
        connections = [await Connection.open(self.port) for _ in range(self.players)]
        await asyncio.gather(*(self._play(i, connection) for i, connection in enumerate(connections)))
        for connection in connections:
            connection.close()

    async def _play(self, i: int, connection: Connection) -> None:
        user = {"strategy": UserStrategy.LLM.value}
        begun = await post(connection, "/reset", reset(self.domain, i % TASKS, user=user))
        for turn in range(1, self.turns + 1):
            body = {"episode_id": begun["episode_id"], "turn": turn, "action": "How can I help you?"}
            reply = await post(connection, "/step", body)
            if reply["turn"] != turn or reply["done"] != (turn == self.turns):
                raise BenchError(f"turn {turn} was answered by {reply}")


async def beside(trickle: Trickle, work: Callable[[], Awaitable[None]]) -> None:
    """Do `work` while the trickle runs. An error of either is raised.

    Raises:
        BenchError: if a reply is wrong.
    """
    running = asyncio.create_task(trickle.run())
    try:
        await work()
    finally:
        trickle.stop()
        await running


def reset(domain: str, index: int, **others: Any) -> dict[str, Any]:
    """Return the reset body for an episode of the train split."""
    return {"domain": domain, "split": SPLIT, "index": index, **others}


async def post(connection: Connection, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Send one request and return its reply.

    Raises:
        BenchError: if the status is not 200.
    """
    status, answer = await connection.post(path.encode(), orjson.dumps(body))
    if status != 200:
        raise BenchError(f"{path} answered {status}: {answer[:500].decode()}")
    reply: dict[str, Any] = orjson.loads(answer)
    return reply
