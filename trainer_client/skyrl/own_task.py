"""A task that no server lists: its instruction, and gold as calls and outputs, in the forms that people write.

Nested values may be JSON text, and arguments may be called `arguments` or `kwargs`. An argument that is null is absent.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

LARGEST = 262_144
"""The most bytes of a task that a server takes."""

DEEPEST = 64
"""The deepest nesting of arguments that a server takes."""

MOST_TURNS = 1000
"""The most turns that a server allows."""

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
    difficulty: int | None = None
    """Its level, if one is told."""

    def __post_init__(self) -> None:
        """Check that every JSON reader accepts the task: no NaN, no half of a surrogate pair, not too long."""
        plain = [self.domain, self.instruction, [(c.name, c.arguments) for c in self.actions], self.outputs]
        size = len(json.dumps(plain, ensure_ascii=False, allow_nan=False).encode())
        if size > LARGEST:
            raise ValueError(f"it takes {size} bytes; a server takes {LARGEST}")


def nested(value: Any) -> Any:
    """A value that may be given as its JSON text.

    Raises:
        ValueError: if it is text, but no JSON.
    """
    return json.loads(value) if isinstance(value, str) else value


def flaw(error: Exception) -> str:
    """An error in JSON of one line, without the line number, which would always be 1."""
    return f"{error.msg}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else str(error)


def read(what: str, value: Any) -> Any:
    """Call `nested`; its error names the value that is not JSON."""
    try:
        return nested(value)
    except (ValueError, RecursionError) as e:
        raise ValueError(f"{what} is text, but no JSON: {flaw(e)}") from e


def read_calls(given: Any) -> tuple[SourceCall, ...]:
    """The calls of a solution.

    Raises:
        ValueError: if one cannot be read; the message has its place.
    """
    actions = read("its list of actions", given) or []
    if not isinstance(actions, list):
        raise ValueError("its actions are no list")
    return tuple(_call(*each) for each in enumerate(actions))


def _call(place: int, given: Any) -> SourceCall:
    fields = read(f"its action {place}", given)
    if not isinstance(fields, Mapping) or not isinstance(fields.get("name"), str):
        raise ValueError(f"its action {place} names no tool")
    name = fields["name"]
    given_as = (read(f"`{key}` of its action {place}", fields.get(key)) for key in ("arguments", "kwargs"))
    arguments = next((found for found in given_as if found is not None), None) or {}
    if not isinstance(arguments, dict):
        raise ValueError(f"the arguments of {name!r} are no object")
    if _deeper(arguments, DEEPEST):
        raise ValueError(f"the arguments of {name!r} are nested more than {DEEPEST} levels deep")
    requestor = _SIDES.get(fields.get("requestor") or "agent")
    if requestor is None:
        raise ValueError(f"the requestor of {name!r} is neither agent nor user")
    return SourceCall(name, _without_nulls(arguments), requestor)


def _without_nulls(value: Any) -> Any:
    """The value without nulls in its objects: a table gives each object the names of all others, with null as value."""
    if isinstance(value, Mapping):
        return {name: _without_nulls(each) for name, each in value.items() if each is not None}
    return [_without_nulls(each) for each in value] if isinstance(value, list) else value


def _deeper(value: Any, levels: int) -> bool:
    """Whether objects and lists are nested more than `levels` deep."""
    if not isinstance(value, dict | list):
        return False
    inside = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_deeper(each, levels - 1) for each in inside)


def read_outputs(given: Any) -> tuple[str, ...]:
    """The outputs as texts, from a list, its JSON text, or one value. Other text is kept: 54.00 is not 54.0."""
    try:
        found = nested(given)
    except ValueError:
        found = given
    if found is None:
        return ()
    listed = found if isinstance(found, list) else [given]
    return tuple(each if isinstance(each, str) else json.dumps(each) for each in listed if each not in (None, ""))


def whole(given: Any) -> Any:
    """The value, with `20.0` as a whole number, as a table writes it beside nulls."""
    return int(given) if isinstance(given, float) and given.is_integer() else given


def read_turns(given: Any, field: str = "max_turns") -> int | None:
    """The limit of turns; None if none is given.

    Raises:
        ValueError: if it is no such limit; the message begins with the field.
    """
    if given is None:
        return None
    given = whole(given)
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= MOST_TURNS:
        raise ValueError(f"{field}: expected a whole number from 1 to {MOST_TURNS}, found {given!r:.100}")
    return given


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
