"""The pages of tools: one for each domain, and a list of them."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from env_server.domains.discovery import hosted
from env_server.domains.pack import Pack
from scripts.docsite.markdown import cell, code, table

HEAD = """# Tools

*Generated from the code.*

These are the tools of each domain's `builtin` pack. The packs `tau2` and `tau1` have those of the public benchmarks.
[Your own MCP servers](../tools.md) add their tools.

"""


def pages() -> Mapping[str, str]:
    """Return file -> text."""
    packs = {name: found["builtin"] for name, found in hosted((), {}).items()}
    rows = (
        (
            f"[{name}](tools/{name}.md)",
            str(len(pack.agent_tools)),
            str(len(pack.user_tools) or ""),
            pack.domain.description,
        )
        for name, pack in packs.items()
    )
    listed = HEAD + table(("domain", "the agent's tools", "the user's tools", "what it is"), rows)
    return {"tools.md": listed, **{f"tools/{name}.md": _domain(pack) for name, pack in packs.items()}}


def _domain(pack: Pack) -> str:
    """Return the page of a domain."""
    text = f"# Tools of {pack.domain.name}\n\n*Generated from the code.* {pack.domain.description}\n\n"
    text += "## Tools of the agent\n\n" + _tools(pack, pack.agent_tools)
    if pack.user_tools:
        text += "## Tools of the user\n\nThe simulated user operates them; in an episode without a user, the agent.\n\n"
        text += _tools(pack, pack.user_tools)
    return text


def _tools(pack: Pack, tools: Mapping[str, Any]) -> str:
    parts = []
    for name, tool in tools.items():
        function = pack.schema(tool)["function"]
        parts.append(f"### {name}\n\n*{_effect(tool)}* {_paragraphs(function['description'])}\n\n")
        wanted = function["parameters"].get("required", ())
        rows = [
            (code(argument), _type(schema), "yes" if argument in wanted else "", schema.get("description", ""))
            for argument, schema in function["parameters"].get("properties", {}).items()
        ]
        parts.append(table(("argument", "type", "required", "meaning"), rows) if rows else "No arguments.\n\n")
    return "".join(parts)


def _effect(tool: Any) -> str:
    said = ["Changes rows." if tool.kind == "write" else "Reads."]
    said += ["Hands the user over to a person."] if tool.transfers else []
    said += ["Finds out who the user is."] if tool.identifies else []
    return " ".join(said)


def _paragraphs(text: str) -> str:
    return "\n\n".join(cell(line) for line in text.splitlines() if line)


def _type(schema: Mapping[str, Any]) -> str:
    """Return the type of an argument in words."""
    if "enum" in schema:
        return " or ".join(code(json.dumps(value)) for value in schema["enum"])
    if several := schema.get("anyOf"):
        return _either(several)
    kind = schema.get("type", "any")
    if kind == "array":
        return f"list of {_type(schema['items'])}" if schema.get("items") else "list"
    return str(kind) if "$ref" not in schema else str(schema["$ref"]).rpartition("/")[2]


def _either(schemas: Iterable[Mapping[str, Any]]) -> str:
    return " or ".join(_type(schema) for schema in schemas if schema.get("type") != "null")
