"""`env-server tasks check`: what is wrong with a file of tasks, line by line."""

import asyncio
from dataclasses import asdict
from pathlib import Path

import typer

from env_server.commands.output import fail, print_json, readable_errors
from env_server.commands.setup import open_store, read_settings
from env_server.commands.task_check.solutions import DOMAIN, Tagged, wrong_solutions
from env_server.domains.configured.task_file import CheckedFile, FaultyLine, TaskFileProblem, check_tasks
from env_server.providers.live.config import ConfigProblem, read_config


def run(file: Path, *, tag: str | None, mcp_config: Path | None, as_json: bool) -> None:
    """Print what is wrong, as text or as JSON `{tasks, faults: [{line, problem, plays}]}`. Status 1 if anything is.

    With `tag` or `mcp_config`, the solutions are played, with the recordings of the tag and, for what is not recorded,
    with the servers of the configuration. Without a tag the servers answer each call.
    """
    try:
        checked = check_tasks(file, DOMAIN)
    except TaskFileProblem as e:
        fail(str(e))
    faults = list(checked.faults)
    solved = None
    if tag is not None or mcp_config is not None:
        faults += _wrong(checked, tag, mcp_config)
        solved = sum(bool(task.gold.actions) for task in checked.tasks)
    if as_json:
        played = {} if solved is None else {"solutions": solved}
        print_json({"tasks": len(checked.tasks), **played, "faults": [asdict(fault) for fault in faults]})
    else:
        for fault in faults:
            typer.echo(_said(fault))
        played_text = "" if solved is None else f", {_counted(solved, 'solution')} played"
        typer.echo(f"{_counted(len(checked.tasks), 'task')}{played_text}, {_counted(len(faults), 'fault')}")
    if faults:
        raise typer.Exit(1)


def _wrong(checked: CheckedFile, tag: str | None, mcp_config: Path | None) -> list[FaultyLine]:
    async def play() -> list[FaultyLine]:
        recorded = None if tag is None else Tagged(open_store(read_settings()), tag)
        try:
            wrong = await wrong_solutions(checked.tasks, recorded, config)
        finally:
            if recorded is not None:
                await recorded.store.close()
        return [FaultyLine(checked.lines[task.task_id], problem) for task, problem in wrong]

    try:
        config = None if mcp_config is None else read_config(mcp_config)
    except ConfigProblem as e:
        fail(str(e))
    with readable_errors():
        return asyncio.run(play())


def _said(fault: FaultyLine) -> str:
    return f"line {fault.line}: {fault.problem}{' (has no effect)' if fault.plays else ''}"


def _counted(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
