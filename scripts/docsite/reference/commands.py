"""The page of commands: `env-server`, `trainer`, and the tool servers."""

import argparse
from collections.abc import Iterator

import typer
from typer._click.core import Command
from typer.main import get_command

from env_server.cli import app
from mcp_servers.kit.serving.main import option_parser
from scripts.docsite.markdown import code, table
from scripts.docsite.reference.settings import SERVERS
from trainer_client.cli import parser

HEAD = """# Commands

*Generated from the code.* `--help` prints the same.

"""


def page() -> str:
    """Return the page."""
    ours = "".join(_typed(get_command(app), "env-server", None))
    trainers = "".join(_parsed(parser()))
    names = ", ".join(code(f"mcp-{name}") for name in SERVERS)
    servers = f"## Tool servers\n\n{names} have the same options.\n\n{_options(option_parser('polygon'))}"
    return HEAD + ours + trainers + servers


def _typed(command: Command, name: str, above: typer.Context | None) -> Iterator[str]:
    """Yield the text about a command of typer and about those below it."""
    context = typer.Context(command, info_name=name, parent=above)
    level = "##" if above is None else "###"
    records = [p.get_help_record(context) for p in command.get_params(context)]
    rows = [(code(names), text) for names, text in filter(None, records) if names != "--help"]
    yield f"{level} {context.command_path}\n\n{command.help or ''}\n\n{_rows(rows)}"
    for below, found in getattr(command, "commands", {}).items():
        yield from _typed(found, below, context)


def _parsed(found: argparse.ArgumentParser, level: str = "##") -> Iterator[str]:
    """Yield the text about a command of argparse and about those below it."""
    yield f"{level} {found.prog}\n\n{found.description or ''}\n\n{_options(found)}"
    for action in found._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from _parsed(below, "###")


def _options(found: argparse.ArgumentParser) -> str:
    formatter = argparse.HelpFormatter(found.prog)
    return _rows(
        [
            (code(formatter._format_action_invocation(action)), formatter._expand_help(action) if action.help else "")
            for action in found._actions
            if action.help != argparse.SUPPRESS
            and not isinstance(action, argparse._SubParsersAction | argparse._HelpAction)
        ]
    )


def _rows(rows: list[tuple[str, str]]) -> str:
    return table(("option", "meaning"), rows) if rows else ""
