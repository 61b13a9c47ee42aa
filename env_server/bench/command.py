"""The command `env-server bench`: progress, tables, JSON. Its options stand in `env_server.cli`."""

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import typer
from rich.console import Console

from env_server.bench.errors import BenchError
from env_server.bench.figures import Figures
from env_server.bench.mcp import McpBench, McpFigures, show_mcp
from env_server.bench.measure import QUICK, Bench, Effort
from env_server.bench.report import show, show_growth
from env_server.bench.scale import Growth, ScaleBench


def bench(
    domain: str = "retail",
    seconds: float | None = None,
    sessions: str | None = None,
    quick: bool = False,
    as_json: bool = False,
    scale: int | None = None,
    mcp: bool = False,
    peer: str | None = None,
) -> None:
    """Measure and print; with `as_json` the tables go to stderr and one JSON object to stdout.

    With `scale` a world that many times the usual size is compared with the usual one instead; with `mcp` calls over
    MCP with steps and, if one is named, with a `peer`.

    Raises:
        typer.BadParameter: if `sessions` is not a list of numbers such as 1,16,64.
        typer.Exit: with 1 and a line on stderr, if something could not be measured.
    """
    effort = QUICK if quick else Effort()
    effort = replace(effort, seconds=seconds or effort.seconds, sessions=_numbers(sessions) or effort.sessions)
    console = Console(stderr=as_json)
    try:
        with TemporaryDirectory(prefix="env-server-bench-") as folder, console.status("starting") as status:
            result: Figures | Growth | McpFigures
            if mcp or peer is not None:
                result = McpBench(Bench(domain, effort, Path(folder), status.update), peer).run()
            elif scale is None:
                result = Bench(domain, effort, Path(folder), status.update).run()
            else:
                result = ScaleBench(domain, scale, effort, Path(folder), status.update).run()
    except BenchError as e:
        typer.echo(f"bench: {e}", err=True)
        raise typer.Exit(1) from e
    match result:
        case Figures():
            show(result, console)
        case McpFigures():
            show_mcp(result, console)
        case Growth():
            show_growth(result, console)
    if as_json:
        typer.echo(json.dumps(result.as_json()))


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
