"""Measures how users that are models slow down other episodes (`env-server bench --users`). The model takes seconds."""

import asyncio
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from env_server.bench import BenchError
from env_server.bench.load.usage import resident_bytes
from env_server.bench.measures.crowd import OTHERS, TASKS, Crowd, Trickle, beside
from env_server.bench.measures.steps import Note
from env_server.bench.plans import Turn, load_pack, make_plans
from env_server.bench.servers.model import LATENCY, TURNS
from env_server.bench.servers.start import OURS, Running, serving

MODEL = "env_server.bench.servers.model:create_app"
LOOK_S = 0.05
"""Seconds between readings of the server's memory."""

SETTLE_S = 20.0
"""Seconds until memory is read again. By then the connections to the model are closed and idle episodes are evicted."""


@dataclass(frozen=True, slots=True)
class Load:
    """The size of the load."""

    players: int = 256
    turns: int = 4
    latency_s: float = 4.0
    others_per_s: float = 100.0

    @property
    def ideal_s(self) -> float:
        """Return the seconds that the users' model takes: once for the first message, and once in each turn."""
        return (self.turns + 1) * self.latency_s


QUICK_LOAD = Load(players=64, turns=2, latency_s=1.0)


@dataclass(frozen=True, slots=True)
class Crowded:
    """The results of one run. Sizes are in bytes, and None if the machine does not provide them."""

    load: Load
    total_s: float
    steps_without: int
    steps_with: int
    p99_without_ms: float
    p99_with_ms: float
    p50_without_ms: float
    p50_with_ms: float
    growth_bytes: int | None
    """Maximum growth of the server's memory during the crowd's episodes."""

    kept_bytes: int | None
    """Growth that remains after the crowd has left: memory that Python keeps for reuse by the next crowd."""

    remains_bytes: int | None
    """Further growth after a second crowd of that size has left, which is the growth per crowd."""

    @property
    def total_ratio(self) -> float:
        """Return the total time divided by the ideal one."""
        return self.total_s / self.load.ideal_s

    @property
    def p99_ratio(self) -> float:
        """Return the p99 of other episodes' steps with the users, divided by that without them."""
        return self.p99_with_ms / self.p99_without_ms

    def as_json(self) -> dict[str, Any]:
        """Return the object for `--json`."""
        measured = asdict(self)
        return {
            **measured.pop("load"),
            "ideal_s": self.load.ideal_s,
            **measured,
            "total_ratio": self.total_ratio,
            "p99_ratio": self.p99_ratio,
        }


@dataclass(frozen=True, slots=True)
class UsersBench:
    """One run of the measurement with model users."""

    domain: str
    load: Load
    folder: Path
    note: Note

    def run(self) -> Crowded:
        """Run the measurements.

        Raises:
            BenchError: if the domain cannot be measured, or a reply is wrong.
        """
        plans = make_plans(load_pack(self.domain), 64)
        look_up = next((turn for plan in plans for turn in plan.turns if turn.harmless), None)
        if look_up is None:
            raise BenchError(f"{self.domain} has no task that begins with a look-up")
        with self._model() as model, self._ours(model) as ours:
            gc.freeze()  # keeps the garbage collector from scanning the tasks during the measurement
            return asyncio.run(self._measured(ours, look_up))

    async def _measured(self, ours: Running, look_up: Turn) -> Crowded:
        load = self.load
        self.note("one episode of each task")
        crowd = Crowd(self.domain, ours.port, load.players, load.turns)
        trickles = [Trickle(self.domain, ours.port, look_up, load.others_per_s) for _ in range(3)]
        await beside(trickles[0], Crowd(self.domain, ours.port, TASKS, load.turns).play)
        self.note(f"steps of {OTHERS} episodes without models")
        await beside(trickles[1], lambda: asyncio.sleep(load.ideal_s))
        self.note(f"the same beside {load.players} users that are models")
        before, began = resident_bytes(ours.pid), perf_counter()
        sizes = asyncio.create_task(_highest(ours.pid))
        await beside(trickles[2], crowd.play)
        total = perf_counter() - began
        sizes.cancel()
        highest = await sizes
        await asyncio.sleep(SETTLE_S)
        kept = resident_bytes(ours.pid)
        self.note("such a crowd once more")
        await crowd.play()
        await asyncio.sleep(SETTLE_S)
        without, beside_them = (sorted(trickle.took) for trickle in trickles[1:])
        return Crowded(
            load,
            total,
            len(without),
            len(beside_them),
            p99_without_ms=_rank(without, 0.99),
            p99_with_ms=_rank(beside_them, 0.99),
            p50_without_ms=_rank(without, 0.5),
            p50_with_ms=_rank(beside_them, 0.5),
            growth_bytes=_less(highest, before),
            kept_bytes=_less(kept, before),
            remains_bytes=_less(resident_bytes(ours.pid), kept),
        )

    @contextmanager
    def _model(self) -> Iterator[Running]:
        folder = self.folder / "model"
        folder.mkdir()
        given = {LATENCY: str(self.load.latency_s), TURNS: str(self.load.turns)}
        with serving(MODEL, folder, given) as running:
            yield running

    @contextmanager
    def _ours(self, model: Running) -> Iterator[Running]:
        folder = self.folder / "server"
        folder.mkdir()
        settings = {
            "ENV_SERVER_DATABASE_URL": f"sqlite:///{folder}/bench.db",
            "ENV_SERVER_DOMAINS": self.domain,
            "ENV_SERVER_USER_BASE_URL": f"http://127.0.0.1:{model.port}/v1",
            "ENV_SERVER_USER_MODEL": "bench",
            "ENV_SERVER_EVICT_AFTER_S": "8",
            "ENV_SERVER_USER_TIMEOUT_S": str(10 * self.load.latency_s),
            "OPENAI_API_KEY": "none",  # hides the operator's own key
        }
        with serving(OURS, folder, settings) as running:
            yield running


async def _highest(pid: int) -> int | None:
    """Return the maximum memory of a process in bytes, read until this coroutine is cancelled."""
    highest = resident_bytes(pid)
    try:
        while highest is not None:
            highest = max(highest, resident_bytes(pid) or 0)
            await asyncio.sleep(LOOK_S)
    except asyncio.CancelledError:
        pass
    return highest


def _rank(ranked: list[float], q: float) -> float:
    if not ranked:
        raise BenchError("no step ended during the measurement; measure for longer")
    return ranked[min(len(ranked) - 1, int(len(ranked) * q))]


def _less(after: int | None, before: int | None) -> int | None:
    return None if after is None or before is None else after - before
