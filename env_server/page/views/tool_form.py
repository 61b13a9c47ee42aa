"""A form for a tool, made from the JSON schema of its parameters, and the arguments that a person typed into it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

PREFIX = "arg."
"""Prefix of the names of the fields."""

Kind = Literal["text", "number", "choice", "lines", "json"]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the form."""

    name: str
    label: str
    kind: Kind
    help: str
    required: bool
    type: str
    value: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolForm:
    """The form of one tool."""

    name: str
    description: str
    fields: tuple[Field, ...]


class WrongValue(ValueError):
    """A value that does not fit its field. The message is for the person who typed it."""


def form_of(schema: Mapping[str, Any], typed: Mapping[str, str]) -> ToolForm:
    """Return the form of an OpenAI function schema, with the values that were `typed` before."""
    function = schema["function"]
    parameters = function.get("parameters") or {}
    required = parameters.get("required", ())
    found = [
        _field(name, _resolved(each, parameters), typed.get(PREFIX + name, ""), required=name in required)
        for name, each in parameters.get("properties", {}).items()
    ]
    return ToolForm(function["name"], function.get("description", ""), tuple(found))


def arguments_of(form: ToolForm, typed: Mapping[str, str]) -> dict[str, Any]:
    """Return the arguments of the call. A field that is empty and not required is left out.

    Raises:
        WrongValue: if a value cannot be read. Only the tool checks whether it is right.
    """
    found: dict[str, Any] = {}
    for field in form.fields:
        text = typed.get(PREFIX + field.name, "")
        if text.strip() or field.required:
            found[field.name] = _argument(field, text)
    return found


def _argument(field: Field, text: str) -> Any:
    if field.kind == "text":
        return text
    if field.kind == "choice" and field.type == "string":
        return text
    if field.kind == "lines":
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return lines if field.type == "string" else [_json(field, line) for line in lines]
    return _json(field, text)


def _json(field: Field, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as e:
        wanted = "a number" if field.type in ("number", "integer") else "JSON"
        raise WrongValue(f"{field.label}: {text!r} is not {wanted}") from e


def _field(name: str, schema: Mapping[str, Any], value: str, *, required: bool) -> Field:
    kind, type, choices = _kind(schema)
    text = schema.get("description") or ""
    return Field(name, name.replace("_", " "), kind, text, required, type, value, choices)


def _kind(schema: Mapping[str, Any]) -> tuple[Kind, str, tuple[str, ...]]:
    type = schema.get("type")
    if "enum" in schema:
        texts = all(isinstance(each, str) for each in schema["enum"])
        return "choice", "string" if texts else "json", tuple(_choices(schema["enum"], texts=texts))
    if type == "boolean":
        return "choice", "boolean", ("true", "false")
    if type in ("number", "integer"):
        return "number", type, ()
    if type == "string":
        return "text", "string", ()
    if type == "array" and (item := (schema.get("items") or {}).get("type")) in ("string", "number", "integer"):
        return "lines", item, ()
    return "json", "json", ()


def _choices(values: Sequence[Any], *, texts: bool) -> Sequence[str]:
    return values if texts else [json.dumps(each) for each in values]


def _resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema with its reference followed, and without the alternative `null`."""
    while "$ref" in schema:
        target: Any = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target.get(part, {})
        schema = {**target, **{k: v for k, v in schema.items() if k != "$ref"}}
    options = [each for each in schema.get("anyOf", ()) if each.get("type") != "null"]
    if len(options) == 1:
        return _resolved({**options[0], **{k: v for k, v in schema.items() if k != "anyOf"}}, root)
    return schema
