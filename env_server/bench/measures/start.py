"""Measures a start: until the server is ready, until a domain's first reset, until `env-server domains` has printed."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import monotonic, perf_counter
from typing import Any

import httpx2
from rich.console import Console
from rich.table import Table

from env_server.bench import BenchError
from env_server.bench.load.usage import cpu_seconds
from env_server.bench.measures.steps import Note
from env_server.bench.servers.start import READY_S, await_idle, environment, free_port, stop

ROUNDS = 3
LIBRARIES = "fastapi", "sqlalchemy", "uvicorn"
PROGRAM = (sys.executable, "-m", "env_server")
POLL_S = 0.01

AIM, RESET_AIM_S = 2.0, 0.5
"""Aims: the CPU time of a start as a multiple of importing `LIBRARIES`, and the seconds of a domain's first reset on a
server that has just become ready."""

IMPORTS, READY, LISTED = "imports", "ready", "domains"


@dataclass(frozen=True, slots=True)
class Taken:
    """The seconds of a request, and the CPU-seconds of the server during it."""

    seconds: float
    cpu_s: float


@dataclass(frozen=True, slots=True)
class First:
    """A domain's first reset, at three moments."""

    at_once: Taken
    """On a server that has just become ready and has loaded nothing yet."""

    unloaded: Taken
    """With `PRELOAD=false`: the code that plays episodes is loaded, and the domain is not."""

    loaded: Taken
    """On a server that has loaded its domains. Its database is new."""


@dataclass(frozen=True, slots=True)
class StartFigures:
    """The results of one run: CPU-seconds per round by operation, and the first resets by domain."""

    spent: Mapping[str, list[float]]
    resets: Mapping[str, First]

    def of(self, what: str) -> float:
        """Return the median over the rounds of the CPU-seconds divided by those of the imports."""
        return median(a / b for a, b in zip(self.spent[what], self.spent[IMPORTS], strict=True))

    def as_json(self) -> dict[str, Any]:
        """Return the object for `--json`."""
        return {
            "cpu_s": {what: median(found) for what, found in self.spent.items()},
            "imports_of": {what: self.of(what) for what in self.spent if what != IMPORTS},
            "first_resets": {name: asdict(first) for name, first in self.resets.items()},
            "aims": {"imports": AIM, "first_reset_s": RESET_AIM_S},
        }


@dataclass(frozen=True, slots=True)
class StartBench:
    """One run.

    Each server has a new database, and `env-server domains` uses no cache.
    """

    folder: Path
    note: Note
    rounds: int = ROUNDS

    def run(self) -> StartFigures:
        """Run the measurements.

        Raises:
            BenchError: if something does not start, or the machine does not provide CPU time.
        """
        if cpu_seconds(os.getpid()) is None:
            raise BenchError("this machine does not report the CPU time of a process; install psutil")
        self._spent("-c", f"import {', '.join(LIBRARIES)}")  # warms the file cache and compiles the modules
        spent: dict[str, list[float]] = {what: [] for what in (IMPORTS, READY, LISTED)}
        for number in range(self.rounds):
            self.note(f"the start, round {number + 1} of {self.rounds}")
            spent[IMPORTS].append(self._spent("-c", f"import {', '.join(LIBRARIES)}"))
            with self._served(f"ready-{number}") as server:
                spent[READY].append(server.used)
            spent[LISTED].append(self._spent("-m", "env_server", "domains", ENV_SERVER_CACHE_DIR=""))
        return StartFigures(spent, self._resets())

    def _resets(self) -> dict[str, First]:
        with self._served("loaded") as server:
            await_idle(server.pid)
            names = [domain["name"] for domain in server.client.get("/domains").json()["domains"]]
            loaded = {name: server.reset(name) for name in names}
        with self._served("unloaded", ENV_SERVER_PRELOAD="false") as server:
            await_idle(server.pid)
            unloaded = {name: server.reset(name) for name in names}
        at_once = {}
        for name in names:
            self.note(f"the first reset of {name}")
            with self._served(f"at-once-{name}") as server:
                at_once[name] = server.reset(name)
        return {name: First(at_once[name], unloaded[name], loaded[name]) for name in names}

    def _spent(self, *arguments: str, **settings: str) -> float:
        """Return the CPU seconds of a Python process with these arguments, from start to end."""
        process = subprocess.Popen(
            [sys.executable, *arguments], cwd=self.folder, env=environment(settings), stdout=subprocess.DEVNULL
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise BenchError(f"{' '.join(arguments)} ended with status {process.returncode}")
        return used.ru_utime + used.ru_stime

    @contextmanager
    def _served(self, name: str, **settings: str) -> "Iterator[Served]":
        """Open a server on a database called `name`, as soon as it is ready."""
        port = free_port()
        given = {"ENV_SERVER_DATABASE_URL": f"sqlite:///{self.folder / name}.db", **settings}
        log = self.folder / f"{name}.log"
        with log.open("wb") as output, httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=READY_S) as client:
            process = subprocess.Popen(
                [*PROGRAM, "serve", "--port", str(port)],
                cwd=self.folder,
                env=environment(given),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
            try:
                used = _used_until_ready(process, client, lambda: log.read_text(errors="replace"))
                yield Served(process.pid, used, client)
            finally:
                stop(process)


@dataclass(frozen=True, slots=True)
class Served:
    """A server that is ready, and the CPU seconds that it used until then."""

    pid: int
    used: float
    client: httpx2.Client

    def reset(self, domain: str) -> Taken:
        """Send a reset, and return its duration and the server's CPU seconds.

        Raises:
            BenchError: if it is refused.
        """
        began, used = perf_counter(), cpu_seconds(self.pid) or 0.0
        reply = self.client.post("/reset", json={"domain": domain, "split": "test", "index": 0})
        taken = Taken(perf_counter() - began, (cpu_seconds(self.pid) or 0.0) - used)
        if reply.status_code != 200:
            raise BenchError(f"a reset of {domain} was answered {reply.status_code}: {reply.text[:200]}")
        return taken


def _used_until_ready(process: subprocess.Popen[bytes], client: httpx2.Client, log: Callable[[], str]) -> float:
    deadline = monotonic() + READY_S
    while monotonic() < deadline and process.poll() is None:
        try:
            if client.get("/readyz").status_code == 200:
                return cpu_seconds(process.pid) or 0.0
        except httpx2.TransportError:
            time.sleep(POLL_S)
    raise BenchError(f"the server did not become ready:\n{log()[-2000:]}")


def show_start(figures: StartFigures, console: Console) -> None:
    """Print the tables."""
    table = Table(title="what a start costs", title_justify="left")
    for heading in ("", "CPU s", "of the imports", "aim"):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for what, label in _LABELS.items():
        ratio = "" if what == IMPORTS else f"{figures.of(what):.2f}"
        aim = "" if what == IMPORTS else f"≤ {AIM:.1f}"
        table.add_row(label, f"{median(figures.spent[what]):.2f}", ratio, aim)
    console.print(table)
    table = Table(title="the first reset of a domain, seconds (and CPU-seconds of the server)", title_justify="left")
    for heading in ("", f"once ready (aim: ≤ {RESET_AIM_S} s)", "without preload", "once loaded"):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for name, first in figures.resets.items():
        cells = (f"{taken.seconds:.2f} ({taken.cpu_s:.2f})" for taken in (first.at_once, first.unloaded, first.loaded))
        table.add_row(name, *cells)
    console.print(table)
    console.print(_LEGEND, style="dim")


_LABELS = {
    IMPORTS: f"importing {', '.join(LIBRARIES)}",
    READY: "env-server serve, until /readyz",
    LISTED: "env-server domains",
}
_LEGEND = (
    "CPU time of the whole process, from its beginning; a ratio is taken within a round. Every server has a new "
    "database. Once ready: nothing is loaded yet, and the reset waits for what plays episodes and for its domain. The "
    "aim is for the seconds of this column. Without preload: what plays episodes is loaded, the domain is not. Once "
    "loaded: as a server is a few seconds after its start."
)
