"""Measures what happens beyond one quiet process: many sessions, many stored episodes, evicted ones, and replicas.

In each round all variants are measured one after another, and a ratio is computed within a round.
"""

import importlib
import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from env_server.bench import BenchError
from env_server.bench.figures import FIGURES, HEADLINE, median_known
from env_server.bench.load.job import Job, Sample, What
from env_server.bench.load.usage import parent_of
from env_server.bench.measures.steps import Bench, load
from env_server.bench.plans import typical_text
from env_server.bench.servers.echo import TEXT
from env_server.bench.servers.start import ECHO, OURS, Running, serving

Round = dict[str, Sample]
CORES = 4
"""With at least this many cores, two servers, a database and the loading process do not compete for CPU time."""


LONG = 4
"""How many times longer a measurement lasts if its episodes wait for their admission."""


class Aimed(NamedTuple):
    """A figure of a round, and the bound that its median should meet."""

    name: str
    of: Callable[[Round], float | None]
    bound: float | None
    """None for a figure that is only compared with."""

    at_least: bool = False


@dataclass(frozen=True, slots=True)
class Beyond:
    """The results of one comparison."""

    title: str
    rounds: tuple[Round, ...]
    aims: tuple[Aimed, ...]
    legend: str

    def figure(self, name: str, of: Callable[[Sample], float | None]) -> float | None:
        """Return the median of a figure of one variant."""
        return median_known([of(each[name]) for each in self.rounds])

    def ratio(self, aim: Aimed) -> float | None:
        """Return the median of an aimed figure over the rounds."""
        return median_known([aim.of(each) for each in self.rounds])

    def as_json(self) -> dict[str, Any]:
        """Return the object for `--json`. CPU figures are null if the machine does not provide CPU time."""
        names = self.rounds[0]
        return {
            "title": self.title,
            "variants": {name: {key: self.figure(name, of) for key, of in FIGURES.items()} for name in names},
            "aims": {
                aim.name: {"measured": self.ratio(aim), "bound": aim.bound, "at_least": aim.at_least}
                for aim in self.aims
            },
        }


@dataclass(frozen=True, slots=True)
class BeyondBench:
    """One run on the servers of `bench`. Each method is one comparison."""

    bench: Bench

    def many_sessions(self, sessions: int) -> Beyond:
        """Compare the latencies at `sessions` sessions and at 64 with the echo's.

        Raises:
            BenchError: if the domain cannot be measured, or a reply is wrong.
        """
        bench, sizes = self.bench, (HEADLINE, sessions)
        plans = bench.prepare()
        rounds: list[Round] = []
        with ExitStack() as stack:
            ours = stack.enter_context(bench.ours({}))
            echo = stack.enter_context(serving(ECHO, bench.folder, {TEXT: typical_text(plans)}))
            for number in range(-1, bench.effort.rounds):  # the first one warms up
                found: Round = {}
                for size in sizes:
                    bench.note(f"{size} sessions, round {number + 1} of {bench.effort.rounds}")
                    found[f"echo, {size}"] = bench.load(echo, "echo", sessions=size)
                    found[f"steps, {size}"] = bench.load(ours, "steps", sessions=size)
                rounds += [found] if number >= 0 else []
        aims = tuple(Aimed(f"p99/p50 at {size}, of the echo's", _spread_ratio(size), 1.3) for size in sizes)
        legend = "All sessions are busy all the time, so that latency is their number divided by the rate."
        return Beyond(f"{bench.domain}: {sizes[0]} and {sessions} sessions", tuple(rounds), aims, legend)

    def overload(self) -> Beyond:
        """Compare the steps of the clients that keep the server busy with those of ten times as many.

        All of them play whole episodes.

        Raises:
            BenchError: as `many_sessions`. A step that is refused is a wrong reply.
        """
        bench, sizes = self.bench, (HEADLINE, 10 * HEADLINE)
        bench.prepare()
        rounds: list[Round] = []
        with bench.ours({}) as ours:
            for number in range(-1, bench.effort.rounds):  # the first one warms up
                found: Round = {}
                for size in sizes:
                    bench.note(f"{size} clients, round {number + 1} of {bench.effort.rounds}")
                    seconds = LONG * bench.effort.seconds
                    found[_clients(size)] = bench.load(ours, "episodes", sessions=size, seconds=seconds)
                rounds += [found] if number >= 0 else []
        few, many = map(_clients, sizes)
        aims = (Aimed(f"p99 of a step, {many}, of that with {few}", _waits(many, few), 3),)
        legend = (
            "Clients begin an episode when the server takes it, and play it. Only steps are counted; none was refused."
        )
        return Beyond(f"{bench.domain}: whole episodes", tuple(rounds), aims, legend)

    def growth(self, sizes: tuple[int, ...]) -> Beyond:
        """Compare the cost of a step at each of these numbers of stored episodes.

        Raises:
            BenchError: as `many_sessions`.
        """
        bench = self.bench
        bench.prepare()
        with ExitStack() as stack:
            servers = {size: stack.enter_context(bench.ours({})) for size in sizes}
            for size, server in servers.items():
                bench.note(f"beginning {size:,} episodes")
                bench.load(server, "resets", plans="begun", episodes=size)
            rounds = []
            for number in range(bench.effort.rounds):
                bench.note(f"steps, round {number + 1} of {bench.effort.rounds}")
                rounds.append({_stored(size): bench.load(server, "steps") for size, server in servers.items()})
        least = _stored(sizes[0])
        aims = tuple(
            Aimed(f"steps per CPU-second at {size:,}, of those at {sizes[0]:,}", _of(_stored(size), least), 0.9, True)
            for size in sizes[1:]
        )
        legend = "Each number has a server and a database of its own. What the rounds play comes on top."
        return Beyond(f"{bench.domain}: steps beside stored episodes", tuple(rounds), aims, legend)

    def resume(self, episodes: int) -> Beyond:
        """Compare steps of episodes that are read from the database first with steps of episodes in memory.

        Raises:
            BenchError: as `many_sessions`.
        """
        bench = self.bench
        bench.prepare()
        rounds: list[Round] = []
        with ExitStack() as stack:
            settings: dict[str, dict[str, str]] = {"in memory": {}, "evicted": {"ENV_SERVER_CACHE_BYTES": "0"}}
            servers = {name: stack.enter_context(bench.ours(given)) for name, given in settings.items()}
            for number in range(-1, bench.effort.rounds):  # the first one warms up
                bench.note(f"{episodes} episodes in turn, round {number + 1} of {bench.effort.rounds}")
                found = {
                    name: bench.load(server, "resume", plans="padded", sessions=1, episodes=episodes)
                    for name, server in servers.items()
                }
                rounds += [found] if number >= 0 else []
        aims = (
            Aimed("resume, p50 ms", lambda found: found["evicted"].p50_ms - found["in memory"].p50_ms, 2),
            Aimed("resume, p99 ms", lambda found: found["evicted"].p99_ms - found["in memory"].p50_ms, 20),
        )
        legend = (
            "One session plays the first turn of all episodes, then the second of all, up to the tenth. "
            "A resume is a step of an evicted episode without the median step in memory."
        )
        return Beyond(f"{bench.domain}: steps of evicted episodes", tuple(rounds), aims, legend)

    def replicas(self, count: int, database: str | None) -> Beyond:
        """Compare steps on `count` servers of one database, each step on another server, with steps on one of them.

        `database` is the URL of an empty PostgreSQL database; the default is a SQLite file.

        Raises:
            BenchError: as `many_sessions`.
        """
        bench = self.bench
        plans = bench.prepare()
        rounds: list[Round] = []
        with ExitStack() as stack:
            folder = stack.enter_context(TemporaryDirectory(dir=bench.folder))
            settings = {"ENV_SERVER_DATABASE_URL": database or f"sqlite:///{folder}/bench.db"}
            servers = [stack.enter_context(serving(OURS, bench.folder, settings)) for _ in range(count)]
            text = {TEXT: typical_text(plans)}
            echoes = [stack.enter_context(serving(ECHO, bench.folder, text)) for _ in range(count)]
            processes = () if database is None else _database_processes(database)
            for number in range(-1, bench.effort.rounds):  # the first one warms up
                found: Round = {}
                for used in (servers[:1], servers):
                    bench.note(f"{len(used)} servers, round {number + 1} of {bench.effort.rounds}")
                    found[_servers(len(used))] = _on_all(bench, "steps", used, processes)
                for used in (echoes[:1], echoes):
                    found[_echoes(len(used))] = _on_all(bench, "echo", used, ())
                rounds += [found] if number >= 0 else []
        one, all_of_them = _servers(1), _servers(count)
        echo_costs = _costs(_echoes(count), _echoes(1))
        aims = [
            Aimed("CPU of servers and database per step, of one server's", _costs(all_of_them, one), 1.15),
            Aimed("CPU per request of as many echoes, of one echo's", echo_costs, None),
        ]
        if (os.cpu_count() or 1) >= CORES:
            aims.append(Aimed("steps per second, of one server's", _rates(all_of_them, one), 1.7, True))
        where = "SQLite, whose CPU is the servers'" if database is None else "PostgreSQL, whose processes count"
        legend = f"No stickiness: each step of an episode goes to the next server. Database: {where}."
        return Beyond(f"{bench.domain}: {count} servers of one database", tuple(rounds), tuple(aims), legend)


def _on_all(bench: Bench, what: What, servers: list[Running], database: tuple[int, ...]) -> Sample:
    first, *others = servers
    job = Job(what, first.port, first.pid, bench.domain, str(bench.folder / "gold.json"), 16, bench.effort.seconds)
    return load(
        replace(
            job,
            replicas=tuple(other.port for other in others),
            also=(*(other.pid for other in others), *database),
        )
    )


def _database_processes(url: str) -> tuple[int, ...]:
    """Return the process id of the PostgreSQL server at `url`, whose children serve the connections.

    Raises:
        BenchError: if it does not run on this machine, or cannot be reached.
    """
    psycopg = importlib.import_module("psycopg")
    try:
        with psycopg.connect(url) as connection:
            parent = parent_of(connection.info.backend_pid)
    except psycopg.Error as e:
        raise BenchError(f"the database cannot be reached: {e}") from e
    if parent is None:
        raise BenchError("the database has to run on this machine, so that its CPU time can be measured")
    return (parent,)


def _clients(count: int) -> str:
    return f"{count} clients"


def _waits(name: str, other: str) -> Callable[[Round], float | None]:
    return lambda found: found[name].p99_ms / found[other].p99_ms


def _stored(size: int) -> str:
    return f"{size:,} stored"


def _servers(count: int) -> str:
    return f"{count} server{'s' * (count != 1)}"


def _echoes(count: int) -> str:
    return f"echo, {_servers(count)}"


def _spread_ratio(size: int) -> Callable[[Round], float | None]:
    def ratio(found: Round) -> float | None:
        ours, echo = found[f"steps, {size}"], found[f"echo, {size}"]
        return (ours.p99_ms / ours.p50_ms) / (echo.p99_ms / echo.p50_ms)

    return ratio


def _of(name: str, other: str) -> Callable[[Round], float | None]:
    return lambda found: _divided(found[name].per_cpu_s, found[other].per_cpu_s)


def _costs(name: str, other: str) -> Callable[[Round], float | None]:
    return lambda found: _divided(found[name].cpu_us, found[other].cpu_us)


def _rates(name: str, other: str) -> Callable[[Round], float | None]:
    return lambda found: _divided(found[name].per_s, found[other].per_s)


def _divided(value: float | None, by: float | None) -> float | None:
    return value / by if value is not None and by else None


_COLUMNS: Mapping[str, tuple[str, str]] = {
    "per s": ("per_s", "{:,.0f}"),
    "per CPU s": ("per_cpu_s", "{:,.0f}"),
    "CPU µs": ("cpu_us", "{:,.0f}"),
    "p50 ms": ("p50_ms", "{:.2f}"),
    "p99 ms": ("p99_ms", "{:.2f}"),
}
"""Heading -> figure and format."""


def show_beyond(found: Beyond, console: Console) -> None:
    """Print the tables of a comparison."""
    table = Table(title=found.title, title_justify="left")
    for heading in ("", *_COLUMNS):
        table.add_column(heading, justify="right" if heading else "left")
    for name in found.rounds[0]:
        values = [(found.figure(name, FIGURES[key]), form) for key, form in _COLUMNS.values()]
        table.add_row(name, *("?" if value is None else form.format(value) for value, form in values))
    console.print(table)
    aims = Table()
    for heading in ("", "measured", "aim", "verdict"):
        aims.add_column(heading if heading != "verdict" else "", justify="right" if heading else "left")
    for aim in found.aims:
        value = found.ratio(aim)
        aims.add_row(aim.name, "?" if value is None else f"{value:.2f}", *_verdict(aim, value))
    console.print(aims)
    console.print(f"{found.legend} Every reply was read and checked.", style="dim")


def _verdict(aim: Aimed, value: float | None) -> tuple[str, str]:
    """Return the aim and the verdict, as the table shows them."""
    if aim.bound is None:
        return "", ""
    bound = f"{'≥' if aim.at_least else '≤'} {aim.bound:g}"
    if value is None:
        return bound, "unknown"
    met = value >= aim.bound if aim.at_least else value <= aim.bound
    return bound, "[green]met[/]" if met else "[red]not met[/]"
