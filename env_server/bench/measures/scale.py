"""Measures which costs grow with the world: the same measurements with the usual size and with a larger one."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from env_server.bench import BenchError
from env_server.bench.figures import ScoringCost, median_known
from env_server.bench.load.job import What
from env_server.bench.measures.in_process import episode_bytes, time_scoring
from env_server.bench.measures.steps import TURNS, Bench, Effort, Note
from env_server.bench.plans import SessionPlan, padded
from env_server.bench.servers.start import Running

Pair = tuple[float | None, float | None]
"""A figure at the usual size, and at the larger one."""


@dataclass(frozen=True, slots=True)
class Cost:
    """One cost in several rounds, each at both sizes."""

    name: str
    unit: str
    pairs: tuple[Pair, ...]

    @property
    def usual(self) -> float | None:
        """Return the median at the usual size, or None if the machine does not provide the figure."""
        return median_known([usual for usual, _ in self.pairs])

    @property
    def scaled(self) -> float | None:
        """Return the median at the larger size, or None if the machine does not provide the figure."""
        return median_known([scaled for _, scaled in self.pairs])

    @property
    def ratio(self) -> float | None:
        """Return the median over the rounds of the larger size's figure divided by the usual size's."""
        return median_known([b / a if a and b is not None else None for a, b in self.pairs])


@dataclass(frozen=True, slots=True)
class Growth:
    """The costs with a world of the usual size and with a larger one."""

    domain: str
    scale: int
    rows: tuple[int, int]
    """Number of rows of the two worlds."""

    costs: tuple[Cost, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the object for `--json`. Costs are null if the machine does not provide them."""
        costs = {
            f"{cost.name}_{cost.unit}": {"usual": cost.usual, "scaled": cost.scaled, "ratio": cost.ratio}
            for cost in self.costs
        }
        return {"domain": self.domain, "scale": self.scale, "rows": list(self.rows), "costs": costs}


class _Side(NamedTuple):
    """One of the two sizes: its benchmark, the plans that are played, and its server."""

    bench: Bench
    plans: list[SessionPlan]
    server: Running

    def cpu_us(self, what: What, plans: str, sessions: int, episodes: int | None = None) -> float | None:
        """Return CPU microseconds of the server per request."""
        return self.bench.load(self.server, what, plans=plans, sessions=sessions, episodes=episodes).cpu_us


@dataclass(frozen=True, slots=True)
class ScaleBench:
    """A comparison of a domain at its usual size and at `scale` times that."""

    domain: str
    scale: int
    effort: Effort
    folder: Path
    note: Note

    def run(self) -> Growth:
        """Measure everything at both sizes.

        Raises:
            BenchError: if the domain cannot be measured, has only one size, or a reply is wrong.
        """
        self.note("two worlds")
        benches = [self._bench(1), self._bench(self.scale)]
        plans = [bench.prepare() for bench in benches]
        usual, scaled = (sum(len(t.rows) for t in bench.pack.snapshot.tables.values()) for bench in benches)
        if usual >= scaled:
            raise BenchError(f"the world of {self.domain} has one size only")
        with ExitStack() as stack:
            servers = [stack.enter_context(bench.ours({})) for bench in benches]
            sides = [_Side(*side) for side in zip(benches, plans, servers, strict=True)]
            costs = tuple(self._requests(sides))
        return Growth(self.domain, self.scale, (usual, scaled), (*costs, *self._scores(sides), self._memory(sides)))

    def _bench(self, scale: int) -> Bench:
        folder = self.folder / f"scale-{scale}"
        folder.mkdir()
        return Bench(self.domain, self.effort, folder, self.note, scale)

    def _requests(self, sides: list[_Side]) -> Iterator[Cost]:
        """Measure steps and resets, with the two servers in turn."""
        sessions = min(64, max(self.effort.sessions))
        for side in sides:
            side.bench.load(side.server, "steps", sessions=sessions, seconds=min(1.0, self.effort.seconds))
        self.note("resets of new tasks")
        new = self.effort.new_tasks
        first = self._pairs(sides, lambda side: side.cpu_us("resets", "begun", sessions, new), rounds=1)
        yield Cost("step", "us", self._pairs(sides, lambda side: side.cpu_us("steps", "gold", sessions)))
        yield Cost("reset", "us", self._pairs(sides, lambda side: side.cpu_us("resets", "begun", sessions)))
        yield Cost("new_task_reset", "us", first)

    def _scores(self, sides: list[_Side]) -> Iterator[Cost]:
        """Measure hashes and scores in this process."""
        scorings = [[self._scored(side) for side in sides] for _ in range(self.effort.rounds)]
        for name, of in _SCORING.items():
            yield Cost(name, "us", tuple((1000 * of(usual), 1000 * of(scaled)) for usual, scaled in scorings))

    def _scored(self, side: _Side) -> ScoringCost:
        self.note("hashes and scores")
        return time_scoring(self.domain, side.plans, side.bench.folder, side.bench.scale)

    def _memory(self, sides: list[_Side]) -> Cost:
        """Measure live objects per episode in this process."""
        self.note("memory of live episodes")
        usual, scaled = (
            episode_bytes(self.domain, padded(s.plans, TURNS), s.bench.folder, self.effort.episodes, s.bench.scale)
            for s in sides
        )
        return Cost("memory_per_episode", "bytes", ((usual, scaled),))

    def _pairs(
        self, sides: list[_Side], measure: Callable[[_Side], float | None], rounds: int | None = None
    ) -> tuple[Pair, ...]:
        found: list[Pair] = []
        for i in range(rounds or self.effort.rounds):
            self.note(f"steps and resets, round {i + 1}")
            usual, scaled = map(measure, sides)
            found.append((usual, scaled))
        return tuple(found)


_SCORING: dict[str, Callable[[ScoringCost], float]] = {
    "hash": lambda scoring: scoring.hash_ms,
    "score_equal": lambda scoring: scoring.equal_ms,
    "score_different": lambda scoring: scoring.different_ms,
}
