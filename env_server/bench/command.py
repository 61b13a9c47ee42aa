"""The command `env-server bench`: its options and their help."""

from typing import Annotated

import typer


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
    from env_server.bench.run import run  # noqa: PLC0415 -- so that the command line's --help stays fast

    run(domain, seconds, _numbers(sessions), quick=quick, as_json=as_json)


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
