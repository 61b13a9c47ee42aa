"""The groups of commands for authors of domains: `env-server world` and `env-server new`."""

from pathlib import Path
from typing import Annotated

import typer

from env_server.cli_options import AsJson

world = typer.Typer(no_args_is_help=True, help="Show the offline world, in which tool servers work without keys.")


@world.callback()
def look() -> None:
    """Show the offline world, in which tool servers work without keys."""


@world.command()
def show(
    subject: Annotated[
        str,
        typer.Argument(
            metavar="TICKER|PAGE|CHANNEL",
            help="A ticker (ORCA, X:BTCUSD), the name of a company, the URL of a page, or the name or id of a channel.",
        ),
    ],
    world_seed: Annotated[int, typer.Option(help="The seed of the world.")] = 0,
    world_now: Annotated[
        str | None, typer.Option(help="The time that counts as now. (default: the world's end)")
    ] = None,
    old_seed: Annotated[int | None, typer.Option("--seed", hidden=True)] = None,
    old_now: Annotated[str | None, typer.Option("--now", hidden=True)] = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, max=1000, help="Maximum number of rows of each kind to show.")
    ] = 10,
    as_json: AsJson = False,
) -> None:
    """Show a company, a web page or a Slack channel of the world. The exit status is 1 if it does not exist."""
    from env_server.commands import world

    seed = world_seed if old_seed is None else old_seed
    world.run(subject, seed=seed, now=world_now or old_now, limit=limit, as_json=as_json)


new = typer.Typer(no_args_is_help=True, help="Write the files of something new.")


@new.callback()
def begin() -> None:
    """Write the files of something new."""


@new.command("domain")
def new_domain(
    name: Annotated[str, typer.Argument(help="The name of the domain and of its package, such as `lending`.")],
    into: Annotated[Path, typer.Option(help="The folder in which its own folder is made.")] = Path(),
    as_json: AsJson = False,
) -> None:
    """Write a package with a small domain that can be played at once: two tables, three tools, a policy and tasks."""
    from env_server.commands import new

    new.run(name, into, as_json=as_json)
