"""The suite's tools whose answers are text. The baselines say why the others are left out."""

from collections.abc import Callable, Mapping
from typing import Any

from env_server.domains.kit import READ, Db, Dialect, Tool, ToolError, tool


@tool(kind=READ)
def test_simple_text(db: Db[Dialect]) -> str:
    """Answer with text."""
    return "This is a simple text response for testing."


@tool(kind=READ)
def test_error_handling(db: Db[Dialect]) -> str:
    """Fail."""
    raise ToolError("This tool intentionally returns an error for testing")


DECLARED: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


class Declared(Tool):
    """A tool whose schema says what no signature can; the server has to show it as it is."""

    def schema_with(self, types: Mapping[str, Any]) -> dict[str, Any]:
        """The schema that the suite wants to find."""
        function = {"name": self.name, "description": self.description, "parameters": DECLARED}
        return {"type": "function", "function": function}


def declared(fn: Callable[..., Any]) -> Declared:
    """Make a function a tool of that schema."""
    return Declared(fn=fn, kind=READ)


@declared
def json_schema_2020_12_tool(db: Db[Dialect]) -> str:
    """Have a schema of 2020-12."""
    return "ok"
