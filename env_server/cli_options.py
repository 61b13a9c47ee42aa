"""Options that several commands have, and options that have another name now."""

from collections.abc import Callable
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", metavar="", help="Print one JSON object as the last line.")]
DomainName = Annotated[
    str | None,
    typer.Option("--domain", "-d", help="The domain. `env-server domains` lists the domains. (default: the only one)"),
]
PackName = Annotated[str, typer.Option("--pack", help="The pack, which is the source of the tasks.")]
Difficulty = Annotated[
    str | None, typer.Option(metavar="LEVEL", help="Only tasks of this difficulty: 1 to 5, or a range such as 1-3.")
]
Task = Annotated[str | None, typer.Option("--task", help="The id of the task, instead of split and index.")]
ToolsMode = Annotated[
    str | None,
    typer.Option(help="How tools of MCP servers are called: `live`, `record`, `replay` or `replay_or_live`."),
]
RecordingTag = Annotated[
    str | None, typer.Option("--tag", help="The recordings to use, if --tools-mode says what to do with them.")
]
PolicyUrl = Annotated[
    str | None,
    typer.Option(
        "--policy-url",
        envvar="OPENAI_BASE_URL",
        show_envvar=True,
        help="The endpoint of `openai:MODEL`. (default: OpenAI)",
    ),
]


def renamed(new: str) -> Callable[[str | None], None]:
    """Return the callback of an option or argument that is called `new` now. If it is given, it ends the program."""

    def refuse(given: str | None) -> None:
        if given is not None:
            from env_server.commands.output import fail

            fail(new.format(given))

    return refuse


OldTaskId = Annotated[
    str | None, typer.Option("--task-id", hidden=True, callback=renamed("--task-id is --task now: --task {}"))
]
OldAgentUrl = Annotated[
    str | None, typer.Option("--agent-url", hidden=True, callback=renamed("--agent-url is --policy-url now"))
]
OldDomain = Annotated[
    str | None,
    typer.Argument(hidden=True, callback=renamed("the domain is an option here, as in all commands: --domain {}")),
]
