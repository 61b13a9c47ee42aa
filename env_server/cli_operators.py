"""The commands of operators: the database, the benchmark, and the groups `env-server tools` and `recordings`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from env_server.cli_options import AsJson

tools = typer.Typer(no_args_is_help=True, help="Look at MCP servers whose tools episodes may use.")


@tools.callback()
def look_at_tools() -> None:
    """Look at MCP servers whose tools episodes may use."""


@tools.command()
def check(
    mcp_config: Annotated[
        Path, typer.Option("--mcp-config", help="A JSON file with `mcpServers`, as desktop clients have it.")
    ],
    start: Annotated[float, typer.Option(min=1, max=600, help="Seconds that a server has to start.")] = 30,
    as_json: AsJson = False,
) -> None:
    """Start each server, list its tools and what they do, and call one that reads. Status 1 if one is not reached."""
    from env_server.commands import tools

    tools.run(mcp_config, start_s=start, as_json=as_json)


recordings = typer.Typer(no_args_is_help=True, help="Look after recorded results of MCP servers.")

Tag = Annotated[str, typer.Argument(help="The set of recordings, as `tools.tag` of a reset names it.")]


@recordings.callback()
def recordings_callback() -> None:
    """Look after recorded results of MCP servers."""


@recordings.command("list")
def recordings_list(as_json: AsJson = False) -> None:
    """Show how many results are recorded, by tag and server."""
    from env_server.commands import recordings

    recordings.show(as_json=as_json)


@recordings.command("export")
def recordings_export(
    tag: Tag,
    into: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="The file. (default: stdout)")] = None,
    vendor_data: Annotated[
        bool, typer.Option("--vendor-data", metavar="", help="Confirm: answers of vendors' servers may be passed on.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write the recordings of a tag as JSON lines."""
    from env_server.commands import recordings

    recordings.export(tag, into, vendor_data=vendor_data, as_json=as_json)


@recordings.command("import")
def recordings_import(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `export` wrote.")], as_json: AsJson = False
) -> None:
    """Store the recordings of a file. A recording that exists already is kept."""
    from env_server.commands import recordings

    recordings.take(path, as_json=as_json)


@recordings.command("prune")
def recordings_prune(
    tag: Tag,
    older_than: Annotated[float, typer.Option(metavar="DAYS", min=0, help="Delete only older ones (0: all).")] = 0.0,
    as_json: AsJson = False,
) -> None:
    """Delete the recordings of a tag."""
    from env_server.commands import recordings

    recordings.prune(tag, older_than, as_json=as_json)


database = typer.Typer()


@database.command()
def backup(to: Annotated[Path, typer.Argument(metavar="FILE", help="The new file.")]) -> None:
    """Copy the SQLite database to a new file, also while servers use it, and check the copy."""
    from env_server.commands.database import backup

    backup.run(to=to)


@database.command()
def migrate(
    check: Annotated[
        bool,
        typer.Option("--check", metavar="", help="Change nothing, and end with status 1 if a migration is pending."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Upgrade the database to the newest schema, or create it. A server does this itself when it starts."""
    from env_server.commands.database import migrate

    migrate.run(check=check, as_json=as_json)


OlderThan = Annotated[
    str, typer.Option("--older-than", metavar="AGE", help="The time since the episode ended: 30d, 12h, 90m, 45s or 2w.")
]


@database.command()
def prune(
    older_than: OlderThan,
    dry_run: Annotated[bool, typer.Option("--dry-run", metavar="", help="Count, and delete nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete closed episodes with all their turns, also while servers use the database. Live episodes stay.

    What episodes share stays too: packs, tasks, recordings, and results of evaluations.
    """
    from env_server.commands.database import prune

    prune.run(older_than, dry_run=dry_run, as_json=as_json)


@database.command()
def archive(
    older_than: OlderThan,
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="DIR", help="The folder of the files. (default: ENV_SERVER_ARCHIVE_DIR)"),
    ] = None,
    prune: Annotated[
        bool,
        typer.Option(
            "--prune", metavar="", help="Then delete the episodes of that age that the folder holds from the database."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write closed episodes to Parquet files, also while servers use the database. Needs pyarrow (extra `data`).

    A server whose ENV_SERVER_ARCHIVE_DIR names the folder returns the records of these episodes as before.
    """
    from env_server.commands.database import archive

    archive.run(older_than, to, prune=prune, as_json=as_json)


@database.command()
def trajectory(
    episode: Annotated[str, typer.Argument(help="The id of the episode.")],
    archive: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder of archived episodes. (default: ENV_SERVER_ARCHIVE_DIR)"),
    ] = None,
) -> None:
    """Print the whole record of an episode as JSON: messages, calls, rewards and state hashes of each turn."""
    from env_server.commands.database import trajectory

    trajectory.run(episode, archive)


@database.command()
def copy(
    to: Annotated[str, typer.Option("--to", metavar="URL", help="The new database, which must be empty.")],
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="URL", help="The database to copy. (default: ENV_SERVER_DATABASE_URL)"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Copy the whole database into an empty one, between SQLite and PostgreSQL too, and check every row of the copy."""
    from env_server.commands.database import copy

    copy.run(source, to, as_json=as_json)


@database.command()
def bench(  # noqa: PLR0913, PLR0917 -- each option is a parameter
    domain: Annotated[str, typer.Option(help="The domain whose tools and tasks are played.")] = "retail",
    seconds: Annotated[float | None, typer.Option(min=0.05, help="Duration of each measurement in each round.")] = None,
    sessions: Annotated[str | None, typer.Option(help="The numbers of sessions, such as 1,16,64,256.")] = None,
    quick: Annotated[
        bool, typer.Option("--quick", metavar="", help="Run one short round. The figures are less exact.")
    ] = False,
    scale: Annotated[
        int | None,
        typer.Option(
            min=2, max=100, help="Compare with a world that is this many times as large, and not with an echo."
        ),
    ] = None,
    users: Annotated[
        bool,
        typer.Option("--users", metavar="", help="Measure instead what 256 users that are models cost other episodes."),
    ] = False,
    mcp: Annotated[
        bool, typer.Option("--mcp", metavar="", help="Measure instead tool calls over MCP, compared with steps.")
    ] = False,
    peer: Annotated[
        str | None, typer.Option(help="With --mcp: compare with `openenv`. `make bench-openenv` installs it.")
    ] = None,
    tools: Annotated[
        bool,
        typer.Option("--tools", metavar="", help="Measure instead calls of the tool servers in the offline world."),
    ] = False,
    start: Annotated[
        bool,
        typer.Option(
            "--start", metavar="", help="Measure instead the start of the server and the first reset of each domain."
        ),
    ] = False,
    pages: Annotated[
        bool,
        typer.Option(
            "--pages",
            metavar="",
            help="Measure instead the pages for people, with 100 and 10,000 stored episodes.",
        ),
    ] = False,
    load: Annotated[
        int | None, typer.Option(min=2, max=4096, help="Measure instead the latencies at this many sessions and at 64.")
    ] = None,
    growth: Annotated[
        bool, typer.Option("--growth", metavar="", help="Measure instead steps beside up to 100,000 stored episodes.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", metavar="", help="Measure instead steps of episodes that left the memory.")
    ] = False,
    replicas: Annotated[
        int | None, typer.Option(min=2, max=16, help="Measure instead steps on this many servers of one database.")
    ] = None,
    database: Annotated[
        str | None, typer.Option(help="With --replicas: an empty PostgreSQL database, such as postgresql://host/name.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure steps, resets, memory and scoring on this machine, beside a bare echo. It takes two to three minutes."""
    from env_server.bench.command import bench

    effort: dict[str, Any] = {"seconds": seconds, "sessions": sessions, "quick": quick}
    others: dict[str, Any] = {"users": users, "mcp": mcp, "peer": peer, "tools": tools, "start": start, "pages": pages}
    others |= {"load": load, "growth": growth, "resume": resume, "replicas": replicas, "database": database}
    bench(domain=domain, **effort, as_json=as_json, scale=scale, **others)
