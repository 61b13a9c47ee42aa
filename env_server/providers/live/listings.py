"""Makes tools from the listing of an MCP server. Tools that no agent could use are left out, with a remark."""

import re
from collections.abc import Iterable
from typing import Any, Final, Literal

import orjson
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no types
from mcp.types import Tool

from env_server.providers.live.config import ServerBlock
from env_server.providers.spec import ServerListing
from mcp_servers.kit.redact import Redactor

MOST_BYTES: Final = 65_536
"""Maximum bytes of an entry as JSON. Every prompt holds it."""

SHOWN: Final = 80
"""Maximum characters that a remark shows of what a server says."""

_NAME: Final = re.compile(r"[A-Za-z0-9_.:/-]{1,128}")


def listings(
    server: str, block: ServerBlock, tools: Iterable[Tool], redact: Redactor
) -> tuple[tuple[ServerListing, ...], tuple[str, ...]]:
    """Return the tools that agents may call, and remarks about the configuration and the listing."""
    found: dict[str, ServerListing] = {}
    remarks: list[str] = []
    for tool in tools:
        unusable = _unusable(tool)
        if unusable is not None:
            remarks.append(redact.line(f"lists {tool.name[:SHOWN]!r}, which is left out: {unusable[: 2 * SHOWN]}"))
        elif tool.name in found:
            remarks.append(f"lists the tool {tool.name!r} twice; the first one counts")
        elif _alias_of(tool) is None:
            found[tool.name] = _listing(server, tool, block.effects.get(tool.name), redact)
    wanted = block.allow_tools
    known = {name for listing in found.values() for name in (listing.name, *listing.aliases)}
    remarks += [f"allowTools: there is no tool {name!r}" for name in sorted((wanted or frozenset()) - known)]
    for key, named in (("effects", block.effects), ("costs", block.costs)):
        remarks += [f"{key}: there is no tool {name!r}" for name in sorted(named.keys() - found.keys())]
    allowed = [one for one in found.values() if wanted is None or wanted & {one.name, *one.aliases}]
    return tuple(allowed), tuple(dict.fromkeys(remarks))


def _unusable(tool: Tool) -> str | None:
    """Return why agents could not be told of a tool, or not call it; None if they can."""
    if not _NAME.fullmatch(tool.name):
        return "a name has letters, digits and any of _ . : / - and at most 128 characters"
    try:
        size = len(orjson.dumps(tool.model_dump(mode="json")))
        Draft202012Validator.check_schema(tool.input_schema)
    except Exception as e:  # a schema may be wrong in any way
        return f"the schema of its arguments is wrong: {getattr(e, 'message', e)}"
    return f"it takes {size} bytes, and may take {MOST_BYTES}" if size > MOST_BYTES else None


def _listing(server: str, tool: Tool, effect: Literal["read", "write"] | None, redact: Redactor) -> ServerListing:
    hinted = tool.annotations is not None and tool.annotations.read_only_hint is True
    aliases = (tool.meta or {}).get("aliases")
    return ServerListing(
        server=server,
        name=tool.name,
        description=redact.text(tool.description or tool.title or ""),
        arguments=redact.value(tool.input_schema),
        result=redact.value(tool.output_schema),
        read_only=hinted if effect is None else effect == "read",
        aliases=tuple(name for name in aliases if isinstance(name, str)) if isinstance(aliases, list) else (),
    )


def _alias_of(tool: Tool) -> Any:
    """Return the tool of which this is another name, if the server says so."""
    return (tool.meta or {}).get("alias_of")
