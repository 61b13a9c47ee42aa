"""Rows in the format of the original training environment: `env_class` is `tau_bench`, and gold is in `reward_spec`.

Gold is `ground_truth_actions`, or `ground_truth`: the list of calls, or an object with `actions`. Domain, instruction
and outputs stand in columns, in `extra_info` or beside the calls, a limit of turns (`max_turns`) in `extra_info`. Each
nested value may be JSON text.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from trainer_client.skyrl.own_task import SourceTask, read, read_calls, read_outputs, read_turns

T = TypeVar("T")

ORIGINAL_CLASS = "tau_bench"
"""The value of the column `env_class`."""

_METHOD = "tau_bench_reward"
_ACTIONS = "ground_truth_actions"


def is_original(row: Mapping[str, Any]) -> bool:
    """Whether a row is in this format; SkyRL gives an environment its row without `env_class`."""
    spec = _parsed(row.get("reward_spec"))
    told = isinstance(spec, Mapping) and (_ACTIONS in spec or spec.get("method") == _METHOD)
    return row.get("env_class") == ORIGINAL_CLASS or told


def task_of(row: Mapping[str, Any], position: int = 0, domain: str | None = None) -> SourceTask:
    """The task of a row in this format, which by default belongs to `domain`.

    Raises:
        ValueError: if it cannot be read; the message begins with the field.
    """
    spec, info = _object("reward_spec", row.get("reward_spec")), about(row)
    name, gold = _gold(spec)
    places = (row, info, spec, gold)

    def first(field: str) -> Any:
        return next((place[field] for place in places if place.get(field) is not None), None)

    found = first("domain") or domain
    if not isinstance(found, str):
        raise ValueError("domain: it stands neither in the column, nor in extra_info, nor in reward_spec")
    instruction = first("instruction") or words(row.get("prompt"), "user")
    if not isinstance(instruction, str) or not instruction.strip():
        raise ValueError("instruction: it stands neither in the column, nor in extra_info, nor in the prompt")
    calls = _named(name, read_calls, gold["actions"])
    turns = _named("extra_info", read_turns, info.get("max_turns"))
    return SourceTask(position, found, instruction, calls, read_outputs(first("outputs")), turns)


def about(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The column `extra_info`; an empty object if there is none.

    Raises:
        ValueError: if it is no object.
    """
    return _object("extra_info", row.get("extra_info") or {})


def messages(prompt: Any) -> list[dict[str, Any]]:
    """The messages of a prompt: a list, or an object with the list under `messages`.

    Raises:
        ValueError: if it is neither; the message begins with `prompt`.
    """
    found = _parsed(prompt)
    found = _parsed(found.get("messages")) if isinstance(found, Mapping) else found
    if not isinstance(found, Sequence) or isinstance(found, str):
        raise ValueError(f"prompt: expected a list of messages, or an object with `messages`, found {prompt!r:.100}")
    for place, message in enumerate(found):
        if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
            raise ValueError(f"prompt: message {place} has no role: {message!r:.100}")
    return [dict(message) for message in found]


def words(prompt: Any, role: str) -> str:
    """What the messages of a role say; empty if there is no prompt."""
    said = [] if prompt is None else messages(prompt)
    return "\n\n".join(str(each.get("content") or "") for each in said if each["role"] == role)


def _gold(spec: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The name of the field with gold, and gold as an object with `actions`."""
    field = next((name for name in (_ACTIONS, "ground_truth") if spec.get(name) is not None), None)
    if field is None:
        raise ValueError(f"reward_spec: it has neither {_ACTIONS} nor ground_truth")
    name = f"reward_spec.{field}"
    found = _read(name, spec[field])
    gold = found if isinstance(found, Mapping) else {"actions": found}
    if gold.get("actions") is None:
        raise ValueError(f"{name}: it has no list `actions`")
    return name, gold


def _object(name: str, value: Any) -> Mapping[str, Any]:
    found = _read(name, value)
    if not isinstance(found, Mapping):
        raise ValueError(f"{name}: expected an object, found {value!r:.100}")
    return found


def _read(name: str, value: Any) -> Any:
    return _named(name, partial(read, "it"), value)


def _named(name: str, reader: Callable[[Any], T], value: Any) -> T:
    """Call `reader`; its error begins with the name of the field."""
    try:
        return reader(value)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def _parsed(value: Any) -> Any:
    """A value that may be JSON text; other text stays as it is."""
    try:
        return read("it", value)
    except ValueError:
        return value
