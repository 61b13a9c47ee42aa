"""The world around the processes of a run: the network, the supervisor that starts them again, and what goes wrong."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent_env_schemas import StepRequest
from env_server.settings import Settings
from tests.faults.play.clients import Reply
from tests.faults.simulation.disk import Disk
from tests.faults.simulation.faults import Weather
from tests.faults.simulation.loop import Killed, Owner, SimulatedLoop
from tests.faults.simulation.outside import OUTSIDE
from tests.faults.simulation.process import Process

TIMEOUT_S = 12.0
"""Seconds after which a client gives up waiting for an answer."""

STEP_TIMEOUT_S = 6.0
EXPIRE_AFTER_S = 60.0


@dataclass
class World:
    """The processes on one database, and everything that happens to them."""

    loop: SimulatedLoop
    rng: random.Random
    folder: Path
    weather: Weather
    numbers: dict[int, Owner] = field(default_factory=dict)
    """Every process that ever ran, by its number."""

    living: list[Process] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    """What happened, in order."""

    kills: int = 0
    commits: int = 0
    calm: bool = False
    """Whether nothing goes wrong any more."""

    def __post_init__(self) -> None:
        """Prepare the disk."""
        self.disk = Disk(str(self.folder / "episodes.db"))
        self.disk.at_commit = self._at_commit
        self.loop.before = self._before
        self.settings = Settings(
            _env_file=None,
            database_url=f"sqlite:///{self.disk.path}",
            sqlite_synchronous=self.rng.choice(["NORMAL", "FULL"]),
            preload=False,
            step_timeout_s=STEP_TIMEOUT_S,
            tool_timeout_s=3600,
            expire_after_s=EXPIRE_AFTER_S,
            evict_after_s=self.rng.choice([2.0, 30.0]),
            reset_wait_s=5.0,
            token_lifetime_s=1e7,  # a repeated reset has the same token for half of it, whatever a clock does
        )
        OUTSIDE.sent.clear()
        OUTSIDE.rng, OUTSIDE.trace = random.Random(self.rng.random()), self.trace

    def trace(self, line: str) -> None:
        """Add a line to the trace."""
        self.lines.append(f"{self.loop.now:10.5f} {line}")

    async def keep(self, places: int) -> None:
        """Keep this many processes running, until cancelled."""
        same = self.rng.random() < 0.5
        await asyncio.gather(*(self._keep_one(0 if same else place) for place in range(places)))

    async def _keep_one(self, machine: int) -> None:
        while True:
            process = self.begin(machine)
            while not process.ended:
                await asyncio.sleep(0.05)
            self.living.remove(process)
            self._gone(process)
            self.trace(f"END {process.name} {process.said.strip().rpartition(chr(10))[2]}")
            await asyncio.sleep(self.rng.uniform(0.05, 3.0))

    def begin(self, machine: int = 0) -> Process:
        """Start a process."""
        number = 1000 + len(self.numbers)
        ahead = 0.0 if self.calm else self.rng.choice([0.0, 0.0, 0.5, -0.5, 7.0, -7.0, 3600.0])
        process = Process(f"p{number}", machine=machine, clock_ahead_s=ahead)
        self.numbers[number] = process
        self.living.append(process)
        self.trace(f"START {process.name}, its clock is {ahead:+g} s ahead")
        process.start(self.settings)
        return process

    def kill(self, process: Process, why: str) -> None:
        """Kill a process as SIGKILL does."""
        self.kills += 1
        self.trace(f"KILL {process.name} {why}")
        self._gone(process)

    def _gone(self, process: Process) -> None:
        """Drop what the system drops when a process has ended."""
        self.loop.kill(process)
        self.disk.drop(process)
        for answer in process.waiting:
            if not answer.done():
                answer.cancel()

    async def ready(self) -> None:
        """Wait until a process takes requests."""
        while not any(p.ready_for_requests and not p.ended for p in self.living):
            await asyncio.sleep(0.05)

    async def post(self, path: str, body: bytes) -> Reply | None:
        """Send a request to a process. Return the answer; None if none came."""
        return await self._sent(lambda process, half: process.handle(path, body, cut_off=half))

    async def keyed(self, request: StepRequest, key: str) -> Reply | None:
        """Send a message with a key in the place of a turn's number."""
        return await self._sent(lambda process, _half: process.keyed(request, key))

    async def _sent(self, give: Callable[[Process, bool], "asyncio.Future[Reply]"]) -> Reply | None:
        weather, chance = self.weather, self.rng.random
        if not self.calm and chance() < weather.duplicate:  # arrives again, perhaps later, perhaps elsewhere
            copy = asyncio.get_running_loop().create_task(self._arrived(give, self.rng.uniform(0, 5.0)))
            copy.add_done_callback(lambda done: done.cancelled() or done.exception())
        if not self.calm and chance() < weather.lost_request:
            await asyncio.sleep(self.rng.choice([0.01, TIMEOUT_S]))
            return None
        try:
            async with asyncio.timeout(TIMEOUT_S):
                reply = await self._arrived(give, 0.0)
                await asyncio.sleep(self.rng.uniform(0, weather.slow_s))
        except TimeoutError:
            return None
        return None if not self.calm and chance() < weather.lost_answer else reply

    async def _arrived(self, give: Callable[[Process, bool], "asyncio.Future[Reply]"], late_s: float) -> Reply | None:
        await asyncio.sleep(late_s + self.rng.uniform(0, self.weather.slow_s))
        able = [process for process in self.living if process.ready_for_requests and not process.ended]
        if not able:
            return None
        half = not self.calm and self.rng.random() < self.weather.cut_off
        process = self.rng.choice(able)
        answer = give(process, half)
        try:
            return await asyncio.shield(answer)
        except asyncio.CancelledError:
            if not answer.cancelled():
                raise
            if self.rng.random() < 0.3:  # the other side is gone, and nothing says so
                await asyncio.sleep(2 * TIMEOUT_S)
            return None

    async def suffer(self) -> None:
        """Let what the weather has planned happen, each thing at its time."""
        for when, kind in self.weather.events:
            await asyncio.sleep(max(0.0, when - self.loop.now))
            await self._happen(kind)

    async def _happen(self, kind: str) -> None:
        for_s = self.rng.uniform(0.1, 8.0)
        able = [process for process in self.living if not process.ended]
        self.trace(f"{kind.upper()} for {for_s:.2f} s")
        if kind == "full":
            self.disk.fill(full=True)
            await asyncio.sleep(for_s)
            self.disk.fill(full=False)
        elif kind == "locked":
            self.disk.lock()
            await asyncio.sleep(for_s)
            self.disk.unlock()
        elif able:
            process = self.rng.choice(able)
            if kind == "clock":
                process.clock_ahead_s += self.rng.choice([-3600, -5, 5, 300_000])
            elif kind == "stop":
                await process.stop()
            else:  # the machine gives it no time, in the middle of anything
                process.paused_until = self.loop.now + (for_s if kind == "pause" else 10 + 5 * for_s)

    def calm_down(self) -> None:
        """Let nothing go wrong any more."""
        self.calm = True
        self.weather.kills_at_commits.clear()
        self.weather.kills_at_callbacks.clear()
        self.weather.pauses_at_commits.clear()
        self.weather.slow_commit = 0.0
        self.disk.unlock()
        self.disk.fill(full=False)

    def _before(self, owner: Owner) -> None:
        if self.loop.ran in self.weather.kills_at_callbacks and isinstance(owner, Process):
            self.kill(owner, f"before callback {self.loop.ran}")
            raise Killed

    def _at_commit(self, owner: Owner, when: str) -> None:
        if when == "before":
            self.commits += 1
        if isinstance(owner, Process):
            if self.weather.kills_at_commits.get(self.commits) == when:
                self.kill(owner, f"{when} commit {self.commits}")
                raise Killed
            if when == "after" and self.commits in self.weather.pauses_at_commits:
                self.trace(f"PAUSE {owner.name} after commit {self.commits}")
                owner.paused_until = self.loop.now + self.rng.uniform(10, 50)
            if when == "before" and self.weather.slow_commit and self.rng.random() < self.weather.slow_commit:
                self.loop.now += self.rng.uniform(0, 1.0)

    def owners(self) -> list[Any]:
        """Return every process that ever ran."""
        return list(self.numbers.values())
