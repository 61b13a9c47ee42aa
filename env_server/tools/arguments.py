"""Checking a call's arguments; every message names the argument, what came and what was expected."""

import json
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from env_server.domains.kit import Tool


class ArgumentError(Exception):
    """The arguments do not fit the tool; the message is for the model."""


def bind(tool: Tool, given: dict[str, Any], *, aliases: bool, types: bool) -> dict[str, Any]:
    """The arguments to call `tool` with: aliases resolved and, where `types`, values in the declared types.

    Raises:
        ArgumentError: if they do not fit.
    """
    if types and len(given) == len(tool.arguments.model_fields):
        try:  # the usual call: every argument by its own name
            return tool.arguments.model_validate(given).__dict__
        except ValidationError:
            pass
    bound = check_names(tool, given, aliases=aliases)
    return check_types(tool, bound) if types else bound


def check_names(tool: Tool, given: dict[str, Any], *, aliases: bool) -> dict[str, Any]:
    """`given` with aliases resolved, in the signature's order.

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
    """`given` with values in the declared types, defaults left to the function.

    Raises:
        ArgumentError: if a value cannot be brought to its type.
    """
    try:
        checked = tool.arguments.model_validate(given)
    except ValidationError as e:
        raise ArgumentError(f"{tool.name}: {'; '.join(_complaint(x) for x in e.errors())}.") from e
    return {name: getattr(checked, name) for name in tool.arguments.model_fields if name in given}


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
