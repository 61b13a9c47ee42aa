"""Conversion of decoded JSON to calls: the accepted spellings of a call, and the checks of each call."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from env_server.tools.parse.lenient_json import decode_at, repair, skip_space, text_problem, value_problem
from env_server.tools.parse.result import ParsedCall, Unreadable

EXPECTED = 'Expected {"name": "<tool>", "arguments": {...}}.'

ARGUMENT_KEYS = ("arguments", "parameters", "kwargs", "args")
PLAN_KEYS = ("params", *ARGUMENT_KEYS)
"""The keys of the arguments beside `tool`."""

_WRAPPERS = ("function", "tool_call", "function_call")
_BESIDE = frozenset({"name", "id", "type", "index"})
_QUOTED = 80


def quoted(text: str) -> str:
    """Return `text` in ASCII quotes, shortened for a message."""
    return ascii(text if len(text) <= _QUOTED else text[:_QUOTED] + "...")


def unwrap(value: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Return the inner object of `{"type": "function", "function": {...}}` and similar wrappers, else `value`.

    `{server, tool, params}` becomes a call by name, and so does `{tool, arguments}`.
    """
    for key in _WRAPPERS:
        inner = value.get(key)
        if isinstance(inner, dict):
            return _by_name(inner)
    return _by_name(value)


def _by_name(value: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Return `{server?, tool, params}` as a call of `server__tool`, a name under which a server's tool is known.

    Any other value stays as it is.
    """
    if "name" in value:
        return value
    tool, server = value.get("tool"), value.get("server")
    key = next((key for key in PLAN_KEYS if key in value), None)
    if not isinstance(tool, str) or key is None:
        return value
    return {"name": f"{server}__{tool}" if isinstance(server, str) and server else tool, "arguments": value[key]}


def is_call(value: Any, known: Collection[str]) -> bool:
    """Return whether `value` is meant as a call: an object with a name and arguments, or with a known tool's name."""
    if not isinstance(value, dict):
        return False
    inner = unwrap(value)
    if "name" not in inner:
        return False
    name = inner["name"]
    return any(key in inner for key in ARGUMENT_KEYS) or (isinstance(name, str) and name in known)


def objects(value: Any) -> list[Any]:
    """Return the objects in a repaired value. The other items are prose that was repaired together with them."""
    return [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, dict)]


def calls_from(value: Any) -> tuple[list[ParsedCall], bool]:
    """Return the calls in an object or a list, and whether any was repaired. Raise `Unreadable`."""
    items = value if isinstance(value, list) else [value]
    if not items:
        raise Unreadable(f"The message marks a call but holds none. {EXPECTED}")
    calls, repaired = list[ParsedCall](), False
    for item in items:
        call, mended = call_from(item)
        calls.append(call)
        repaired = repaired or mended
    return calls, repaired


def call_from(value: Any) -> tuple[ParsedCall, bool]:
    """Return the call of one JSON object, and whether it was repaired. Raise `Unreadable`."""
    if not isinstance(value, dict):
        raise Unreadable(f"A call must be a JSON object. {EXPECTED}")
    inner = unwrap(value)
    name, identifier = inner.get("name"), value.get("id")
    key = next((key for key in ARGUMENT_KEYS if key in inner), None)
    if key is None and not _BESIDE.issuperset(inner):
        raise Unreadable(f'The call has no "arguments" object. {EXPECTED}')
    return make_call(name, inner[key] if key else None, identifier)


def make_call(name: Any, arguments: Any, identifier: Any = None) -> tuple[ParsedCall, bool]:
    """Return a checked call, and whether its arguments were repaired. Raise `Unreadable` with the problem."""
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
    return ParsedCall(name, mapping, identifier), repaired


def _arguments(name: str, raw: Any) -> tuple[dict[Any, Any], bool]:
    repaired = False
    for _ in range(2):  # text may itself be JSON-encoded text, once
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
