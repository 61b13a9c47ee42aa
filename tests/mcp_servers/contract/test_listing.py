import re

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from mcp.types import Tool

from tests.mcp_servers.contract.servers import Case, build, cases, names, settings_of


@pytest.mark.parametrize("case", cases(), ids=str)
def test_schemas(case: Case) -> None:
    """Both schemas are valid and closed, and every argument has a description."""
    schema = case.tool.input_schema
    Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    for name, argument in schema["properties"].items():
        assert re.search(r"\w.*\.$", argument.get("description", "")), f"{name} does not say what it is"
        assert re.fullmatch(r"[a-z][a-zA-Z_]*", name)
    output = case.tool.output_schema
    assert output is not None
    Draft202012Validator.check_schema(output)
    assert output["type"] == "object"


@pytest.mark.parametrize("case", cases(), ids=str)
def test_what_a_client_is_told(case: Case) -> None:
    """A tool has a name that every client accepts, a sentence, a title, and says whether it changes anything."""
    tool = case.tool
    assert re.fullmatch(r"[a-zA-Z0-9_]{3,64}", tool.name)
    assert re.match(r"[A-Z`].{15,}\.\n", tool.description or "")
    assert tool.title
    assert tool.annotations is not None
    assert isinstance(tool.annotations.read_only_hint, bool)
    assert isinstance(tool.annotations.idempotent_hint, bool)
    assert tool.annotations.open_world_hint is not None


@pytest.mark.parametrize("name", names())
async def test_profiles(name: str) -> None:
    """The limited profile is a small part of the full one, in the same order; only the full one has other names."""
    full, limited = await build(name).list_tools(), await build(name, profile="limited").list_tools()
    known = [tool.name for tool in full]
    assert len(known) == len(set(known))
    assert [tool for tool in full if tool.name in {each.name for each in limited}] == limited
    assert 0 < len(limited) <= 10
    assert all("alias_of" not in (tool.meta or {}) for tool in limited)


@pytest.mark.parametrize("name", names())
async def test_other_names_are_the_same_tool(name: str) -> None:
    """A tool under another name differs in nothing else."""

    def body(tool: Tool) -> object:
        return tool.model_dump(exclude={"name", "meta"})

    tools = {tool.name: tool for tool in await build(name).list_tools()}
    for tool in tools.values():
        if (original := (tool.meta or {}).get("alias_of")) is not None:
            assert body(tool) == body(tools[original])
            assert tool.name in (tools[original].meta or {})["aliases"]


@pytest.mark.parametrize("name", names())
async def test_the_server_itself(name: str) -> None:
    """A server says its name, its version, and what a model should know."""
    server = build(name)
    assert server.name == name
    assert server.version
    assert len(str(server.instructions)) > 100
    assert settings_of(name)().profile == "full"
