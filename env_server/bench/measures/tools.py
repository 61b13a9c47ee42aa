"""Measures calls of the tool servers in the offline world. All routes alternate in this process, within one run."""

import asyncio
import gc
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

import httpx2
from mcp import Client
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult
from rich.console import Console
from rich.table import Table

from env_server.bench import BenchError
from env_server.bench.figures import FIGURES, median_known
from env_server.bench.load.job import Sample
from env_server.bench.measures.steps import Effort, Note
from mcp_servers import polygon
from mcp_servers.kit.serving.server import serve
from mcp_servers.kit.upstream.wire import Socket
from mcp_servers.polygon.api import NAME, Polygon
from mcp_servers.polygon.stand_in import stand_in
from mcp_servers.python import bench as python
from mcp_servers.world import NOW, read, world
from mcp_servers.world.store import Scope, scope, within

TOOL = "polygon_get_aggs"
ASKED = {"ticker": "ORCA", "start_date": "2025-03-03", "end_date": "2025-03-28", "frequency": "daily"}
BARS = 20

LOOKUP, THROUGH, CLIENT, ROWS, CODE = "look-up", "through httpx2", "by a client", "rows alone", "code"

AIMS = {LOOKUP: 1_500.0, CODE: 1_000.0}
"""Aims in calls per CPU-second."""

Call = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class CallRoute:
    """One way to make a call, and the CPU seconds of the other processes that work for it."""

    call: Call
    others: Callable[[], float] = lambda: 0.0


@dataclass(frozen=True, slots=True)
class ToolFigures:
    """The results of one run: a sample of each route per round, and the reasons why routes are missing."""

    samples: Mapping[str, list[Sample]]
    missing: Mapping[str, str]

    def figure(self, way: str, of: Callable[[Sample], float | None]) -> float | None:
        """Return the median of a figure."""
        return median_known([of(sample) for sample in self.samples[way]])

    def of(self, way: str) -> float | None:
        """Return the median over the rounds of look-ups per CPU-second divided by this route's calls."""
        rounds = zip(self.samples[LOOKUP], self.samples[way], strict=True)
        pairs = [(a.per_cpu_s, b.per_cpu_s) for a, b in rounds]
        return median_known([a / b if a is not None and b else None for a, b in pairs])

    def as_json(self) -> dict[str, Any]:
        """Return the object for `--json`."""
        ways = {way: {name: self.figure(way, of) for name, of in FIGURES.items()} for way in self.samples}
        ratios = {way: self.of(way) for way in self.samples if way != LOOKUP}
        return {"tools": ways, "lookups_of": ratios, "missing": dict(self.missing), "aims": AIMS}


@dataclass(frozen=True, slots=True)
class ToolsBench:
    """One run of the measurement of tool calls."""

    effort: Effort
    note: Note

    def run(self) -> ToolFigures:
        """Measure all routes in turn, and return their figures.

        Raises:
            BenchError: if a reply is wrong.
        """
        return asyncio.run(self._run())

    async def _run(self) -> ToolFigures:
        self.note("the world")
        async with AsyncExitStack() as stack:
            stack.enter_context(within(Scope(world(), NOW)))
            ways, missing = await _ways(stack)
            try:
                return ToolFigures(await self._samples(ways), missing)
            except BenchError as e:
                wrong = e  # raised outside of the stack: the client would wrap it in an exception group
        raise wrong

    async def _samples(self, ways: Mapping[str, CallRoute]) -> dict[str, list[Sample]]:
        for way in ways.values():
            await _measured(way, min(0.3, self.effort.seconds))
        _as_the_server_does()
        samples: dict[str, list[Sample]] = {name: [] for name in ways}
        for number in range(self.effort.rounds):
            for name, way in ways.items():
                self.note(f"{name}, round {number + 1} of {self.effort.rounds}")
                samples[name].append(await _measured(way, self.effort.seconds))
        return samples


def _as_the_server_does() -> None:
    """Configure garbage collection like the server: rare collections that skip the rows of the world."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


async def _ways(stack: AsyncExitStack) -> tuple[dict[str, CallRoute], dict[str, str]]:
    settings, missing = polygon.Settings(api_key=None), {}
    server = polygon.build(settings)
    transport = httpx2.ASGITransport(stand_in(settings.home()))

    def through(given: polygon.Settings) -> Polygon:
        return Polygon(given, Socket(given.timeout_s, transport))

    other = serve(NAME, polygon.MODULES, through, settings, "")
    client = await stack.enter_async_context(Client(server, mode="2026-07-28"))
    ways = {
        LOOKUP: CallRoute(_lookup(server)),
        THROUGH: CallRoute(_lookup(other)),
        CLIENT: CallRoute(_asked(lambda: client.call_tool(TOOL, ASKED))),
        ROWS: CallRoute(_rows),
    }
    try:
        warm = await stack.enter_async_context(python.warm())
        ways[CODE] = CallRoute(_code(warm), warm.worker_seconds)
    except ToolError as e:
        missing[CODE] = str(e)
    return ways, missing


def _lookup(server: MCPServer[Any]) -> Call:
    return _asked(lambda: server.call_tool(TOOL, dict(ASKED)))


def _asked(ask: Callable[[], Awaitable[Any]]) -> Call:
    async def call() -> None:
        result = await ask()
        if not isinstance(result, CallToolResult) or len((result.structured_content or {}).get("bars", ())) != BARS:
            raise BenchError(f"{TOOL} did not give {BARS} bars: {str(result)[:200]}")

    return call


async def _rows() -> None:
    found = read.bars(scope().store, ASKED["ticker"], ASKED["start_date"], ASKED["end_date"], scope().now)
    if len(found) != BARS:
        raise BenchError(f"the world has {len(found)} bars")


def _code(warm: python.Warm) -> Call:
    async def call() -> None:
        result = await warm.server.call_tool(python.TOOL, {"code": "6 * 7", "session": warm.session})
        if not isinstance(result, CallToolResult) or (result.structured_content or {}).get("value") != "42":
            raise BenchError(f"{python.TOOL} did not give 42: {result}")

    return call


async def _measured(way: CallRoute, seconds: float) -> Sample:
    times: list[float] = []
    began, cpu = perf_counter(), process_time() + way.others()
    now = began
    while now - began < seconds or not times:
        await way.call()
        before, now = now, perf_counter()
        times.append(now - before)
    spent = process_time() + way.others() - cpu
    times.sort()
    p50, p99 = (1000 * times[min(len(times) - 1, int(len(times) * part))] for part in (0.5, 0.99))
    return Sample(len(times), now - began, spent, p50, p99, 0.0)


def show_tools(figures: ToolFigures, console: Console) -> None:
    """Print the table."""
    table = Table(title="calls of the tool servers in the offline world, one at a time", title_justify="left")
    for heading in ("", "per CPU s", "CPU µs", "p50 ms", "p99 ms", "of this", "aim"):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for way in figures.samples:
        rate, cost, p50, p99 = (
            figures.figure(way, FIGURES[name]) for name in ("per_cpu_s", "cpu_us", "p50_ms", "p99_ms")
        )
        ratio = None if way in (LOOKUP, CODE) else figures.of(way)
        cells = [_text(rate, ",.0f"), _text(cost, ",.0f"), _text(p50, ".2f"), _text(p99, ".2f")]
        aim = f"≥ {AIMS[way]:,.0f}" if way in AIMS else ""
        table.add_row(way, *cells, "" if ratio is None else f"{ratio:.2f}", aim)
    console.print(table)
    for way, why in figures.missing.items():
        console.print(f"{way} is missing: {why}", style="yellow")
    console.print(
        f"A look-up is {TOOL} for {BARS} daily bars by MCPServer.call_tool: the arguments are checked, the client of "
        "the API builds its request and reads the answer's status, headers and JSON, and the stand-in answers as an "
        "ASGI application. No HTTP client is between the two, except where httpx2's is named. By a client: the "
        "SDK's, in this process, which checks the result against its schema. Rows alone are what the stand-in reads. "
        "Code is execute_python of `6 * 7` on a warm worker, whose CPU time counts.",
        style="dim",
    )


def _text(value: float | None, form: str) -> str:
    return "?" if value is None else format(value, form)
