"""Ledger runs: real server processes that are killed at commits while clients play, and a comparison of everything."""

import asyncio
import random
import signal
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count, cycle
from pathlib import Path
from typing import Self

import httpx2
from sqlalchemy import func, select

from agent_env_schemas import StepRequest
from env_server.records import Store, tables
from env_server.records.engine import make_engine
from tests.e2e.databases import address_of
from tests.e2e.server import Server
from tests.faults.play.clients import Acknowledged, Client, Ledger, Pace, Reply
from tests.faults.play.desk import Outside, sources
from tests.faults.play.records import compare, hold
from tests.postgres.immediate import interrupt

PACE = Pace(start_s=0.0, retry_s=0.2, idle_s=(0.2,), close_s=1.0, keyed=0.0)
SLOW_S = 0.01
"""The longest time, in seconds, of the way to the server outside, and of the way back."""


@dataclass(frozen=True)
class Plan:
    """The size of a run. `data` is the folder of PostgreSQL's data, where the database is PostgreSQL."""

    clients: int
    """More of them play until all kills have happened."""

    replicas: int
    kills: int
    restarts: int = 0
    seed: int = 0
    at_once: int = 24
    commits: int = 60
    """A process is killed after this many transactions, more or less."""

    data: Path | None = None


@dataclass
class Result:
    """What came of a run."""

    kills: int
    restarts: int
    episodes: int
    turns: int
    acknowledged: int
    broken: int
    sent: int
    seconds: float

    def __str__(self) -> str:
        """Return one line."""
        return (
            f"{self.episodes:,} episodes, {self.turns:,} stored parts of turns, {self.acknowledged:,} requests"
            f" acknowledged, {self.broken:,} without an answer, {self.kills} SIGKILLs at commits, {self.restarts}"
            f" restarts of the database, {self.sent:,} texts sent outside, in {self.seconds:.0f} s"
        )


class Replica(Server):
    """A server process that is killed at a commit."""

    outside: int = 0
    kill_at: str = ""

    @cached_property
    def _own(self) -> dict[str, str]:
        """The environment without the kill. It is made once, while the database answers."""
        return super().environment

    @property
    def environment(self) -> dict[str, str]:
        """The process's environment, with the moment of its kill."""
        return self._own | {"LEDGER_OUTSIDE": str(self.outside), "LEDGER_KILL": self.kill_at}


@dataclass
class Post:
    """The server outside. It counts what it is asked to send."""

    rng: random.Random
    sent: Counter[str] = field(default_factory=Counter)
    port: int = 0

    async def __aenter__(self) -> Self:
        """Listen on a free port."""
        self._server = await asyncio.start_server(self._served, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *error: object) -> None:
        """Stop."""
        self._server.close()

    async def _served(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            name, _, text = (await reader.readline()).decode().strip().partition(" ")
            await asyncio.sleep(self.rng.uniform(0, SLOW_S))
            self.sent.update([text] if name == "send" else ())
            await asyncio.sleep(self.rng.uniform(0, SLOW_S))
            writer.write(b"done\n")
            await writer.drain()
        except ConnectionError:
            pass  # who asked has been killed
        finally:
            writer.close()


@dataclass
class Run:
    """The processes and clients of a run."""

    plan: Plan
    folder: Path
    rng: random.Random
    office: Post
    ledger: Ledger = field(default_factory=Ledger)
    kills: int = 0
    restarts: int = 0
    broken: int = 0
    over: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        """Prepare the processes. Nothing is started."""
        file = self.folder / "ledger.db"
        settings = {"EVICT_AFTER_S": "2"}
        self.replicas = [
            Replica(file, settings, app="tests.faults.ledger.application:create_app") for _ in range(self.plan.replicas)
        ]
        for replica in self.replicas:
            replica.outside = self.office.port
        self.url = address_of(file)
        self._turns = cycle(self.replicas)
        self._client = httpx2.AsyncClient(timeout=60.0, limits=httpx2.Limits(max_connections=2 * self.plan.at_once))

    async def play(self) -> None:
        """Play all episodes while processes are killed."""
        numbers = count()

        async def work() -> None:
            while (number := next(numbers)) < self.plan.clients or self.kills < self.plan.kills:
                rng = random.Random(f"{self.plan.seed}/{number}")
                await Client(f"c{number}", self, self.ledger, rng, PACE).play()

        async with asyncio.TaskGroup() as tasks:
            for replica in self.replicas:
                tasks.create_task(self._keep(replica))
            striking = tasks.create_task(self._restart())
            await asyncio.gather(*(work() for _ in range(self.plan.at_once)))
            await striking
            self.over.set()

    async def _keep(self, replica: Replica) -> None:
        """Start a process, and start it again whenever it has ended, until the run is over."""
        while not self.over.is_set():
            lives = self.kills >= self.plan.kills
            commits = max(1, int(self.rng.lognormvariate(0, 0.7) * self.plan.commits))
            replica.kill_at = "" if lives else f"{self.rng.choice(['before', 'after'])} {commits}"
            await asyncio.to_thread(replica.launch)
            while not self.over.is_set() and replica.process is not None and replica.process.poll() is None:
                await asyncio.sleep(0.02)
            died = None if replica.process is None else replica.process.poll()
            self.kills += died == -signal.SIGKILL  # a process that found no database ended by itself
        await asyncio.to_thread(replica.kill)

    async def _restart(self) -> None:
        """Stop PostgreSQL at once and wait until it answers again, several times, evenly over the run."""
        for number in range(self.plan.restarts):
            while len(self.ledger.episodes) < self.plan.clients * (number + 1) // (self.plan.restarts + 1):
                await asyncio.sleep(0.05)
            assert self.plan.data is not None
            await asyncio.to_thread(interrupt, self.plan.data)
            self.restarts += 1

    async def post(self, path: str, body: bytes) -> Reply | None:
        """Send a request to the next process."""
        try:
            headers = {"Content-Type": "application/json"}
            response = await self._client.post(f"{next(self._turns).url}{path}", content=body, headers=headers)
        except httpx2.TransportError:
            self.broken += 1
            return None
        return Reply(response.status_code, response.content)

    async def keyed(self, request: StepRequest, key: str) -> Reply | None:
        """Keys come over MCP, which these clients do not speak."""
        raise NotImplementedError

    def trace(self, line: str) -> None:
        """Write nothing down."""

    async def check(self) -> int:
        """Start processes that are not killed, send every acknowledged request again, close and compare everything.

        Return the number of stored parts of turns.
        """
        for replica in self.replicas:
            replica.kill_at = ""
            await asyncio.to_thread(replica.start)
        told = list(self.ledger.acknowledged)
        await self._all([self._again(one) for one in told])
        closing = Client("end", self, Ledger(), self.rng, PACE)
        await self._all([closing.end(known.episode_id) for known in self.ledger.episodes])
        await self._all([self._again(one) for one in told[:: max(1, len(told) // 1000)]])
        return await asyncio.to_thread(self._compared)

    def _compared(self) -> int:
        store = Store.open(self.url)
        try:
            found = compare(store, sources(Outside()), self.ledger, self.office.sent).findings
        finally:
            asyncio.run(store.close())
        self._counted(found.episodes, found.turns)
        return found.turns

    def _counted(self, episodes: int, turns: int) -> None:
        """Compare the numbers of rows: nothing is stored that belongs to no episode, and nothing is missing."""
        begun = [
            one for one in self.ledger.acknowledged if one.path is not None and one.path.endswith(("/reset", "/fork"))
        ]
        known = sum(len(one.told.get("episodes", [one])) for one in begun)
        expected = {"episodes": known, "turns": turns, "endings": known, "keys": len(begun)}
        with make_engine(self.url).connect() as connection:
            rows = {
                name: connection.execute(select(func.count()).select_from(tables.metadata.tables[name])).scalar_one()
                for name in expected
            }
        hold(rows == expected, "the numbers of rows", rows, expected)
        hold(known == episodes == len(self.ledger.episodes), "the number of episodes", known, episodes)

    async def _again(self, told: Acknowledged) -> None:
        assert told.path is not None
        reply = await self.post(told.path, told.body)
        same = reply is not None and (reply.status, reply.body) == (200, told.answer)
        hold(same, "a retry has another answer", told.path, told.body, told.answer, reply)

    async def _all(self, works: Sequence[object]) -> None:
        """Await all, some at once."""
        left = iter(works)

        async def work() -> None:
            for one in left:
                await one  # type: ignore[misc]

        await asyncio.gather(*(work() for _ in range(self.plan.at_once)))

    async def close(self) -> None:
        """End everything."""
        await self._client.aclose()
        for replica in self.replicas:
            await asyncio.to_thread(replica.kill)


async def perform(plan: Plan, folder: Path) -> Result:
    """Run a plan in a folder, and check everything.

    Raises:
        Violation: if something does not agree.
    """
    began = time.monotonic()
    rng = random.Random(plan.seed)
    async with AsyncExitStack() as stack:
        post = await stack.enter_async_context(Post(rng))
        run = Run(plan, folder, rng, post)
        stack.push_async_callback(run.close)
        await run.play()
        turns = await run.check()
    seconds = time.monotonic() - began
    told, episodes = len(run.ledger.acknowledged), len(run.ledger.episodes)
    return Result(run.kills, run.restarts, episodes, turns, told, run.broken, post.sent.total(), seconds)
