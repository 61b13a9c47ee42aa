"""Rows in the format of the original training environment: `env_class` is `tau_bench`, and gold is in `reward_spec`.

Gold is `ground_truth_actions`, or `ground_truth`: the list of calls, or an object with `actions`. The calls may also
stand in the column `actions` or in `extra_info.actions`. Domain, instruction, outputs and a limit of turns
(`max_turns`) stand in columns, in `extra_info` or beside the calls, where outputs may be `ground_truth_outputs`. The
level of difficulty (`complexity`) stands in `extra_info`. Each nested value may be JSON text.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from agent_env_schemas import levels
from trainer_client.skyrl.own_task import SourceCall, SourceTask, read, read_calls, read_outputs, read_turns, whole

T = TypeVar("T")

ORIGINAL_CLASS = "tau_bench"
"""The value of the column `env_class`."""

_METHOD = "tau_bench_reward"
_ACTIONS = "ground_truth_actions"
_OUTPUTS = "ground_truth_outputs"
_GOLDS = (_ACTIONS, "ground_truth")
_BESIDE = "actions"
"""The column, and the field of `extra_info`, that may have the calls, too."""


def is_original(row: Mapping[str, Any]) -> bool:
    """Whether a row is in this format; SkyRL gives an environment its row without `env_class`."""
    spec, info = _parsed(row.get("reward_spec")), _parsed(row.get("extra_info"))
    told = isinstance(spec, Mapping) and (_ACTIONS in spec or spec.get("method") == _METHOD)
    beside = row.get("env_class") is None and isinstance(info, Mapping) and info.get(_BESIDE) is not None
    return row.get("env_class") == ORIGINAL_CLASS or told or beside


def task_of(row: Mapping[str, Any], position: int = 0, domain: str | None = None) -> SourceTask:
    """The task of a row in this format, which by default belongs to `domain`.

    Raises:
        ValueError: if it cannot be read; the message begins with the field.
    """
    info = about(row)
    outside = {"actions": row.get(_BESIDE), f"extra_info.{_BESIDE}": info.get(_BESIDE)}
    given = row.get("reward_spec")
    spec = _object("reward_spec", {} if given is None and any(outside.values()) else given)
    calls, beside = _gold(spec, outside)
    places = (row, info, spec, *beside)

    def first(field: str) -> Any:
        return next((place[field] for place in places if place.get(field) is not None), None)

    found = first("domain") or domain
    if not isinstance(found, str):
        raise ValueError("domain: it stands neither in the column, nor in extra_info, nor in reward_spec")
    instruction = first("instruction") or words(row.get("prompt"), "user")
    if not isinstance(instruction, str) or not instruction.strip():
        raise ValueError("instruction: it stands neither in the column, nor in extra_info, nor in the prompt")
    told = (read_outputs(place.get(name)) for name in ("outputs", _OUTPUTS) for place in places)
    within = ("", "extra_info.", *("reward_spec." for _ in (spec, *beside)))
    limits = (read_turns(place.get("max_turns"), f"{at}max_turns") for at, place in zip(within, places, strict=True))
    turns = min(filter(None, limits), default=None)
    outputs, grade = next(filter(None, told), ()), level(difficulty_of(info))
    return SourceTask(position, found, instruction, calls, outputs, turns, grade)


def difficulty_of(info: Mapping[str, Any]) -> Any:
    """The difficulty of a row; its `complexity` counts if that is a level, and says nothing if it is a word."""
    told = whole(info.get("difficulty"))
    return level(info.get("complexity")) if told is None else told


def level(given: Any) -> int | None:
    """A single level of difficulty; None for a range, a word, or nothing."""
    found = whole(given)
    try:
        of = levels(found) if isinstance(found, int | str) and not isinstance(found, bool) else ()
    except ValueError:
        of = ()
    return of[0] if len(of) == 1 else None


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


def _gold(
    spec: Mapping[str, Any], outside: Mapping[str, Any]
) -> tuple[tuple[SourceCall, ...], list[Mapping[str, Any]]]:
    """The calls of gold, and the objects in which it stands, which may say more of the task.

    Args:
        spec: the column `reward_spec`.
        outside: name of a place outside it -> calls, or None.
    """
    places = {f"reward_spec.{name}": spec.get(name) for name in _GOLDS} | dict(outside)
    found = {name: value for name, value in places.items() if value is not None}
    if not found:
        raise ValueError(f"reward_spec: it has neither {' nor '.join(_GOLDS)}, and extra_info no {_BESIDE}")
    parsed = {name: _read(name, value) for name, value in found.items()}
    golds = {name: gold if isinstance(gold, Mapping) else {"actions": gold} for name, gold in parsed.items()}
    full = {name: gold["actions"] for name, gold in golds.items() if gold.get("actions") is not None}
    if not full:
        raise ValueError(f"{next(iter(golds))}: it has no list `actions`")
    calls = {name: each for name, actions in full.items() if (each := _named(name, read_calls, actions))}
    first = next(iter(calls.values()), ())
    if any(each != first for each in calls.values()):
        raise ValueError(f"{' and '.join(calls)} have different calls: leave one out")
    return first, list(golds.values())


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
