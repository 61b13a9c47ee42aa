"""Validation of a call's arguments. Each error message names the argument, its value and the expected form."""

import json
import math
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from env_server.domains.kit import Tool

LONGEST_TEXT = 500
"""Maximum characters of a text in an argument of a tool that writes, because the text may be stored."""

MOST_ENTRIES = 100
"""Maximum entries of a list or an object in an argument of a tool that writes."""

_SMALLEST, _LARGEST = -(2**63), 2**64 - 1
"""Range of integers in a call. It is checked again here, because text may be converted to numbers."""


class ArgumentError(Exception):
    """Arguments that do not fit the tool. The message is for the model."""


def bind(tool: Tool, given: dict[str, Any], *, aliases: bool, types: bool) -> dict[str, Any]:
    """Return the arguments for `tool` with aliases resolved; with `types`, also converted and checked.

    Raises:
        ArgumentError: if they do not fit.
    """
    if not types:
        return check_names(tool, given, aliases=aliases)
    bound = _as_they_are(tool, given)
    if bound is None:
        bound = check_types(tool, check_names(tool, given, aliases=aliases))
    check_limits(tool, bound)
    return bound


def _as_they_are(tool: Tool, given: dict[str, Any]) -> dict[str, Any] | None:
    """Return the arguments of the usual call, which gives every argument under its own name; None if they do not fit.

    One validation checks all of them, which is faster than the separate checks.
    """
    try:
        bound: dict[str, Any] = tool.arguments.model_validate(given).__dict__
    except ValidationError:
        return None
    return bound if len(bound) == len(given) else None


def check_names(tool: Tool, given: dict[str, Any], *, aliases: bool) -> dict[str, Any]:
    """Return `given` with aliases resolved.

    Raises:
        ArgumentError: if an argument is missing, unknown or given twice.
    """
    fields = tool.arguments.model_fields
    if aliases and tool.argument_aliases:
        renamed = {tool.argument_aliases.get(k, k) if k not in fields else k: v for k, v in given.items()}
        if len(renamed) < len(given):
            raise ArgumentError(f"{tool.name}: the same argument came under two names: {', '.join(given)}")
        given = renamed
    unknown = [k for k in given if k not in fields]
    missing = [k for k, f in fields.items() if f.is_required() and k not in given]
    if not unknown and not missing:
        return given
    complaints = [f"argument {k!r} is missing" for k in missing]
    complaints += [f"there is no argument {k!r}" for k in unknown]
    raise ArgumentError(f"{tool.name}: {'; '.join(complaints)}. The arguments are: {_signature(tool)}.")


def check_types(tool: Tool, given: dict[str, Any]) -> dict[str, Any]:
    """Return `given` with values in the declared types. Omitted arguments keep the function's defaults.

    Raises:
        ArgumentError: if a value cannot be converted to its type.
    """
    try:
        checked = tool.arguments.model_validate(given)
    except ValidationError as e:
        raise ArgumentError(f"{tool.name}: {'; '.join(_complaint(x) for x in e.errors())}.") from e
    return {name: getattr(checked, name) for name in tool.arguments.model_fields if name in given}


def check_limits(tool: Tool, bound: dict[str, Any]) -> None:
    """Check all values, also nested ones: numbers must fit JSON and, if `tool` writes, texts and lists must be short.

    Raises:
        ArgumentError: for an integer of more than 64 bits, a number that is not finite, a text of more than
            `LONGEST_TEXT` characters, or a list or object of more than `MOST_ENTRIES` entries.
    """
    for name, value in bound.items():
        found = _fault(value, writes=tool.kind == "write")
        if found is not None:
            raise ArgumentError(f"{tool.name}: argument {name + found[0]!r} {found[1]}")


def _fault(value: Any, *, writes: bool) -> tuple[str, str] | None:
    """Return where the first fault within `value` is, and the fault; None if there is none.

    Outer values come first. Keys of objects count as values at the place of their object.
    """
    if isinstance(value, str) and len(value) <= LONGEST_TEXT:  # most values are short texts
        return None
    problem = _bad_number(value) or (_too_long(value) if writes else None)
    if problem:
        return "", problem
    if isinstance(value, dict):
        for key, inner in value.items():
            if writes and (problem := _too_long(key)):
                return "", problem
            if (found := _fault(inner, writes=writes)) is not None:
                return f".{key}{found[0]}", found[1]
    elif isinstance(value, (list, tuple)):
        for at, inner in enumerate(value):
            if (found := _fault(inner, writes=writes)) is not None:
                return f".{at}{found[0]}", found[1]
    return None


def _bad_number(value: Any) -> str | None:
    if isinstance(value, int) and not _SMALLEST <= value <= _LARGEST:
        return "is an integer of more than 64 bits"
    if isinstance(value, float) and not math.isfinite(value):
        return "is not a finite number"
    return None


def _too_long(value: Any) -> str | None:
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return f"has {len(value)} characters; a text may have at most {LONGEST_TEXT}"
    if isinstance(value, (list, tuple, dict)) and len(value) > MOST_ENTRIES:
        return f"has {len(value)} entries; at most {MOST_ENTRIES} are allowed"
    return None


def _signature(tool: Tool) -> str:
    parts = [k if f.is_required() else f"{k} (optional)" for k, f in tool.arguments.model_fields.items()]
    return ", ".join(parts) or "none"


def _complaint(error: ErrorDetails) -> str:
    where = ".".join(str(part) for part in error["loc"])
    return f"argument {where!r}: {error['msg'].lower()}, got {_show(error['input'])}"


def _show(value: Any) -> str:
    text = json.dumps(value, default=str)
    kind = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", float: "number"}.get(
        type(value), "null"
    )
    return f"{kind} {text if len(text) <= 80 else text[:77] + '...'}"
