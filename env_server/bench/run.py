"""Running the benchmark for the command line: progress, tables, JSON."""

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import typer
from rich.console import Console

from env_server.bench.errors import BenchError
from env_server.bench.measure import QUICK, Bench, Effort
from env_server.bench.report import show


def run(domain: str, seconds: float | None, sessions: tuple[int, ...], *, quick: bool, as_json: bool) -> None:
    """Measure and print; with `as_json` the tables go to stderr and one JSON object to stdout.

    Raises:
        typer.Exit: with 1 and a line on stderr, if something could not be measured.
    """
    effort = QUICK if quick else Effort()
    effort = replace(effort, seconds=seconds or effort.seconds, sessions=sessions or effort.sessions)
    console = Console(stderr=as_json)
    try:
        with TemporaryDirectory(prefix="env-server-bench-") as folder, console.status("starting") as status:
            figures = Bench(domain, effort, Path(folder), status.update).run()
    except BenchError as e:
        typer.echo(f"bench: {e}", err=True)
        raise typer.Exit(1) from e
    show(figures, console)
    if as_json:
        typer.echo(json.dumps(figures.as_json()))
