"""Measures tool calls over MCP, steps, the bare echo and, if installed, a peer. They alternate within one run."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from env_server.bench import BenchError
from env_server.bench.figures import FIGURES, HEADLINE, median_known
from env_server.bench.load.job import Sample, What
from env_server.bench.load.usage import resident_bytes
from env_server.bench.measures.steps import Bench
from env_server.bench.plans import typical_text
from env_server.bench.servers.echo import TEXT
from env_server.bench.servers.start import ECHO, ROOT, Running, serving

PEERS = {"openenv": "env_server.bench.servers.openenv_peer:create_app"}
"""Factory of a peer's application, by peer."""

OF_STEPS, OF_PEER = 0.5, 5.0
"""Aims: MCP calls per CPU-second as a share of steps, and as a multiple of the peer's calls."""

SHOWN = ("per_s", "per_cpu_s", "cpu_us", "p50_ms", "p99_ms")
"""The figures of the tables, by their names in `FIGURES`."""

BEGUN = 256
"""Number of episodes that a round begins on each server. They stay in memory."""

_NAMES: dict[What, str] = {
    "mcp": "MCP calls",
    "steps": "steps",
    "echo": "bare echo",
    "peer": "peer's MCP calls",
    "resets": "resets",
    "peer_resets": "peer's resets",
}


def peer_python(peer: str) -> Path:
    """Return the interpreter of a peer's virtual environment."""
    return ROOT / f".venv-{peer}" / "bin" / "python"


@dataclass(frozen=True, slots=True)
class McpFigures:
    """The results of one run: a sample of each kind of request per round."""

    domain: str
    sessions: int
    samples: dict[What, list[Sample]]
    begun: dict[What, list[Sample]] = field(default_factory=dict)
    """Beside a peer: episodes begun on this server and on the peer."""

    memory: dict[What, float] = field(default_factory=dict)
    """Growth of these servers in bytes per episode begun; empty if the machine does not tell the size of a process."""

    def begun_figure(self, what: What, of: Callable[[Sample], float | None]) -> float | None:
        """Return the median of a figure of episodes begun."""
        return median_known([of(sample) for sample in self.begun[what]])

    def figure(self, what: What, of: Callable[[Sample], float | None]) -> float | None:
        """Return the median of a figure."""
        return median_known([of(sample) for sample in self.samples[what]])

    def ratio(self, other: What) -> float | None:
        """Return the median over the rounds of MCP calls per CPU-second divided by those of `other`."""
        if other not in self.samples:
            return None
        rounds = zip(self.samples["mcp"], self.samples[other], strict=True)
        pairs = [(a.per_cpu_s, b.per_cpu_s) for a, b in rounds]
        return median_known([a / b if a is not None and b else None for a, b in pairs])

    def as_json(self) -> dict[str, Any]:
        """Return the object for `--json`."""
        found: dict[str, Any] = {"domain": self.domain, "sessions": self.sessions}
        for what in self.samples:
            found |= {f"{what}_{name}": self.figure(what, of) for name, of in FIGURES.items()}
        for what in self.begun:
            found |= {f"{what}_{name}": self.begun_figure(what, of) for name, of in FIGURES.items()}
        found |= {f"{what}_bytes_per_episode": size for what, size in self.memory.items()}
        return found | {f"mcp_of_{other}": self.ratio(other) for other in self.samples if other != "mcp"}


@dataclass(frozen=True, slots=True)
class McpBench:
    """One run on the servers of `bench`."""

    bench: Bench
    peer: str | None = None

    def run(self) -> McpFigures:
        """Run the measurements.

        Raises:
            BenchError: if the domain or the peer cannot be measured, or a reply is wrong.
        """
        bench, effort = self.bench, self.bench.effort
        plans = bench.prepare()
        sessions = min(HEADLINE, max(effort.sessions))
        with ExitStack() as stack:
            ours = stack.enter_context(bench.ours({}))
            echo = stack.enter_context(serving(ECHO, bench.folder, {TEXT: typical_text(plans)}))
            servers: dict[What, Running] = {"mcp": ours, "steps": ours, "echo": echo}
            if self.peer is not None:
                servers["peer"] = stack.enter_context(self._peer(self.peer))
            for what, server in servers.items():
                bench.load(server, what, sessions=sessions, seconds=min(1.0, effort.seconds))
            samples: dict[What, list[Sample]] = {what: [] for what in servers}
            for number in range(effort.rounds):
                for what, server in servers.items():
                    bench.note(f"{_NAMES[what]}, round {number + 1} of {effort.rounds}")
                    samples[what].append(bench.load(server, what, sessions=sessions))
            beginners: dict[What, Running] = {"resets": ours, "peer_resets": servers["peer"]} if self.peer else {}
            begun, memory = self._begun(beginners)
        return McpFigures(bench.domain, sessions, samples, begun, memory)

    def _begun(self, servers: dict[What, Running]) -> tuple[dict[What, list[Sample]], dict[What, float]]:
        """Return samples of episodes begun by server, and the growth of each server in bytes per episode."""
        bench, rounds = self.bench, self.bench.effort.rounds
        samples: dict[What, list[Sample]] = {what: [] for what in servers}
        before: dict[What, int | None] = {}
        for number in range(-1, rounds):  # the first one warms up
            for what, server in servers.items():
                bench.note(f"{_NAMES[what]}, round {number + 1} of {rounds}")
                found = bench.load(server, what, episodes=BEGUN)
                if number >= 0:
                    samples[what].append(found)
                else:
                    before[what] = resident_bytes(server.pid)
        memory = {}
        for what, server in servers.items():
            first, last = before[what], resident_bytes(server.pid)
            if first is not None and last is not None:
                memory[what] = (last - first) / (BEGUN * rounds)
        return samples, memory

    def _peer(self, name: str) -> Any:
        python = peer_python(name)
        if name not in PEERS:
            raise BenchError(f"no peer {name!r}; there are: {', '.join(PEERS)}")
        if not python.exists():
            raise BenchError(f"{name} is not installed: `make bench-{name}` puts it into {python.parents[1].name}")
        return serving(PEERS[name], self.bench.folder, {}, str(python))


def show_mcp(figures: McpFigures, console: Console) -> None:
    """Print the table."""
    table = Table(title=f"{figures.domain}: one call each, {figures.sessions} sessions", title_justify="left")
    for heading in ("", "per s", "per CPU s", "CPU µs", "p50 ms", "p99 ms", "MCP / this", "aim"):
        table.add_column(heading, justify="right" if heading else "left")
    aims: dict[What, float] = {"steps": OF_STEPS, "peer": OF_PEER}
    for what in figures.samples:
        shown = [figures.figure(what, FIGURES[name]) for name in SHOWN]
        ratio = None if what == "mcp" else figures.ratio(what)
        aim = f"≥ {aims[what]:g}" if what in aims else ""
        cells = ["?" if value is None else f"{value:,.0f}" for value in shown[:3]]
        cells += ["?" if value is None else f"{value:,.2f}" for value in shown[3:]]
        table.add_row(_NAMES[what], *cells, "" if ratio is None else f"{ratio:.2f}", aim)
    console.print(table)
    if figures.begun:
        _show_begun(figures, console)
    console.print(
        "Calls of 2026-07-28 by a raw client, JSON answers, each committed; steps make the same calls. The echo is a "
        "bare FastAPI application with the same models. Every answer was read and checked.",
        style="dim",
    )


def _show_begun(figures: McpFigures, console: Console) -> None:
    """Print the table of episodes begun."""
    table = Table(title=f"{figures.domain}: episodes begun, 16 sessions", title_justify="left")
    for heading in ("", "per s", "per CPU s", "CPU µs", "p50 ms", "p99 ms", "KB each"):
        table.add_column(heading, justify="right" if heading else "left")
    for what in figures.begun:
        shown = [
            figures.begun_figure(what, FIGURES[name]) for name in ("per_s", "per_cpu_s", "cpu_us", "p50_ms", "p99_ms")
        ]
        cells = ["?" if value is None else f"{value:,.0f}" for value in shown[:3]]
        cells += ["?" if value is None else f"{value:,.2f}" for value in shown[3:]]
        size = figures.memory.get(what)
        table.add_row(_NAMES[what], *cells, "?" if size is None else f"{size / 1024:,.1f}")
    console.print(table)
