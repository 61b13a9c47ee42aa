"""The page of the HTTP interface: the operations of the OpenAPI document, its schemas, and every other address."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from starlette.routing import Mount, WebSocketRoute

from env_server.episodes.codec.address import CATALOGUE, mcp_path
from scripts.docsite.markdown import code, table
from scripts.docsite.reference.served import document, routes

HEAD = """# HTTP interface

*Generated from the OpenAPI document, which a server has at `/openapi.json`.* A server's `/docs` shows it with an
episode of each domain to play. [Playing](../playing.md) explains the interface by example, and [errors](errors.md)
are problem documents.

With API keys, every operation but the health checks needs the header `Authorization: Bearer KEY`.

"""
Schema = Mapping[str, Any]


def page() -> str:
    """Return the page."""
    found = document()
    operations = "".join(
        _operation(method, path, operation)
        for path, operations in found["paths"].items()
        for method, operation in operations.items()
    )
    schemas = "".join(_schema(name, schema) for name, schema in sorted(found["components"]["schemas"].items()))
    return (
        f"{HEAD}## Operations\n\n{operations}## Other addresses\n\nThey are not in the OpenAPI document.\n\n"
        f"{table(('address', 'methods', 'what it is'), sorted(others()))}## Schemas\n\n{schemas}"
    )


def _operation(method: str, path: str, operation: Schema) -> str:
    text = f"### {method.upper()} {path}\n\n**{operation['summary']}.** {operation['description']}\n\n"
    if parameters := operation.get("parameters"):
        rows = (
            (code(p["name"]), p["in"], _type(p["schema"]), _default(p["schema"]), p.get("description", ""))
            for p in parameters
        )
        text += table(("parameter", "in", "type", "default", "meaning"), rows)
    if body := operation.get("requestBody"):
        text += f"Body: {_type(_json(body))}. "
    replies = [(status, reply) for status, reply in operation["responses"].items()]
    text += "".join(f"Reply: {_type(_json(r))}.\n\n" for s, r in replies if s < "300" and _json(r))
    failures = "; ".join(f"{status} {reply['description']}" for status, reply in replies if status >= "300")
    return f"{text}Errors: {failures}.\n\n"


def others() -> Iterator[tuple[str, str, str]]:
    """Yield address, methods and meaning of each route that the OpenAPI document leaves out."""
    yield code(mcp_path("{episode_id}")), "POST", "[an episode over MCP](../mcp.md)"
    yield code(CATALOGUE), "POST", "[the catalogue of tasks over MCP](../mcp.md)"
    described = {(path, method.upper()) for path, found in document()["paths"].items() for method in found}
    for route in routes():
        path = getattr(route, "path", "").replace(":path}", "}") or "/"
        methods = sorted(getattr(route, "methods", None) or ())
        if isinstance(route, Mount):
            yield code(f"{path}/..."), "GET", "files of pages"
        elif isinstance(route, WebSocketRoute):
            yield code(path), "WebSocket", "[OpenEnv's protocol](../clients.md#openenv)"
        elif not {(path, method) for method in methods} <= described:
            page = path == "/" or path.startswith("/page")
            yield code(path), ", ".join(methods), "[page](../page.md)" if page else "see `/docs` and `/schema`"


def _schema(name: str, schema: Schema) -> str:
    text = f"### {name}\n\n{schema.get('description', '')}\n\n"
    if "enum" in schema:
        return text + " or ".join(code(value) for value in schema["enum"]) + "\n\n"
    wanted = schema.get("required", ())
    rows = [
        (code(field), _type(found), "yes" if field in wanted else "", _default(found), found.get("description", ""))
        for field, found in schema.get("properties", {}).items()
    ]
    return text + (table(("field", "type", "required", "default", "meaning"), rows) if rows else "")


def _json(body: Schema) -> Schema:
    """Return the schema of a JSON body; an empty one if the body is something else."""
    found: Schema = body.get("content", {}).get("application/json", {}).get("schema", {})
    return found


def _default(schema: Schema) -> str:
    return code(json.dumps(schema["default"])) if schema.get("default") is not None else ""


def _type(schema: Schema) -> str:
    """Return a type in words, with links to the schemas of this page."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "enum" in schema:
        return " or ".join(code(json.dumps(value)) for value in schema["enum"])
    if "const" in schema:
        return code(json.dumps(schema["const"]))
    if several := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
        return " or ".join(dict.fromkeys(map(_type, several)))
    kind = schema.get("type", "any")
    if kind == "array" and schema.get("items"):
        return f"list of {_type(schema['items'])}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict) and schema["additionalProperties"]:
        return f"object of {_type(schema['additionalProperties'])}"
    return str(kind)
