"""What an MCP server says -> what the rest of this server knows: listings and results."""

import base64
import binascii
import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from mcp.types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
    Tool,
)

from env_server.providers.live.config import ServerBlock
from env_server.providers.spec import FailureKind, ServerListing, ServerResult
from mcp_servers.kit.redact import Redactor


def listings(
    server: str, block: ServerBlock, tools: Iterable[Tool], redact: Redactor
) -> tuple[tuple[ServerListing, ...], tuple[str, ...]]:
    """Return the tools that agents may call, and remarks about the configuration and the listing."""
    found: dict[str, ServerListing] = {}
    remarks: list[str] = []
    for tool in tools:
        if tool.name in found:
            remarks.append(f"lists the tool {tool.name!r} twice; the first one counts")
        elif _alias_of(tool) is None:
            found[tool.name] = _listing(server, tool, block.effects.get(tool.name), redact)
    wanted = block.allow_tools
    known = {name for listing in found.values() for name in (listing.name, *listing.aliases)}
    remarks += [f"allowTools: there is no tool {name!r}" for name in sorted((wanted or frozenset()) - known)]
    for key, named in (("effects", block.effects), ("costs", block.costs)):
        remarks += [f"{key}: there is no tool {name!r}" for name in sorted(named.keys() - found.keys())]
    allowed = [one for one in found.values() if wanted is None or wanted & {one.name, *one.aliases}]
    return tuple(allowed), tuple(remarks)


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


def result(said: CallToolResult, redact: Redactor) -> ServerResult:
    """Return the result of a call, redacted. Images and other bytes become a line with their digest."""
    text = redact.text("\n".join(_line(block) for block in said.content))
    failure = next(_stated(text), None) if said.is_error else None
    return ServerResult(text, redact.value(said.structured_content), said.is_error, failure)


def _stated(text: str) -> Iterator[FailureKind]:
    """Yield the kind of failure that an error begins with, as `[rate_limited] ...`."""
    return (kind for kind in FailureKind if text.startswith(f"[{kind}]"))


def _line(block: ContentBlock) -> str:
    match block:
        case TextContent():
            return block.text
        case ImageContent() | AudioContent():
            return f"[{block.type}, {block.mime_type}, {_bytes(block.data)}]"
        case ResourceLink():
            return ", ".join(filter(None, (f"[link, {block.uri}", block.mime_type, block.title or block.name))) + "]"
    contents = block.resource
    if isinstance(contents, TextResourceContents):
        return f"[resource, {contents.uri}]\n{contents.text}"
    assert isinstance(contents, BlobResourceContents)
    return f"[resource, {contents.uri}, {contents.mime_type or 'unknown type'}, {_bytes(contents.blob)}]"


def _bytes(encoded: str) -> str:
    """Return size and digest of base64 data."""
    try:
        data = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        data = encoded.encode()
    return f"{len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}"
