"""The command line: options and their help. What a command does is in `env_server.commands`, imported when it runs."""

from typing import Annotated, Any

import typer

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Host episodes of tool-use domains.",
    pretty_exceptions_show_locals=False,
)

AsJson = Annotated[bool, typer.Option("--json", metavar="", help="Print one JSON object as the last line.")]
DomainName = Annotated[
    str | None,
    typer.Option("--domain", "-d", help="The domain; `env-server domains` lists them. (default: the only one)"),
]
PackName = Annotated[str, typer.Option("--pack", help="The source of its tasks.")]
Host = Annotated[
    str | None,
    typer.Option(help="The address to listen on. (default: ENV_SERVER_HOST, or 127.0.0.1)"),
]
Port = Annotated[
    int | None,
    typer.Option(min=0, max=65535, help="The port to listen on; 0: any free one. (default: ENV_SERVER_PORT, or 8000)"),
]


def _version(wanted: bool) -> None:
    if wanted:
        from env_server.api.document import VERSION

        typer.echo(VERSION)
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option("--version", metavar="", callback=_version, is_eager=True, help="Print the version and leave."),
    ] = False,
) -> None:
    """Host episodes of tool-use domains."""


@app.command()
def serve(
    host: Host = None,
    port: Port = None,
) -> None:
    """Start the server; every other setting is an ENV_SERVER_* variable, or stands in `.env`."""
    from env_server.commands import serve

    serve.run(host, port)


@app.command()
def domains(
    as_json: AsJson = False,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", metavar="", help="Print the builtin domains as the table of docs/domains.md.")
    ] = False,
) -> None:
    """List the domains with their packs, tasks and sizes."""
    if as_markdown:
        from env_server.commands import domain_table

        domain_table.run()
    else:
        from env_server.commands import domains

        domains.run(as_json=as_json)


@app.command()
def audit(
    domain: Annotated[str, typer.Argument(help="The domain; `env-server domains` lists them.")],
    pack: PackName = "builtin",
    split: Annotated[str | None, typer.Option(help="One split; all of them by default.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="The first tasks of each split; else all.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check that the tasks of a domain measure something: status 1 if any of them is faulty.

    The oracle must solve every task, and who does nothing, refuses, hands over or calls tools at random none.
    """
    from env_server.commands import audit

    audit.run(domain, pack, split, limit, as_json=as_json)


@app.command()
def tasks(
    domain: DomainName = None,
    pack: PackName = "builtin",
    split: Annotated[str | None, typer.Option(help="One split; all of them by default.")] = None,
    offset: Annotated[int, typer.Option(min=0, help="How many tasks to skip.")] = 0,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many tasks to show.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List the tasks of a domain."""
    from env_server.commands import setup, tasks

    tasks.run(setup.the_domain(domain), pack, split, offset, limit, as_json=as_json)


@app.command()
def play(  # noqa: PLR0913, PLR0917 -- each option is a parameter
    domain: DomainName = None,
    pack: PackName = "builtin",
    split: Annotated[str | None, typer.Option(help="The split of the task.")] = None,
    index: Annotated[int | None, typer.Option(min=0, help="Which task of the split; else the seed picks one.")] = None,
    task_id: Annotated[str | None, typer.Option(help="The task, instead of split and index.")] = None,
    seat: Annotated[
        str, typer.Option("--as", help="`agent`: you play; `oracle`: the reference solution does.")
    ] = "agent",
    user: Annotated[str | None, typer.Option(help="`scripted`, or `external` to play the user too.")] = None,
    seed: Annotated[int, typer.Option(help="Fixes everything random.")] = 0,
    url: Annotated[str | None, typer.Option(help="Play on this server instead of in this process.")] = None,
    key: Annotated[
        str | None,
        typer.Option(envvar="ENV_SERVER_KEY", show_envvar=True, help="The server's key, with --url."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play one episode in the terminal and see its reward explained."""
    from env_server.commands import play, setup
    from env_server.commands.play.chosen import Chosen

    chosen = Chosen(setup.the_domain(domain), pack, split, index, task_id, seat, user, seed, url, key)
    play.run(chosen, as_json=as_json)


@app.command()
def mcp(
    domain: DomainName = None,
    pack: PackName = "builtin",
    split: Annotated[str | None, typer.Option(help="The split of the task.")] = None,
    index: Annotated[int | None, typer.Option(min=0, help="Which task of the split; else the seed picks one.")] = None,
    task: Annotated[str | None, typer.Option(help="The task's id, instead of split and index.")] = None,
    user: Annotated[str | None, typer.Option(help="The user's strategy, such as `scripted` or `none`.")] = None,
    seed: Annotated[int, typer.Option(help="Fixes everything random.")] = 0,
) -> None:
    """Begin one episode and serve it over stdin and stdout to an MCP client; logs go to stderr.

    A running server offers each of its episodes to MCP clients at /episodes/{id}/mcp; see docs/mcp.md.
    """
    from env_server.commands import mcp, setup
    from env_server.commands.play.chosen import Chosen

    mcp.run(Chosen(setup.the_domain(domain), pack, split, index, task, user=user, seed=seed))


@app.command()
def verify(
    episode: Annotated[str | None, typer.Argument(help="The episode to check; `latest` is the newest.")] = None,
    base: Annotated[
        bool, typer.Option("--base", metavar="", help="Check the stored bases and the packs in memory.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", metavar="", help="Check every episode and every base.")] = False,
    as_json: AsJson = False,
) -> None:
    """Recompute state hashes from the rows in the database and compare them with the stored ones."""
    from env_server.commands import verify

    verify.run(episode, base=base, everything=everything, as_json=as_json)


@app.command()
def bench(
    domain: Annotated[str, typer.Option(help="Whose tools and tasks to play.")] = "retail",
    seconds: Annotated[float | None, typer.Option(min=0.05, help="Of each measurement, in each round.")] = None,
    sessions: Annotated[str | None, typer.Option(help="Numbers of sessions, such as 1,16,64,256.")] = None,
    quick: Annotated[bool, typer.Option("--quick", metavar="", help="One short round: a first impression.")] = False,
    scale: Annotated[
        int | None, typer.Option(min=2, max=100, help="Compare with a world so many times the size, not with an echo.")
    ] = None,
    mcp: Annotated[bool, typer.Option("--mcp", metavar="", help="Compare tool calls over MCP with steps.")] = False,
    peer: Annotated[str | None, typer.Option(help="With --mcp: `openenv`, after `make bench-openenv`.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure steps, resets, memory and scoring on this machine, beside a bare echo (two to three minutes)."""
    from env_server.bench.command import bench

    effort: dict[str, Any] = {"seconds": seconds, "sessions": sessions, "quick": quick}
    bench(domain=domain, **effort, as_json=as_json, scale=scale, mcp=mcp, peer=peer)


if __name__ == "__main__":
    app()
