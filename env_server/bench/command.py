"""The command `env-server bench`."""

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console

from env_server.bench.errors import BenchError
from env_server.bench.measure import QUICK, Bench, Effort
from env_server.bench.report import show


def bench(
    domain: Annotated[str, typer.Option(help="Whose tools and tasks to play.")] = "retail",
    seconds: Annotated[float | None, typer.Option(min=0.05, help="Of each measurement, in each round.")] = None,
    sessions: Annotated[str | None, typer.Option(help="Numbers of sessions, such as 1,16,64,256.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="One short round: a first impression.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object as the last line.")] = False,
) -> None:
    """Measure steps, resets, memory and scoring on this machine, beside a bare FastAPI echo (two to three minutes).

    A real server on a temporary database is driven by another process that plays the gold calls of train tasks.
    """
    effort = QUICK if quick else Effort()
    effort = replace(effort, seconds=seconds or effort.seconds, sessions=_numbers(sessions) or effort.sessions)
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
