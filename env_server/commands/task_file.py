"""`env-server tasks check`: what is wrong with a file of tasks, line by line."""

from dataclasses import asdict
from pathlib import Path
from typing import Final

import typer

from env_server.commands.output import fail, print_json
from env_server.domains.configured.task_file import FaultyLine, TaskFileProblem, check_tasks

DOMAIN: Final = "mcp"
"""The domain of the checked tasks; it decides nothing."""


def run(file: Path, *, as_json: bool) -> None:
    """Print what is wrong, as text or as JSON `{tasks, faults: [{line, problem, plays}]}`. Status 1 if anything is."""
    try:
        checked = check_tasks(file, DOMAIN)
    except TaskFileProblem as e:
        fail(str(e))
    if as_json:
        print_json({"tasks": len(checked.tasks), "faults": [asdict(fault) for fault in checked.faults]})
    else:
        for fault in checked.faults:
            typer.echo(_said(fault))
        typer.echo(f"{len(checked.tasks)} tasks, {len(checked.faults) or 'no'} faults")
    if checked.faults:
        raise typer.Exit(1)


def _said(fault: FaultyLine) -> str:
    return f"line {fault.line}: {fault.problem}{' (has no effect)' if fault.plays else ''}"
