"""Forms from JSON schemas, and arguments from forms."""

from typing import Any

import pytest

from env_server.domains.discovery import domains
from env_server.page.views.tool_form import WrongValue, arguments_of, form_of


def form(properties: dict[str, Any], **more: Any) -> Any:
    """The form of a tool with these properties."""
    return form_of({"function": {"name": "t", "parameters": {"properties": properties, **more}}}, {})


@pytest.mark.parametrize(
    ("schema", "typed", "value"),
    [
        ({"type": "string"}, "007", "007"),
        ({"type": "integer"}, "7", 7),
        ({"type": "number"}, " 7.5 ", 7.5),
        ({"type": "boolean"}, "true", True),
        ({"enum": ["a", "b"]}, "b", "b"),
        ({"enum": [1, 2]}, "2", 2),
        ({"type": "array", "items": {"type": "string"}}, "a\n\n b ", ["a", "b"]),
        ({"type": "array", "items": {"type": "integer"}}, "1\n2", [1, 2]),
        ({"type": "object"}, '{"a": 1}', {"a": 1}),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "3", 3),
        ({"$ref": "#/$defs/N"}, "4", 4),
    ],
)
def test_a_typed_value_becomes_the_argument(schema: dict[str, Any], typed: str, value: Any) -> None:
    """For each kind of schema, typed text becomes a value of its type."""
    made = form({"x": schema}, **{"$defs": {"N": {"type": "integer"}}})
    assert arguments_of(made, {"arg.x": typed}) == {"x": value}


def test_an_empty_optional_field_is_left_out() -> None:
    """An empty field is no argument, unless it is a required text."""
    made = form({"x": {"type": "string"}, "y": {"type": "string"}}, required=["x"])
    assert arguments_of(made, {"arg.x": "", "arg.y": ""}) == {"x": ""}


@pytest.mark.parametrize("schema", [{"type": "integer"}, {"type": "object"}])
def test_a_wrong_value_names_its_field(schema: dict[str, Any]) -> None:
    """The error for a value that cannot be read names the field."""
    with pytest.raises(WrongValue, match="order count"):
        arguments_of(form({"order_count": schema}), {"arg.order_count": "seven"})


@pytest.mark.parametrize("name", sorted(domains()))
def test_every_tool_of_every_domain_has_a_form(name: str) -> None:
    """Each argument of each tool has a field."""
    for tool in (*domains()[name].tools, *domains()[name].user_tools):
        parameters = tool.schema["function"]["parameters"]
        assert [each.name for each in form_of(tool.schema, {}).fields] == list(parameters.get("properties", {}))
