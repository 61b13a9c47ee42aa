"""The output of commands: tables for people, one JSON object for programs, one line for an error."""

import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import typer
from rich.console import Console
from rich.text import Text

from env_server.errors import DomainError, PackError, ProblemError
from env_server.records import StorageUnavailable

FAILED, MISUSED, INTERRUPTED = 1, 2, 130
"""Exit statuses. `FAILED`: a check did not hold. `MISUSED`: the command could not be carried out. `INTERRUPTED`: Ctrl-C
ended it."""


def console(*, as_json: bool) -> Console:
    """Return the console for people: stdout, or stderr if stdout carries JSON."""
    return Console(stderr=as_json, highlight=False)


def print_json(result: Mapping[str, Any]) -> None:
    """Print `result` as one line of JSON."""
    typer.echo(json.dumps(result))


def program(name: str = "env-server") -> str:
    """Return the command that runs a program of this environment: its name if a shell finds it, else its path."""
    path = Path(sys.executable).parent / name
    if not path.exists() or shutil.which(name) == str(path):
        return name
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def plain(text: str) -> str:
    """Return `text` without control characters, so that text of an agent or a server cannot control the terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)


def fail(message: str, status: int = MISUSED) -> NoReturn:
    """Print `message` as one line on stderr and end the program with `status`."""
    line = Text.assemble(("error: ", "bold red"), plain(" ".join(message.split())))
    Console(stderr=True, highlight=False).print(line, soft_wrap=True)
    raise typer.Exit(status)


@contextmanager
def readable_errors() -> Iterator[None]:
    """End the program with one line for errors that a user can fix. Defects keep their traceback."""
    try:
        yield
    except ProblemError as e:
        fail(e.detail)
    except (DomainError, PackError) as e:
        fail(str(e))
    except StorageUnavailable as e:
        fail(f"the database cannot be used: {e}")
