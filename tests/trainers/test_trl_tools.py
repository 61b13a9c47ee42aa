"""The schemas that TRL shows a model, made by transformers of our methods, say what the server's own schemas say."""

from typing import Any

import pytest
from transformers.utils import get_json_schema

from trainer_client import Client
from trainer_client.integrations.trl.environment import environment
from trainer_client.integrations.trl.tools import TAKEN

DOMAINS = ("airline", "desk", "doordash", "healthcare", "research", "retail", "telecom")


def shown(client: Client, domain: str) -> dict[str, dict[str, Any]]:
    """What a model is shown of each method."""
    kind = environment(client, domain)
    names = [name for name in vars(kind) if not name.startswith("_") and name not in TAKEN]
    return {name: get_json_schema(getattr(kind, name))["function"] for name in names}


@pytest.mark.parametrize("domain", DOMAINS)
def test_each_tool_keeps_its_meaning(client: Client, domain: str) -> None:
    """Names, descriptions, required arguments, types and choices are the same, for every tool of every domain."""
    with client.reset(domain) as episode:
        own = {tool["function"]["name"]: tool["function"] for tool in episode.tools}
    made = shown(client, domain)
    assert made.keys() == own.keys() | {"respond"}
    for name, function in own.items():
        ours, theirs = function["parameters"], made[name]["parameters"]
        assert made[name]["description"].split() == function["description"].replace("Returns:", "Returns -").split()
        assert set(theirs.get("required", [])) == set(ours.get("required", []))
        assert theirs["properties"].keys() == ours["properties"].keys()
        for field, schema in ours["properties"].items():
            assert kind(theirs["properties"][field]) == kind(schema), (name, field)
            said = " ".join(theirs["properties"][field]["description"].split())
            assert said.startswith(" ".join((schema.get("description") or field).split()))


def test_the_domains_are_all(client: Client) -> None:
    """The list above leaves no domain out."""
    assert {domain.name for domain in client.domains().domains} == set(DOMAINS)


def kind(schema: dict[str, Any]) -> set[str]:
    """What a schema allows, without the fields of objects: choices and types, with the types of items."""
    if schema.get("nullable"):
        return {"null"} | kind({**schema, "nullable": False})
    if "anyOf" in schema:
        return set().union(*map(kind, schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        return {repr(value) for value in schema.get("enum") or [schema["const"]]}
    types = schema.get("type", [])
    found = {types} if isinstance(types, str) else {*types}
    return {f"array of {sorted(kind(schema['items']))}" if t == "array" and schema.get("items") else t for t in found}
