"""The reader of tau-bench-style tasks: `{"tasks": [{instruction, actions, outputs?, domain}]}`.

It accepts the variants that people write: nested values as such or as JSON text, arguments as `arguments` or `kwargs`,
and files with a bare list or one task per line. It drops each task that it cannot read, with the reason.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from trainer_client.dataset.errors import DataError

LARGEST = 262_144
"""The most bytes of a task that a server takes."""

DEEPEST = 64
"""The deepest nesting of arguments that a server takes."""

MOST_TURNS = 1000
"""The most turns that a server allows."""

_FORM = "wanted is an object with `domain`, `instruction`, `actions` and, if any, `outputs`"

_SIDES: Mapping[str, Literal["agent", "user"]] = {"agent": "agent", "assistant": "agent", "user": "user"}


@dataclass(frozen=True, slots=True)
class SourceCall:
    """One call of a reference solution."""

    name: str
    arguments: dict[str, Any]
    requestor: Literal["agent", "user"] = "agent"


@dataclass(frozen=True, slots=True)
class SourceTask:
    """One task of a file in tau-bench's style: the instruction, and gold as actions and outputs."""

    position: int
    """The position in the file, 0 for the first."""

    domain: str
    instruction: str
    actions: tuple[SourceCall, ...] = ()
    outputs: tuple[str, ...] = ()
    max_turns: int | None = None
    """The task's own limit, if it has one."""


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
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors begin a file with the mark
        found = _lines(path, text) if path.suffix == ".jsonl" else json.loads(text)
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


def read_tasks(listed: Sequence[Any], domain: str | None = None) -> tuple[list[SourceTask], list[Unreadable]]:
    """Divide a list into tasks, which by default belong to `domain`, and items that are not tasks."""
    tasks: list[SourceTask] = []
    unreadable: list[Unreadable] = []
    for position, item in enumerate(listed):
        try:
            tasks.append(_task(position, item, domain))
        except (ValueError, RecursionError) as e:  # a UnicodeEncodeError is a ValueError
            named = item.get("domain", domain) if isinstance(item, Mapping) else domain
            unreadable.append(Unreadable(position, named if isinstance(named, str) else None, str(e)[:200]))
    return tasks, unreadable


def nested(value: Any) -> Any:
    """A value that may be given as its JSON text.

    Raises:
        ValueError: if it is text, but no JSON.
    """
    return json.loads(value) if isinstance(value, str) else value


def _lines(path: Path, text: str) -> list[Any]:
    found = []
    for number, line in enumerate(text.split("\n"), 1):  # only a line feed ends a line: strings may hold U+2028
        try:
            found += [json.loads(line)] if line.strip() else []
        except (ValueError, RecursionError) as e:
            raise DataError(f"{path}, line {number}, is no JSON: {_flaw(e)}") from e
    return found


def _flaw(error: Exception) -> str:
    """The error of JSON that is one line, without its line number, which would always be 1."""
    return f"{error.msg}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else str(error)


def _task(position: int, item: Any, domain: str | None) -> SourceTask:
    fields = _read("it", item)
    if not isinstance(fields, Mapping):
        raise ValueError(f"it is no object; {_FORM}")
    found = fields.get("domain") or domain
    if not isinstance(found, str):
        raise ValueError("it names no domain")
    instruction = fields.get("instruction")
    if not isinstance(instruction, str) or not instruction.strip():
        tau2 = ", but tau2-bench's form, whose tasks the pack tau2 has" if "user_scenario" in fields else ""
        raise ValueError(f"it has no instruction{tau2}; {_FORM}")
    actions = _read("its list of actions", fields.get("actions")) or []
    if not isinstance(actions, list):
        raise ValueError("its actions are no list")
    calls, outputs = tuple(_call(*each) for each in enumerate(actions)), _outputs(fields.get("outputs"))
    task = SourceTask(position, found, instruction, calls, outputs, _turns(fields.get("max_turns")))
    _check_text(task)
    return task


def _call(place: int, given: Any) -> SourceCall:
    fields = _read(f"its action {place}", given)
    if not isinstance(fields, Mapping) or not isinstance(fields.get("name"), str):
        raise ValueError(f"its action {place} names no tool")
    name = fields["name"]
    given_as = (_read(f"`{key}` of its action {place}", fields.get(key)) for key in ("arguments", "kwargs"))
    arguments = next((found for found in given_as if found is not None), None) or {}
    if not isinstance(arguments, dict):
        raise ValueError(f"the arguments of {name!r} are no object")
    if _deeper(arguments, DEEPEST):
        raise ValueError(f"the arguments of {name!r} are nested more than {DEEPEST} levels deep")
    requestor = _SIDES.get(fields.get("requestor") or "agent")
    if requestor is None:
        raise ValueError(f"the requestor of {name!r} is neither agent nor user")
    return SourceCall(name, arguments, requestor)


def _deeper(value: Any, levels: int) -> bool:
    """Whether objects and lists are nested more than `levels` deep."""
    if not isinstance(value, dict | list):
        return False
    inside = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_deeper(each, levels - 1) for each in inside)


def _read(what: str, value: Any) -> Any:
    """Call `nested`; its error names the value that is not JSON."""
    try:
        return nested(value)
    except (ValueError, RecursionError) as e:
        raise ValueError(f"{what} is text, but no JSON: {_flaw(e)}") from e


def _outputs(given: Any) -> tuple[str, ...]:
    """The outputs as texts, from a list, its JSON text, or one value. Other text is kept: 54.00 is not 54.0."""
    try:
        found = nested(given)
    except ValueError:
        found = given
    if found is None:
        return ()
    listed = found if isinstance(found, list) else [given]
    return tuple(each if isinstance(each, str) else json.dumps(each) for each in listed if each not in (None, ""))


def _turns(given: Any) -> int | None:
    """The limit of turns; None if none is given."""
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= MOST_TURNS:
        raise ValueError(f"its max_turns is no number from 1 to {MOST_TURNS}")
    return given


def _check_text(task: SourceTask) -> None:
    """Check that every JSON reader accepts the task: no NaN, no half of a surrogate pair, not too long."""
    plain = [task.domain, task.instruction, [(c.name, c.arguments) for c in task.actions], task.outputs]
    size = len(json.dumps(plain, ensure_ascii=False, allow_nan=False).encode())
    if size > LARGEST:
        raise ValueError(f"it takes {size} bytes; a server takes {LARGEST}")


def truth(task: SourceTask) -> dict[str, Any]:
    """The reference solution for a row: lists, with arguments as JSON text, as in a chat message's tool calls."""
    calls = [
        {"requestor": c.requestor, "name": c.name, "arguments": json.dumps(c.arguments, separators=(",", ":"))}
        for c in task.actions
    ]
    return {"actions": calls, "outputs": list(task.outputs)}


def inline(task: SourceTask) -> dict[str, Any]:
    """The task as `/reset` takes it, under a pack of the server's own."""
    calls = [{"name": c.name, "arguments": c.arguments, "requestor": c.requestor} for c in task.actions]
    return {"instruction": task.instruction, "gold": {"actions": calls, "outputs": list(task.outputs)}}


def tau1(task: SourceTask) -> dict[str, Any]:
    """The task in the form of tau-bench."""
    calls = [{"name": c.name, "arguments": c.arguments} for c in task.actions]
    return {"instruction": task.instruction, "actions": calls, "outputs": list(task.outputs)}


def tau2(task: SourceTask) -> dict[str, Any]:
    """The task in the form of tau2-bench."""
    sides = {"agent": "assistant", "user": "user"}
    calls = [{"name": c.name, "arguments": c.arguments, "requestor": sides[c.requestor]} for c in task.actions]
    criteria = {"actions": calls, "communicate_info": list(task.outputs), "reward_basis": ["DB", "COMMUNICATE"]}
    return {"user_scenario": {"instructions": task.instruction}, "evaluation_criteria": criteria}


FORMS = {"tau1": tau1, "tau2": tau2}
"""Pack -> the form of its tasks, if it is not `inline`."""


def body(task: SourceTask, pack: str) -> dict[str, Any]:
    """The task as `/reset` takes it under `pack`."""
    return FORMS.get(pack, inline)(task)
