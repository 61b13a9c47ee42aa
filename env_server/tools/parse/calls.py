"""From decoded JSON to calls: the spellings of one call, and the checks each must pass."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from env_server.tools.parse.jsonish import decode_at, repair, skip_space, text_problem, value_problem
from env_server.tools.parse.result import Call, Unreadable

EXPECTED = 'Expected {"name": "<tool>", "arguments": {...}}.'

ARGUMENT_KEYS = ("arguments", "parameters", "kwargs", "args")
_WRAPPERS = ("function", "tool_call", "function_call")
_BESIDE = frozenset({"name", "id", "type", "index"})
_QUOTED = 80


def quoted(text: str) -> str:
    """`text` in ASCII quotes and cut short, fit for a message."""
    return ascii(text if len(text) <= _QUOTED else text[:_QUOTED] + "...")


def unwrap(value: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """The inner object of `{"type": "function", "function": {...}}` and its like, else `value`."""
    for key in _WRAPPERS:
        inner = value.get(key)
        if isinstance(inner, dict):
            return inner
    return value


def is_call(value: Any, known: Collection[str]) -> bool:
    """Whether `value` is meant as a call: an object with a name and arguments, or a known tool's name."""
    if not isinstance(value, dict):
        return False
    inner = unwrap(value)
    if "name" not in inner:
        return False
    name = inner["name"]
    return any(key in inner for key in ARGUMENT_KEYS) or (isinstance(name, str) and name in known)


def objects(value: Any) -> list[Any]:
    """The objects in a repaired value; the rest of it is prose that was repaired along with them."""
    return [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, dict)]


def calls_from(value: Any) -> tuple[list[Call], bool]:
    """The calls in an object, or in a list of them, and whether any needed repair. Raises `Unreadable`."""
    items = value if isinstance(value, list) else [value]
    if not items:
        raise Unreadable(f"The message marks a call but holds none. {EXPECTED}")
    made = [call_from(item) for item in items]
    return [call for call, _ in made], any(repaired for _, repaired in made)


def call_from(value: Any) -> tuple[Call, bool]:
    """The call that one JSON object stands for, and whether it needed repair. Raises `Unreadable`."""
    if not isinstance(value, dict):
        raise Unreadable(f"A call must be a JSON object. {EXPECTED}")
    inner = unwrap(value)
    name, identifier = inner.get("name"), value.get("id")
    key = next((key for key in ARGUMENT_KEYS if key in inner), None)
    if key is None and not _BESIDE.issuperset(inner):
        raise Unreadable(f'The call has no "arguments" object. {EXPECTED}')
    return make_call(name, inner[key] if key else None, identifier)


def make_call(name: Any, arguments: Any, identifier: Any = None) -> tuple[Call, bool]:
    """A checked call, and whether its arguments needed repair. Raises `Unreadable`, naming what is wrong."""
    if not isinstance(name, str) or not name.strip():
        raise Unreadable(f"The call has no tool name. {EXPECTED}")
    name = name.strip()
    if problem := text_problem(name):
        raise Unreadable(f"The tool name {quoted(name)} {problem}.")
    if isinstance(identifier, int):
        identifier = str(identifier)
    if not isinstance(identifier, str) or not identifier:
        identifier = None
    elif problem := text_problem(identifier):
        raise Unreadable(f"The id of the call of {quoted(name)} {problem}.")
    mapping, repaired = _arguments(name, arguments)
    for key, value in mapping.items():
        if not isinstance(key, str):
            raise Unreadable(f"The arguments of {quoted(name)} have a name that is not a string.")
        if problem := text_problem(key) or value_problem(value):
            raise Unreadable(f"Argument {quoted(key)} of {quoted(name)} {problem}.")
    return Call(name, mapping, identifier), repaired


def _arguments(name: str, raw: Any) -> tuple[dict[Any, Any], bool]:
    repaired = False
    for _ in range(2):  # text may itself be encoded JSON text, once
        if isinstance(raw, str):
            raw, mended = _from_text(raw)
            repaired = repaired or mended
    if raw is None:
        return {}, repaired
    if not isinstance(raw, dict):
        raise Unreadable(f"The arguments of {quoted(name)} must be a JSON object, such as {{}}.")
    return raw, repaired


def _from_text(raw: str) -> tuple[Any, bool]:
    start = skip_space(raw, 0)
    if start == len(raw):
        return None, False
    found = decode_at(raw, start)
    if found is not None and skip_space(raw, found[1]) == len(raw):
        return found[0], False
    return repair(raw[start:]), True
