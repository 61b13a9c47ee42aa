"""Turns the answer of an MCP server into the result of a call, which can be shown and stored."""

import base64
import binascii
import hashlib
from collections.abc import Iterator
from typing import Any, Final

import orjson
from mcp.types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

from env_server.providers.spec import FailureKind, ServerResult
from mcp_servers.kit.redact import Redactor

LONGEST: Final = 1_000_000
"""Maximum characters of a result, and of its structure as JSON. The rest is left out."""


def result(said: CallToolResult, redact: Redactor) -> ServerResult:
    """Return the result of a call, redacted. Images and other bytes become a line with their digest."""
    text = cut(redact.text("\n".join(_line(block) for block in said.content)))
    failure = next(_stated(text), None) if said.is_error else None
    return ServerResult(text, redact.value(_storable(said.structured_content)), said.is_error, failure)


def cut(text: str) -> str:
    """Return a text that can be stored, without what is over the limit."""
    text = text.encode("utf-8", "replace").decode()
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... [{len(text) - LONGEST} characters left out]"


def _storable(value: Any) -> Any:
    """Return a JSON value as it is after it was stored; None if it is too long, too deep or has too wide integers.

    The text of the result remains. NaN and infinity become null.
    """
    try:
        body = orjson.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return None
    return orjson.loads(body) if len(body) <= LONGEST else None


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
