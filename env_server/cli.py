"""The command line: options and their help. What a command does is in `env_server.commands`, imported when it runs."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from env_server.cli_authors import new, world
from env_server.cli_operators import database, recordings, tools
from env_server.cli_options import (
    AsJson,
    Difficulty,
    DomainName,
    OldAgentUrl,
    OldDomain,
    OldTaskId,
    PackName,
    PolicyUrl,
    RecordingTag,
    Task,
    ToolsMode,
)

app = typer.Typer(
    no_args_is_help=True,
    help="Host episodes of tool-use domains.",
    pretty_exceptions_show_locals=False,
)

Host = Annotated[
    str | None,
    typer.Option(help="The address to listen on. (default: ENV_SERVER_HOST, or 127.0.0.1)"),
]
Port = Annotated[
    int | None,
    typer.Option(
        min=0, max=65535, help="The port to listen on. 0 takes any free port. (default: ENV_SERVER_PORT, or 8000)"
    ),
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
        typer.Option("--version", metavar="", callback=_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Host episodes of tool-use domains."""


@app.command()
def serve(
    host: Host = None,
    port: Port = None,
    mcp_config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="MCP servers, as desktop clients name them; needs --tasks.")
    ] = None,
    tasks: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The tasks for these servers, as JSON lines.")
    ] = None,
    policy: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The rules for agents with these servers.")
    ] = None,
) -> None:
    """Start the server. All other settings are ENV_SERVER_* variables, or lines of the file `.env`."""
    from env_server.gc_tuning import begin_freezing, uncollected

    begin_freezing()
    with uncollected():
        from env_server.commands import serve

    serve.run(host=host, port=port, mcp_config=mcp_config, mcp_tasks=tasks, mcp_policy=policy)


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Check what a server needs: versions, database, disk, port, packs, keys and models. Status 1 if a check fails."""
    from env_server.commands import doctor

    doctor.run(as_json=as_json)


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
def audit(  # noqa: PLR0913, PLR0917 -- each option is a parameter
    domain: DomainName = None,
    old_domain: OldDomain = None,  # noqa: ARG001 -- its callback refuses it
    pack: PackName = "builtin",
    split: Annotated[str | None, typer.Option(help="The split. (default: all)")] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Number of tasks of each split, from the first. (default: all)")
    ] = None,
    policies: Annotated[
        str | None,
        typer.Option(
            help="The policies that play, separated by commas: `crawl-refuse,crawl-lie`. (default: a selection)"
        ),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Play all policies, also the slow ones.")] = False,
    lessons: Annotated[
        int, typer.Option(min=1, help="Maximum number of train tasks from which `opening` learns.")
    ] = 400,
    as_json: AsJson = False,
) -> None:
    """Check that the tasks of a domain measure something. The exit status is 1 if a task is faulty.

    The oracle must solve every task. Policies that do nothing, refuse, transfer or call tools at random must solve
    none.
    """
    from env_server.commands import audit, setup

    audit.run(
        audit.AuditOptions(setup.the_domain(domain), pack, split, limit, policies, full, lessons), as_json=as_json
    )


listing = typer.Typer(invoke_without_command=True, help="List the tasks of a domain, or check a file of tasks.")
app.add_typer(listing, name="tasks")


@listing.callback()
def tasks(  # noqa: PLR0913, PLR0917 -- each option is a parameter
    context: typer.Context,
    domain: DomainName = None,
    pack: PackName = "builtin",
    split: Annotated[str | None, typer.Option(help="The split. (default: all)")] = None,
    difficulty: Difficulty = None,
    order: Annotated[
        Literal["id", "difficulty"], typer.Option(help="`id`: as in the splits. `difficulty`: from easy to hard.")
    ] = "id",
    offset: Annotated[int, typer.Option(min=0, help="Number of tasks to skip.")] = 0,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Number of tasks to show.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List the tasks of a domain, or check a file of tasks."""
    if context.invoked_subcommand is not None:
        return
    from env_server.commands import setup, tasks

    tasks.run(setup.the_domain(domain), pack, (split, difficulty, order), offset, limit, as_json=as_json)


@listing.command("check")
def check_tasks(
    file: Annotated[Path, typer.Argument(help="A file of tasks for `serve --tasks`: JSON lines, or one JSON list.")],
    tag: Annotated[
        str | None, typer.Option(help="Play the solutions (`gold`) with the results recorded under this tag.")
    ] = None,
    mcp_config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Play the solutions with these servers. With --tag, ask only for what is not recorded, and record it.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say line by line what is wrong with a file of tasks. The exit status is 1 if anything is.

    It also names what has no effect in a row of a training set, such as an expression that nobody can compute. A server
    plays such a row all the same. With a tag, it names each recording that a solution lacks, and each solution that
    does not earn the reward 1.
    """
    from env_server.commands.task_check import command

    command.run(file, tag=tag, mcp_config=mcp_config, as_json=as_json)


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
    split: Annotated[str, typer.Option(help="The split of the tasks.")] = "test",
    limit: Annotated[
        int | None, typer.Option(min=1, help="Number of tasks of the split, from the first. (default: all)")
    ] = None,
    trials: Annotated[
        int, typer.Option("--trials", "-k", min=1, max=1000, help="Number of times to play each task.")
    ] = 1,
    concurrency: Annotated[
        int, typer.Option("--concurrency", "-c", min=1, max=4096, help="Number of episodes at the same time.")
    ] = 16,
    seed: Annotated[int, typer.Option(help="The seed of everything random. Trial t has seed + t.")] = 0,
    user: Annotated[
        str | None,
        typer.Option(
            help="Who plays the user: `scripted`, `llm`, `react`, `verify`, `reflection` or `none`. If a rule plays "
            "the agent, also `external`, a user that always agrees. (default: the task's)"
        ),
    ] = None,
    user_model: Annotated[
        str | None, typer.Option(help="The model that plays the user. (default: ENV_SERVER_USER_MODEL)")
    ] = None,
    max_turns: Annotated[
        int, typer.Option(min=1, max=1000, help="Maximum number of the agent's messages in an episode.")
    ] = 36,
    tool_format: Annotated[
        str,
        typer.Option(
            "--format",
            help="How a model calls tools: `native` (by the protocol), or as text in a format such as `hermes`.",
        ),
    ] = "native",
    temperature: Annotated[
        float | None, typer.Option(min=0, max=2, help="The temperature of the model. (default: the endpoint's)")
    ] = None,
    tools_mode: ToolsMode = None,
    tag: RecordingTag = None,
    policy_url: PolicyUrl = None,
    policy_key: Annotated[
        str | None,
        typer.Option(
            envvar="ENV_SERVER_POLICY_KEY",
            show_envvar=True,
            help="The key of that endpoint. (default for OpenAI and OPENAI_BASE_URL: OPENAI_API_KEY)",
        ),
    ] = None,
    url: Annotated[
        str | None, typer.Option(help="Play on this server (http://HOST:PORT) and not in this process.")
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(envvar="ENV_SERVER_KEY", show_envvar=True, help="The key of the server of --url."),
    ] = None,
    run: Annotated[str | None, typer.Option(help="The name of the run. (default: made from the options above)")] = None,
    out: Annotated[
        str | None, typer.Option(help="The folder for the report and the results. (default: eval-results/RUN)")
    ] = None,
    html: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Also write the report with its transcripts as one HTML file that can be mailed."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play the tasks of a split with a policy, and report the results: success, pass^k, and the reasons of failures.

    After an interruption, the same command continues the run. The exit status is 1 if episodes are left, and 130 after
    Ctrl-C.
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
        tools_mode=tools_mode,
        tag=tag,
        url=url,
        key=key,
        run=run,
        out=out,
        html=html,
        concurrency=concurrency,
    )
    evaluate.run(asked, as_json=as_json)


@app.command()
def view(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE|DB",
            help="Trajectories (JSON or JSON lines), an archive (Parquet file or folder), a database (SQLite file or "
            "URL), or results of tau2-bench or tau-bench.",
        ),
    ],
    run: Annotated[str | None, typer.Option(help="Only this run, of a database.")] = None,
    task: Annotated[str | None, typer.Option(help="Only episodes of the task with this id.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="Maximum number of episodes that are read.")] = 2000,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The file to write. (default: one in a new temporary folder)")
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the file in a browser, if there is one.")] = True,
    as_json: AsJson = False,
) -> None:
    """Show episodes that are stored elsewhere: figures, failures and transcripts as one HTML file.

    The source is only read. The file has the views of the page and of `eval --html`, and at most 100 transcripts.
    """
    from env_server.commands import view

    view.run(source, run=run, task=task, limit=limit, html=html, browser=browser, as_json=as_json)


@app.command()
def compare(
    first: Annotated[str, typer.Argument(metavar="RUN_A", help="A run of `eval`, or its folder or file.")],
    second: Annotated[str, typer.Argument(metavar="RUN_B", help="Another run of the same tasks.")],
    as_json: AsJson = False,
) -> None:
    """Compare two runs task by task: the differences, and whether they may be chance."""
    from env_server.commands import compare

    compare.run(first, second, as_json=as_json)


@app.command()
def play(  # noqa: PLR0913, PLR0917 -- each option is a parameter
    domain: DomainName = None,
    pack: PackName = "builtin",
    split: Annotated[str | None, typer.Option(help="The split of the task.")] = None,
    index: Annotated[
        int | None, typer.Option(min=0, help="The index of the task in the split. (default: the seed chooses a task)")
    ] = None,
    difficulty: Difficulty = None,
    task: Task = None,
    old_task_id: OldTaskId = None,  # noqa: ARG001 -- its callback refuses it
    resume: Annotated[
        str | None,
        typer.Option(metavar="EPISODE", help="Go on from the newest turn of this episode, in a copy of it."),
    ] = None,
    seat: Annotated[
        str,
        typer.Option(
            "--as",
            help="What you play: `agent`, `user`, `both` or `nobody`. `oracle` shows the reference solution.",
        ),
    ] = "agent",
    agent: Annotated[
        str | None,
        typer.Option(
            help="Who plays the agent if you do not: `oracle` (the default), `heuristic`, `random`, `refuse`, "
            "`transfer`, `null` or `openai:MODEL`."
        ),
    ] = None,
    policy_url: PolicyUrl = None,
    old_agent_url: OldAgentUrl = None,  # noqa: ARG001 -- its callback refuses it
    user: Annotated[
        str | None,
        typer.Option(
            help="Who plays the user if you do not: `scripted`, `llm`, `react`, `verify`, `reflection` or `none`."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of everything random.")] = 0,
    url: Annotated[
        str | None, typer.Option(help="Play on this server (http://HOST:PORT) and not in this process.")
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(envvar="ENV_SERVER_KEY", show_envvar=True, help="The key of the server of --url."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play one episode in the terminal, as the agent or the user, or watch it. The end explains the reward."""
    from env_server.commands import play, setup
    from env_server.commands.play.options import PlayOptions

    named = "" if resume is not None and domain is None else setup.the_domain(domain)
    which = named, pack, split, index, task
    options = PlayOptions(*which, seat, agent, policy_url, user, seed, url, key, difficulty, resume)
    play.run(options, as_json=as_json)


@app.command()
def mcp(
    domain: DomainName = None,
    pack: PackName = "builtin",
    split: Annotated[str | None, typer.Option(help="The split of the task.")] = None,
    index: Annotated[
        int | None, typer.Option(min=0, help="The index of the task in the split. (default: the seed chooses a task)")
    ] = None,
    difficulty: Difficulty = None,
    task: Task = None,
    user: Annotated[str | None, typer.Option(help="How the user is played, such as `scripted` or `none`.")] = None,
    seed: Annotated[int, typer.Option(help="The seed of everything random.")] = 0,
) -> None:
    """Begin one episode and serve it over stdin and stdout to an MCP client. Logs go to stderr.

    A running server offers each of its episodes to MCP clients at /episodes/{id}/mcp. See docs/mcp.md.
    """
    from env_server.commands import mcp, setup
    from env_server.commands.play.options import PlayOptions

    mcp.run(
        PlayOptions(setup.the_domain(domain), pack, split, index, task, user=user, seed=seed, difficulty=difficulty)
    )


@app.command()
def verify(
    episode: Annotated[
        str | None, typer.Argument(help="The id of the episode to check. `latest` is the newest episode.")
    ] = None,
    base: Annotated[
        bool, typer.Option("--base", metavar="", help="Check the stored bases, and their packs in memory.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", metavar="", help="Check every episode and every base.")] = False,
    as_json: AsJson = False,
) -> None:
    """Recompute state hashes from the rows in the database and compare them with the stored ones."""
    from env_server.commands import verify

    verify.run(episode, base=base, everything=everything, as_json=as_json)


app.add_typer(database)
app.add_typer(world, name="world")
app.add_typer(new, name="new")
app.add_typer(tools, name="tools")
app.add_typer(recordings, name="recordings")


if __name__ == "__main__":
    app()
