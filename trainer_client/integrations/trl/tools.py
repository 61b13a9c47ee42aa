"""A tool's schema as a typed method with a docstring, from which TRL and transformers make the schema again."""

import inspect
import json
import keyword
import re
from collections.abc import Callable, Mapping
from functools import reduce
from operator import or_
from types import NoneType
from typing import Any, Final, Literal

TAKEN: Final = frozenset({"reset", "get_reward"})
"""Methods of an environment that TRL calls itself."""

_TYPES: Final[Mapping[str, Any]] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "null": NoneType,
    "array": list,
    "object": dict,
}
_SECTION = re.compile(r"\b(Args|Returns|Raises):")
"""Words that begin a section of a docstring; transformers looks for them in any line."""

Act = Callable[[Any, str, dict[str, Any]], str]
"""A function that plays a call: (environment, name of the tool, arguments) -> the text for the model."""


def tool_method(tool: Mapping[str, Any], act: Act) -> Callable[..., str]:
    """The method that plays a tool through `act`; `transformers.utils.get_json_schema` finds the tool's schema in it.

    An argument whose schema has fields of its own becomes a dict, and its description ends with that schema.

    Args:
        tool: The tool as an OpenAI function schema.
        act: What the method calls with the arguments that the model passed.

    Raises:
        ValueError: if the name of the tool cannot be the name of a method that TRL offers as a tool.
    """
    function = tool["function"]
    name, given = function["name"], function.get("parameters") or {}
    fields: Mapping[str, Mapping[str, Any]] = given.get("properties") or {}
    for word in (name, *fields):
        if not word.isidentifier() or keyword.iskeyword(word):
            raise ValueError(f"TRL cannot offer the tool {name!r}: {word!r} is no name in Python")
    if name in TAKEN or name.startswith("_"):
        raise ValueError(f"TRL cannot offer a tool that is called {name!r}")

    def method(self: Any, **arguments: Any) -> str:
        return act(self, name, arguments)

    hints = {field: hint(schema) for field, schema in fields.items()}
    receiver = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    arguments = [_parameter(field, kind, field in given.get("required", ())) for field, kind in hints.items()]
    described: Any = method  # for a type checker, a function has no `__signature__`
    described.__signature__ = inspect.Signature([receiver, *arguments], return_annotation=str)
    described.__annotations__ = {**hints, "return": str}
    described.__name__, described.__qualname__ = name, name
    described.__doc__ = _docstring(function.get("description") or name, fields)
    return method


def hint(schema: Mapping[str, Any]) -> Any:
    """The type hint for a JSON schema, without the fields of objects."""
    if "enum" in schema or "const" in schema:
        values = tuple(schema["enum"]) if "enum" in schema else (schema["const"],)
        return Literal[values]
    parts = schema.get("anyOf") or schema.get("oneOf")
    if parts:
        return reduce(or_, map(hint, parts))
    kind = schema.get("type")
    if isinstance(kind, list):
        return reduce(or_, (hint({**schema, "type": one}) for one in kind))
    if kind == "array" and schema.get("items"):
        return list[hint(schema["items"])]  # type: ignore[misc]  # a hint made at run time
    return _TYPES.get(kind or "", Any)


def _parameter(name: str, kind: Any, required: bool) -> inspect.Parameter:
    default = inspect.Parameter.empty if required else None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _docstring(description: str, fields: Mapping[str, Mapping[str, Any]]) -> str:
    text = _SECTION.sub(r"\1 -", description)
    lines = [f"    {name}: {_told(name, schema)}" for name, schema in fields.items()]
    return "\n".join([text, "", "Args:", *lines]) if lines else text


def _told(name: str, schema: Mapping[str, Any]) -> str:
    """An argument's description on one line, with its schema where a type hint cannot say it."""
    text = " ".join((schema.get("description") or name).split())
    if '"properties"' in (whole := json.dumps({k: v for k, v in schema.items() if k != "description"})):
        text = f"{text} JSON schema: {whole}"
    return _SECTION.sub(r"\1 -", text)
