"""Converts answers that the SDK cannot read, or reads too slowly, to answers that it can read.

The SDK reports an unreadable message to nobody, so the request would wait until its deadline. Here the request gets an
error at once. Servers in JavaScript often cut a text between the two halves of a character (a surrogate pair). Only the
half that is left is lost, not the whole text.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import orjson
from mcp.shared.message import SessionMessage
from mcp.types import PARSE_ERROR, ErrorData, JSONRPCError, JSONRPCResponse, jsonrpc_message_adapter
from pydantic import ValidationError

MOST_PARTS: Final = 1_000
"""Maximum parts of a result. Texts that follow each other count as one."""

_HALF: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_ID: Final = re.compile(r'"id"\s*:\s*(\d{1,18}|"[^"\\]{1,100}")')
_HEAD: Final = 300
"""Number of characters at the beginning of an unreadable message that are searched for its request number."""


def whole_characters(body: bytes) -> bytes:
    """Return JSON with `?` in place of each half of a character; anything else as it is."""
    if _HALF.search(body) is None:
        return body
    try:
        orjson.loads(body)
    except ValueError:
        pass
    else:
        return body
    try:
        return json.dumps(json.loads(body), ensure_ascii=False).encode("utf-8", "replace")
    except (ValueError, RecursionError):
        return body


def answerable(received: SessionMessage | Exception) -> SessionMessage | Exception:
    """Return a message with at most `MOST_PARTS` parts, and an error for the request whose answer is unreadable."""
    if isinstance(received, SessionMessage):
        if isinstance(received.message, JSONRPCResponse):
            _shorten(received.message.result)
        return received
    if not isinstance(received, ValidationError):
        return received
    fault = received.errors(include_url=False)[0]
    said = fault["input"]
    shallow = _without_structure(said) if isinstance(said, str) else None
    if shallow is not None:
        return shallow
    number = _number(said)
    if number is None:
        return received
    why = fault["msg"] if fault["type"] == "json_invalid" else "it is none of the protocol"
    error = ErrorData(code=PARSE_ERROR, message=f"its answer cannot be read: {why}")
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=number, error=error))


def _without_structure(line: str) -> SessionMessage | None:
    """Return a result whose structure is too deep for the SDK, without it; None if that does not help."""
    try:
        message = json.loads(line)
        del message["result"]["structuredContent"]
        return SessionMessage(jsonrpc_message_adapter.validate_python(message, by_name=False))
    except (ValueError, LookupError, TypeError, RecursionError):
        return None


def _number(message: object) -> int | str | None:
    """Return the number of the request that a message answers; None if it answers none."""
    if isinstance(message, str):
        found = _ID.search(message[:_HEAD]) if '"method"' not in message[:_HEAD] else None
        return json.loads(found[1]) if found else None
    if not isinstance(message, dict) or "method" in message:
        return None
    number = message.get("id")
    return number if isinstance(number, int | str) and not isinstance(number, bool) else None


def _shorten(result: dict[str, Any]) -> None:
    """Join adjacent texts of a result with too many parts, as they are joined later anyway. Cut the rest."""
    parts = result.get("content")
    if not isinstance(parts, list) or len(parts) <= MOST_PARTS:
        return
    joined = list(_joined(parts))
    if len(joined) > MOST_PARTS:
        left_out = f"[{len(joined) - MOST_PARTS} parts left out]"
        joined[MOST_PARTS:] = [{"type": "text", "text": left_out}]
    result["content"] = joined


def _joined(parts: list[Any]) -> Iterator[Any]:
    texts: list[str] = []
    for part in [*parts, None]:
        if isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str):
            texts.append(part["text"])
            continue
        if texts:
            yield {"type": "text", "text": "\n".join(texts)}
            texts.clear()
        if part is not None:
            yield part
