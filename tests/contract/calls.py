"""Hypothesis strategies for calls: likely ones, which mostly succeed, and any that the schema allows."""

import json
from functools import cache
from typing import Any

from hypothesis import strategies as st

from env_server.domains.kit import GoldCall
from tests.contract.acts import stage
from tests.contract.variants import variants


@cache
def likely(domain: str) -> st.SearchStrategy[GoldCall]:
    """Gold's calls in some test tasks, and the same calls with ids of other rows."""
    found = dict[str, GoldCall]()
    for call in (call for task in stage(domain).tasks(120) for call in task.gold.actions):
        if call.model_dump_json() not in found:
            found |= {each.model_dump_json(): each for each in (call, *variants(domain).of(call))}
    return st.sampled_from([*found.values()])


@st.composite
def possible(draw: st.DrawFn, domain: str, only: tuple[str, str] | None = None) -> GoldCall:
    """A well-formed call of any tool of either side, or only of the given ones, with texts that occur in the world."""
    pack = stage(domain).pack
    sides = {"agent": pack.agent_tools, "user": pack.user_tools}
    tools = [(side, name) for side, tools in sides.items() for name in tools]
    side, name = only or draw(st.sampled_from(tools))
    parameters = sides[side][name].schema["function"]["parameters"]
    arguments = draw(_values(parameters, parameters.get("$defs", {}), domain))
    return GoldCall.model_validate({"name": name, "arguments": arguments, "requestor": side})


def _values(schema: dict[str, Any], definitions: dict[str, Any], domain: str) -> st.SearchStrategy[Any]:
    """Values of a JSON schema's type, made of texts that occur in the world."""
    texts = st.sampled_from(words(domain))
    kinds = {
        "string": texts,
        "integer": st.integers(-3, 10**6),
        "number": st.floats(-1e6, 1e6) | st.integers(-3, 500),
        "boolean": st.booleans(),
        "object": st.dictionaries(texts, texts, max_size=3),
        "null": st.none(),
    }
    if "$ref" in schema:
        return _values(definitions[schema["$ref"].rpartition("/")[2]], definitions, domain)
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([_values(choice, definitions, domain) for choice in schema["anyOf"]])
    if "properties" in schema:
        fields = {name: _values(inner, definitions, domain) for name, inner in schema["properties"].items()}
        needed = {name: value for name, value in fields.items() if name in schema.get("required", ())}
        return st.fixed_dictionaries(needed, optional={k: v for k, v in fields.items() if k not in needed})
    if schema.get("type") == "array":
        return st.lists(_values(schema.get("items", {}), definitions, domain), max_size=3)
    return kinds.get(schema.get("type", ""), texts)


@cache
def words(domain: str) -> list[str]:
    """Texts that occur in the world (ids, names, states), and a few that do not."""
    found: dict[str, None] = dict.fromkeys(["", "x", "#", "0"])

    def collect(value: Any) -> None:
        if isinstance(value, str):
            found[value] = None
        elif isinstance(value, dict):
            found.update(dict.fromkeys(value))
            for inner in value.values():
                collect(inner)
        elif isinstance(value, list):
            for inner in value:
                collect(inner)

    rows = [row for _, _, row in stage(domain).pack.snapshot]
    for row in rows[:: max(1, len(rows) // 60)]:
        collect(json.loads(json.dumps(row)))
    return list(found)
