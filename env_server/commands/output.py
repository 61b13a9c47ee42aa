"""What commands print: tables for people, one JSON object for programs, one line for an error."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

import typer
from rich.console import Console
from rich.text import Text

from env_server.errors import DomainError, PackError, ProblemError
from env_server.records import StorageUnavailable

FAILED, MISUSED = 1, 2
"""Exit statuses: what was asked for did not hold; it could not be done at all."""


def console(*, as_json: bool) -> Console:
    """Where people read: the output, or beside it where the output is for programs."""
    return Console(stderr=as_json, highlight=False)


def print_json(result: Mapping[str, Any]) -> None:
    """Print `result` as one line of JSON."""
    typer.echo(json.dumps(result))


def plain(text: str) -> str:
    """`text` without control characters, so that nothing an agent or a server says can steer the terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)


def fail(message: str, status: int = MISUSED) -> NoReturn:
    """Print `message` as one line on the error output and end the program with `status`."""
    line = Text.assemble(("error: ", "bold red"), plain(" ".join(message.split())))
    Console(stderr=True, highlight=False).print(line, soft_wrap=True)
    raise typer.Exit(status)


@contextmanager
def readable_errors() -> Iterator[None]:
    """End the program with one line where something fails that a user can mend; defects keep their traceback."""
    try:
        yield
    except ProblemError as e:
        fail(e.detail)
    except (DomainError, PackError) as e:
        fail(str(e))
    except StorageUnavailable as e:
        fail(f"the database cannot be used: {e}")
