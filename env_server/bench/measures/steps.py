"""The main measurements in order. This server and the echo alternate, because other load on the machine may vary."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from env_server.bench import BenchError
from env_server.bench.figures import Figures, Series
from env_server.bench.load.job import Job, Sample, What
from env_server.bench.load.usage import resident_bytes
from env_server.bench.measures.in_process import time_scoring
from env_server.bench.plans import SPLIT, SessionPlan, load_pack, make_plans, padded, save, typical_text
from env_server.bench.servers.echo import TEXT
from env_server.bench.servers.start import ECHO, OURS, Running, environment, serving
from env_server.domains.pack import Pack

TURNS = 10
"""Number of turns of the episodes whose memory is measured."""

LOAD_TIMEOUT_S = 300.0

Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Effort:
    """The extent of the measurements."""

    sessions: tuple[int, ...] = (1, 16, 64, 256)
    seconds: float = 3.0
    """Duration of each measurement in each round."""

    rounds: int = 3
    tasks: int = 512
    """Number of tasks whose gold is played."""

    new_tasks: int = 2000
    """Number of tasks that are begun for the first time."""

    episodes: int = 2000
    """Number of live episodes whose memory is measured."""


QUICK = Effort(sessions=(1, 64), seconds=1.0, rounds=1, tasks=128, new_tasks=300, episodes=300)


@dataclass(frozen=True, slots=True)
class Bench:
    """One run: the domain, the extent, the folder for its files, and the callback for progress messages."""

    domain: str
    effort: Effort
    folder: Path
    note: Note
    scale: int = 1
    """Size of the world as a multiple of its usual size."""

    @property
    def pack(self) -> Pack:
        """Return the pack that is played.

        Raises:
            BenchError: if there is no such domain.
        """
        return load_pack(self.domain, self.scale)

    def run(self) -> Figures:
        """Run all measurements.

        Raises:
            BenchError: if the domain cannot be measured, or a reply is wrong.
        """
        plans, effort = self.prepare(), self.effort
        with serving(ECHO, self.folder, {TEXT: typical_text(plans)}) as echo:
            self.load(echo, "echo", seconds=min(1.0, effort.seconds))
            steps = {n: self._steps(echo, n, {}) for n in effort.sessions}
            full = self._steps(echo, 1, {"ENV_SERVER_SQLITE_SYNCHRONOUS": "FULL"})
            new_resets, resets = self._resets(echo)
        turns = [turn for plan in plans for turn in plan.turns]
        share = sum(turn.writes for turn in turns) / len(turns)
        memory = self._memory(len(plans))
        self.note("scores")
        scoring = time_scoring(self.domain, plans, self.folder)
        return Figures(self.domain, share, steps, full, new_resets, resets, memory, scoring)

    def prepare(self) -> list[SessionPlan]:
        """Write the plans to files, and return the gold plans.

        Raises:
            BenchError: if the domain cannot be measured.
        """
        pack = self.pack
        plans = make_plans(pack, self.effort.tasks)
        begun = [SessionPlan(i, ()) for i in range(min(self.effort.new_tasks, pack.splits[SPLIT]))]
        for name, saved in {"gold": plans, "padded": padded(plans, TURNS), "begun": begun}.items():
            save(saved, self._plans(name))
        return plans

    def _steps(self, echo: Running, sessions: int, settings: Mapping[str, str]) -> Series:
        """Measure steps on a new server and database."""
        named = f"{sessions} session{'s' * (sessions != 1)}{', synchronous=FULL' * bool(settings)}"
        with self.ours(settings) as ours:
            self.load(ours, "steps", sessions=sessions, seconds=min(1.0, self.effort.seconds))
            return self._rounds(echo, ours, "steps", sessions, named)

    def _resets(self, echo: Running) -> tuple[Series, Series]:
        """Measure resets of new tasks, then of known tasks, with up to 64 sessions."""
        sessions = min(64, max(self.effort.sessions))
        with self.ours({}) as ours:
            self.load(ours, "steps", sessions=sessions, episodes=sessions)
            self.note("resets of new tasks")
            beside = self.load(echo, "echo", sessions=sessions)
            first = self.load(ours, "resets", plans="begun", sessions=sessions, episodes=self.effort.new_tasks)
            return Series((first,), (beside,)), self._rounds(echo, ours, "resets", sessions, "resets")

    def _rounds(self, echo: Running, ours: Running, what: What, sessions: int, named: str) -> Series:
        pairs = []
        for i in range(self.effort.rounds):
            self.note(f"{named}, round {i + 1} of {self.effort.rounds}")
            beside = self.load(echo, "echo", sessions=sessions)
            plans = "begun" if what == "resets" else "gold"
            pairs.append((self.load(ours, what, plans=plans, sessions=sessions), beside))
        return Series(tuple(a for a, _ in pairs), tuple(b for _, b in pairs))

    def _memory(self, tasks: int) -> float | None:
        """Return bytes per live episode.

        Episodes that are played before the measurement fill the caches of bounded size, such as tasks and SQLite's page
        cache.
        """
        self.note(f"memory of {self.effort.episodes} live episodes")
        with self.ours({}) as ours:
            self.load(ours, "steps", plans="padded", sessions=16, episodes=max(tasks, self.effort.episodes))
            before = resident_bytes(ours.pid)
            self.load(ours, "steps", plans="padded", sessions=16, episodes=self.effort.episodes)
            after = resident_bytes(ours.pid)
        return None if before is None or after is None else (after - before) / self.effort.episodes

    @contextmanager
    def ours(self, settings: Mapping[str, str]) -> Iterator[Running]:
        """Open this project's server on a database of its own."""
        with TemporaryDirectory(dir=self.folder) as name:
            own = {
                "ENV_SERVER_DATABASE_URL": f"sqlite:///{name}/bench.db",
                "ENV_SERVER_WORLD_SCALE": str(self.scale),
            }
            with serving(OURS, Path(name), {**own, **settings}) as running:
                yield running

    def load(
        self,
        server: Running,
        what: What,
        *,
        plans: str = "gold",
        sessions: int = 16,
        seconds: float | None = None,
        episodes: int | None = None,
    ) -> Sample:
        """Let the loading process send requests to `server`, and return its sample.

        Raises:
            BenchError: if that fails.
        """
        path = str(self._plans(plans))
        wanted = self.effort.seconds if seconds is None else seconds
        return load(Job(what, server.port, server.pid, self.domain, path, sessions, wanted, episodes))

    def _plans(self, name: str) -> Path:
        return self.folder / f"{name}.json"


def load(job: Job) -> Sample:
    """Let another process carry out a job, and return its sample.

    Raises:
        BenchError: if it fails.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-m", "env_server.bench.load.process"],
            input=json.dumps(asdict(job)),
            capture_output=True,
            text=True,
            env=environment({}),
            timeout=LOAD_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as e:
        raise BenchError(f"{job.what} at {job.sessions} sessions did not end within {LOAD_TIMEOUT_S:.0f} s") from e
    if done.returncode != 0:
        raise BenchError(done.stderr.strip()[-4000:])
    return Sample(**json.loads(done.stdout))
