"""The command `env-server bench` with its progress, tables and JSON. `env_server.cli` declares its options."""

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import typer
from rich.console import Console

from env_server.bench import BenchError
from env_server.bench.figures import Figures
from env_server.bench.measures.beyond import Beyond, BeyondBench, show_beyond
from env_server.bench.measures.mcp import McpBench, McpFigures, show_mcp
from env_server.bench.measures.pages import PageFigures, PagesBench, show_pages
from env_server.bench.measures.scale import Growth, ScaleBench
from env_server.bench.measures.start import StartBench, StartFigures, show_start
from env_server.bench.measures.steps import QUICK, Bench, Effort
from env_server.bench.measures.tools import ToolFigures, ToolsBench, show_tools
from env_server.bench.measures.users import QUICK_LOAD, Crowded, Load, UsersBench
from env_server.bench.report import show, show_crowded, show_growth

Result = Figures | Growth | Crowded | McpFigures | ToolFigures | StartFigures | PageFigures | list[Beyond]


def bench(  # noqa: PLR0913, PLR0917 -- each parameter is an option of the command
    domain: str = "retail",
    seconds: float | None = None,
    sessions: str | None = None,
    quick: bool = False,
    as_json: bool = False,
    scale: int | None = None,
    users: bool = False,
    mcp: bool = False,
    peer: str | None = None,
    tools: bool = False,
    start: bool = False,
    pages: bool = False,
    load: int | None = None,
    growth: bool = False,
    resume: bool = False,
    replicas: int | None = None,
    database: str | None = None,
) -> None:
    """Measure and print. With `as_json` the tables go to stderr and one JSON object goes to stdout.

    `scale` compares a world of that many times the usual size with the usual one. `users` measures how much 256
    simulated users that are models slow down other episodes. `mcp` compares calls over MCP with steps and, if `peer` is
    given, with that server. `tools` measures calls of the tool servers, `start` the start of a server, and `pages` the
    pages for people. `load`, `growth`, `resume` and `replicas` may be given together: many sessions, many stored
    episodes, evicted episodes, and several servers of one database, which is SQLite or the one at the URL `database`.

    Raises:
        typer.BadParameter: if more than one of `scale`, `users`, `mcp`, `tools`, `start` and `pages` is given, or
            `sessions` is not like 1,16,64.
        typer.Exit: with 1 and a line on stderr, if something could not be measured.
    """
    beyond = load is not None or growth or resume or replicas is not None
    if sum([users, scale is not None, mcp or peer is not None, tools, start, pages, beyond]) > 1:
        raise typer.BadParameter("give only one of --scale, --users, --mcp, --tools, --start and --pages at a time")
    if database is not None and replicas is None:
        raise typer.BadParameter("--database belongs to --replicas")
    effort = QUICK if quick else Effort()
    effort = replace(effort, seconds=seconds or effort.seconds, sessions=_numbers(sessions) or effort.sessions)
    console = Console(stderr=as_json)
    try:
        with TemporaryDirectory(prefix="env-server-bench-") as folder, console.status("starting") as status:
            where, note = Path(folder), status.update
            if users:
                result: Result = UsersBench(domain, QUICK_LOAD if quick else Load(), where, note).run()
            elif mcp or peer is not None:
                result = McpBench(Bench(domain, effort, where, note), peer).run()
            elif tools:
                result = ToolsBench(effort, note).run()
            elif start:
                result = StartBench(where, note, *([1] if quick else [])).run()
            elif pages:
                result = PagesBench(domain, where, note, *([5] if quick else [])).run()
            elif beyond:
                bench_on = BeyondBench(Bench(domain, effort, where, note))
                parts = [bench_on.many_sessions(load), bench_on.overload()] if load is not None else []
                parts += [bench_on.growth((100, 1000) if quick else (100, 10_000, 100_000))] if growth else []
                parts += [bench_on.resume(max(2, effort.episodes // 10))] if resume else []
                result = parts + ([bench_on.replicas(replicas, database)] if replicas is not None else [])
            elif scale is not None:
                result = ScaleBench(domain, scale, effort, where, note).run()
            else:
                result = Bench(domain, effort, where, note).run()
    except BenchError as e:
        typer.echo(f"bench: {e}", err=True)
        raise typer.Exit(1) from e
    _print(result, console)
    if as_json:
        found = [part.as_json() for part in result] if isinstance(result, list) else result.as_json()
        typer.echo(json.dumps(found))


def _print(result: Result, console: Console) -> None:
    """Print the tables of a result."""
    match result:
        case Figures():
            show(result, console)
        case McpFigures():
            show_mcp(result, console)
        case ToolFigures():
            show_tools(result, console)
        case StartFigures():
            show_start(result, console)
        case PageFigures():
            show_pages(result, console)
        case Growth():
            show_growth(result, console)
        case list():
            for part in result:
                show_beyond(part, console)
        case Crowded():
            show_crowded(result, console)


def _numbers(text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    try:
        found = tuple(int(part) for part in text.split(","))
    except ValueError:
        found = (0,)
    if min(found) < 1:
        raise typer.BadParameter(f"{text!r} is not a list such as 1,16,64", param_hint="--sessions")
    return found
