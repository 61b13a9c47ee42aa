"""The command line: options and their help. What a command does is in `env_server.commands`, imported when it runs."""

from typing import Annotated, Any, Literal

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
Difficulty = Annotated[
    str | None, typer.Option(metavar="LEVEL", help="Tasks of this difficulty alone: 1 to 5, or a range such as 1-3.")
]
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
        from env_server.api.openapi import VERSION

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
    from env_server.gc_tuning import uncollected

    with uncollected():
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
    policies: Annotated[
        str | None,
        typer.Option(help="Who plays, with commas between: `crawl-refuse,crawl-lie`; by default a choice of them."),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Let every policy play, also those that take long.")] = False,
    lessons: Annotated[int, typer.Option(min=1, help="The train tasks that `opening` learns from, at most.")] = 400,
    as_json: AsJson = False,
) -> None:
    """Check that the tasks of a domain measure something: status 1 if any of them is faulty.

    The oracle must solve every task, and who does nothing, refuses, hands over or calls tools at random none.
    """
    from env_server.commands import audit

    audit.run(audit.AuditOptions(domain, pack, split, limit, policies, full, lessons), as_json=as_json)


@app.command()
def tasks(
    domain: DomainName = None,
    pack: PackName = "builtin",
    split: Annotated[str | None, typer.Option(help="One split; all of them by default.")] = None,
    difficulty: Difficulty = None,
    order: Annotated[
        Literal["id", "difficulty"], typer.Option(help="As in their splits, or from easy to hard.")
    ] = "id",
    offset: Annotated[int, typer.Option(min=0, help="How many tasks to skip.")] = 0,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many tasks to show.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List the tasks of a domain."""
    from env_server.commands import setup, tasks

    tasks.run(setup.the_domain(domain), pack, (split, difficulty, order), offset, limit, as_json=as_json)


@app.command("eval")
def evaluate(  # noqa: PLR0913, PLR0917 -- each option is a parameter
    domain: DomainName = None,
    policy: Annotated[
        str,
        typer.Option(
            help="Who plays the agent: `oracle`, `null`, `refuse`, `transfer`, `random`, `heuristic` or `openai:MODEL`."
        ),
    ] = "oracle",
    pack: PackName = "builtin",
    split: Annotated[str, typer.Option(help="Whose tasks to play.")] = "test",
    limit: Annotated[int | None, typer.Option(min=1, help="The first tasks of the split; else all.")] = None,
    trials: Annotated[int, typer.Option("--trials", "-k", min=1, max=1000, help="How often to play each task.")] = 1,
    concurrency: Annotated[
        int, typer.Option("--concurrency", "-c", min=1, max=4096, help="Episodes that are played at a time.")
    ] = 16,
    seed: Annotated[int, typer.Option(help="Fixes everything random; trial t plays with seed + t.")] = 0,
    user: Annotated[
        str | None,
        typer.Option(
            help="Who plays the user: `scripted`, `llm`, `react`, `verify`, `reflection`, `none`; or, where a rule "
            "plays the agent, `external`, who obliges it. (default: the task's)"
        ),
    ] = None,
    user_model: Annotated[
        str | None, typer.Option(help="The model that plays the user. (default: ENV_SERVER_USER_MODEL)")
    ] = None,
    max_turns: Annotated[int, typer.Option(min=1, max=1000, help="Messages of the agent in an episode.")] = 36,
    tool_format: Annotated[
        Literal["native", "hermes", "json"],
        typer.Option("--format", help="How a model calls tools: by the protocol, or as text in one of two ways."),
    ] = "native",
    temperature: Annotated[
        float | None, typer.Option(min=0, max=2, help="The model's. (default: the endpoint's)")
    ] = None,
    policy_url: Annotated[
        str | None,
        typer.Option(envvar="OPENAI_BASE_URL", show_envvar=True, help="Where the model answers. (default: OpenAI)"),
    ] = None,
    policy_key: Annotated[
        str | None,
        typer.Option(
            envvar="ENV_SERVER_POLICY_KEY",
            show_envvar=True,
            help="The key of that endpoint. (OpenAI, or OPENAI_BASE_URL, gets OPENAI_API_KEY without it)",
        ),
    ] = None,
    url: Annotated[str | None, typer.Option(help="Play on this server (http://HOST:PORT) instead of here.")] = None,
    key: Annotated[
        str | None,
        typer.Option(envvar="ENV_SERVER_KEY", show_envvar=True, help="The server's key, with --url."),
    ] = None,
    run: Annotated[
        str | None, typer.Option(help="The name of the results. (default: made of the options above)")
    ] = None,
    out: Annotated[
        str | None, typer.Option(help="The folder for report and results. (default: eval-results/RUN)")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play a split with a policy, as often as you like, and report how good it is: success, pass^k, and why it failed.

    Started again after whatever interruption, the same command goes on where it was. Status 1 if episodes are left, 130
    if you end it by Ctrl-C.
    """
    from env_server.commands import evaluate, setup
    from env_server.commands.evaluate.options import EvalOptions

    asked = EvalOptions(
        domain=setup.the_domain(domain),
        pack=pack,
        split=split,
        policy=policy,
        limit=limit,
        trials=trials,
        seed=seed,
        user=user,
        user_model=user_model,
        max_turns=max_turns,
        format=tool_format,
        temperature=temperature,
        policy_url=policy_url,
        policy_key=policy_key,
        url=url,
        key=key,
        run=run,
        out=out,
        concurrency=concurrency,
    )
    evaluate.run(asked, as_json=as_json)


@app.command()
def compare(
    first: Annotated[
        str, typer.Argument(metavar="RUN_A", help="A run of `eval`, or the folder or file that it wrote.")
    ],
    second: Annotated[str, typer.Argument(metavar="RUN_B", help="Another, which played the same tasks.")],
    as_json: AsJson = False,
) -> None:
    """Compare two runs task by task: what differs, and whether that may be chance."""
    from env_server.commands import compare

    compare.run(first, second, as_json=as_json)


@app.command()
def play(  # noqa: PLR0913, PLR0917 -- each option is a parameter
    domain: DomainName = None,
    pack: PackName = "builtin",
    split: Annotated[str | None, typer.Option(help="The split of the task.")] = None,
    index: Annotated[int | None, typer.Option(min=0, help="Which task of the split; else the seed picks one.")] = None,
    difficulty: Difficulty = None,
    task_id: Annotated[str | None, typer.Option(help="The task, instead of split and index.")] = None,
    seat: Annotated[
        str,
        typer.Option(
            "--as",
            help="Your seat: `agent`, `user`, `both` or `nobody`; `oracle` shows the reference solution.",
        ),
    ] = "agent",
    agent: Annotated[
        str | None,
        typer.Option(
            help="Who plays the agent, if you do not: `oracle` (the default), `heuristic`, `random`, `refuse`, "
            "`transfer`, `null` or `openai:MODEL`."
        ),
    ] = None,
    agent_url: Annotated[
        str | None,
        typer.Option(
            envvar="OPENAI_BASE_URL",
            show_envvar=True,
            help="The endpoint of `openai:MODEL`; its key is ENV_SERVER_POLICY_KEY, or, where it is OpenAI or "
            "OPENAI_BASE_URL, OPENAI_API_KEY.",
        ),
    ] = None,
    user: Annotated[
        str | None,
        typer.Option(
            help="Who plays the user, if you do not: `scripted`, `llm`, `react`, `verify`, `reflection`, or `none`."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Fixes everything random.")] = 0,
    url: Annotated[str | None, typer.Option(help="Play on this server instead of in this process.")] = None,
    key: Annotated[
        str | None,
        typer.Option(envvar="ENV_SERVER_KEY", show_envvar=True, help="The server's key, with --url."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play one episode in the terminal, on either side, or watch it; then see its reward explained."""
    from env_server.commands import play, setup
    from env_server.commands.play.options import PlayOptions

    which = setup.the_domain(domain), pack, split, index, task_id
    play.run(PlayOptions(*which, seat, agent, agent_url, user, seed, url, key, difficulty), as_json=as_json)


@app.command()
def mcp(
    domain: DomainName = None,
    pack: PackName = "builtin",
    split: Annotated[str | None, typer.Option(help="The split of the task.")] = None,
    index: Annotated[int | None, typer.Option(min=0, help="Which task of the split; else the seed picks one.")] = None,
    difficulty: Difficulty = None,
    task: Annotated[str | None, typer.Option(help="The task's id, instead of split and index.")] = None,
    user: Annotated[str | None, typer.Option(help="The user's strategy, such as `scripted` or `none`.")] = None,
    seed: Annotated[int, typer.Option(help="Fixes everything random.")] = 0,
) -> None:
    """Begin one episode and serve it over stdin and stdout to an MCP client; logs go to stderr.

    A running server offers each of its episodes to MCP clients at /episodes/{id}/mcp; see docs/mcp.md.
    """
    from env_server.commands import mcp, setup
    from env_server.commands.play.options import PlayOptions

    mcp.run(
        PlayOptions(setup.the_domain(domain), pack, split, index, task, user=user, seed=seed, difficulty=difficulty)
    )


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
def bench(  # noqa: PLR0913, PLR0917 -- each option is a parameter
    domain: Annotated[str, typer.Option(help="Whose tools and tasks to play.")] = "retail",
    seconds: Annotated[float | None, typer.Option(min=0.05, help="Of each measurement, in each round.")] = None,
    sessions: Annotated[str | None, typer.Option(help="Numbers of sessions, such as 1,16,64,256.")] = None,
    quick: Annotated[bool, typer.Option("--quick", metavar="", help="One short round: a first impression.")] = False,
    scale: Annotated[
        int | None, typer.Option(min=2, max=100, help="Compare with a world so many times the size, not with an echo.")
    ] = None,
    users: Annotated[
        bool,
        typer.Option("--users", metavar="", help="What 256 users that are models cost other episodes, instead."),
    ] = False,
    mcp: Annotated[bool, typer.Option("--mcp", metavar="", help="Compare tool calls over MCP with steps.")] = False,
    peer: Annotated[str | None, typer.Option(help="With --mcp: `openenv`, after `make bench-openenv`.")] = None,
    tools: Annotated[
        bool, typer.Option("--tools", metavar="", help="Calls of the tool servers in the offline world, instead.")
    ] = False,
    start: Annotated[
        bool, typer.Option("--start", metavar="", help="What a start of the server costs, and a first reset, instead.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure steps, resets, memory and scoring on this machine, beside a bare echo (two to three minutes)."""
    from env_server.bench.command import bench

    effort: dict[str, Any] = {"seconds": seconds, "sessions": sessions, "quick": quick}
    others: dict[str, Any] = {"users": users, "mcp": mcp, "peer": peer, "tools": tools, "start": start}
    bench(domain=domain, **effort, as_json=as_json, scale=scale, **others)


world = typer.Typer(no_args_is_help=True, help="Look at the offline world, in which tool servers work without keys.")
app.add_typer(world, name="world")


@world.callback()
def look() -> None:
    """Look at the offline world, in which tool servers work without keys."""


@world.command()
def show(
    subject: Annotated[
        str,
        typer.Argument(
            metavar="TICKER|PAGE|CHANNEL",
            help="A ticker (ORCA, X:BTCUSD) or a company's name, the address of a page, or a channel's name or id.",
        ),
    ],
    seed: Annotated[int, typer.Option(help="The seed of the world.")] = 0,
    now: Annotated[str | None, typer.Option(help="The time that counts as now. (default: the world's end)")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="How much of each thing to show.")] = 10,
    as_json: AsJson = False,
) -> None:
    """Show a company, a web page or a Slack channel of the world. Status 1 if there is none such."""
    from env_server.commands import world

    world.run(subject, seed=seed, now=now, limit=limit, as_json=as_json)


if __name__ == "__main__":
    app()
