"""The reader of tau-bench-style tasks: `{"tasks": [{instruction, actions, outputs?, domain}]}`.

It accepts the variants that people write: nested values as such or as JSON text, files with a bare list or one task per
line, and rows of the original training environment. It drops each task that it cannot read, with the reason.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trainer_client.dataset.errors import DataError
from trainer_client.dataset.row_files import read_parquet
from trainer_client.skyrl.original import about, difficulty_of, is_original, level, task_of
from trainer_client.skyrl.own_task import SourceTask, flaw, nested, read, read_calls, read_outputs, read_turns

MARKED = "utf-8-sig"
"""UTF-8, with or without the mark with which some editors begin a file."""

_FORM = "wanted is an object with `domain`, `instruction`, `actions` and, if any, `outputs`"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An item that is not a task, and why."""

    position: int
    domain: str | None
    why: str


def read_file(path: Path) -> list[Any]:
    """The items of the file at `path`, not parsed as tasks yet.

    Raises:
        DataError: if it is not a file of tasks.
    """
    if path.suffix == ".parquet":
        return list(read_parquet(path))
    try:
        found = read_lines(path) if path.suffix == ".jsonl" else json.loads(path.read_text(encoding=MARKED))
        listed = nested(found["tasks"] if isinstance(found, Mapping) else found)
    except OSError as e:
        raise DataError(f"{path} cannot be read: {e.strerror}") from e
    except KeyError as e:
        raise DataError(f"{path} has no key 'tasks'") from e
    except (ValueError, RecursionError) as e:
        raise DataError(f"{path} is no JSON: {e}") from e
    if not isinstance(listed, list):
        raise DataError(f"{path} holds no list of tasks")
    return listed


def read_tasks(
    listed: Sequence[Any], domain: str | None = None, pack: str | None = None
) -> tuple[list[SourceTask], list[Unreadable]]:
    """Divide a list into tasks, which by default belong to `domain`, and items that are not tasks.

    With a `pack`, a row that names another one is not one of its tasks.
    """
    tasks: list[SourceTask] = []
    unreadable: list[Unreadable] = []
    for position, item in enumerate(listed):
        try:
            tasks.append(_task(position, item, domain, pack))
        except (ValueError, RecursionError) as e:  # a UnicodeEncodeError is a ValueError
            named = item.get("domain", domain) if isinstance(item, Mapping) else domain
            unreadable.append(Unreadable(position, named if isinstance(named, str) else None, str(e)[:200]))
    return tasks, unreadable


def read_lines(path: Path) -> list[Any]:
    """The values of a file of JSON lines.

    Raises:
        DataError: if a line is no JSON; the message has its number.
        OSError: if the file cannot be read.
    """
    found = []
    for number, line in enumerate(
        path.read_text(encoding=MARKED).split("\n"), 1
    ):  # only a line feed ends a line: strings may hold U+2028
        try:
            found += [json.loads(line)] if line.strip() else []
        except (ValueError, RecursionError) as e:
            raise DataError(f"{path}, line {number}, is no JSON: {flaw(e)}") from e
    return found


def _task(position: int, item: Any, domain: str | None, pack: str | None) -> SourceTask:
    fields = read("it", item)
    if not isinstance(fields, Mapping):
        raise ValueError(f"it is no object; {_FORM}")
    if is_original(fields):
        named = about(fields).get("pack")
        if None not in (named, pack) and named != pack:
            raise ValueError(f"it is a task of the pack {named!r:.100}, and not of {pack!r}: --pack says which")
        return task_of(fields, position, domain)
    found = fields.get("domain") or domain
    if not isinstance(found, str):
        raise ValueError("it names no domain")
    instruction = fields.get("instruction")
    if not isinstance(instruction, str) or not instruction.strip():
        tau2 = ", but tau2-bench's form, whose tasks the pack tau2 has" if "user_scenario" in fields else ""
        raise ValueError(f"it has no instruction{tau2}; {_FORM}")
    calls, outputs = read_calls(fields.get("actions")), read_outputs(fields.get("outputs"))
    turns, grade = read_turns(fields.get("max_turns")), level(difficulty_of(fields))
    return SourceTask(position, found, instruction, calls, outputs, turns, grade)
