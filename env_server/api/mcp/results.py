"""Results in their wire form. The SDK checks them against the protocol version of each request."""

from typing import Any, Final

OURS: Final = "agent-env-server/"
"""Prefix of the server's own names in `_meta`."""


def complete(**fields: Any) -> dict[str, Any]:
    """Return a final result.

    Every result of protocol 2026-07-28 has this mark; for earlier versions the SDK drops it.
    """
    return {"resultType": "complete", **fields}


def tool_result(
    text: str, meta: dict[str, Any] | None = None, *, failed: bool = False, structured: Any = None
) -> dict[str, Any]:
    """Return a tool's result: the text, and the same text in the structure of the schema `OUTPUT`.

    `structured` is the structured result of a tool of another MCP server; it stands beside the text.
    """
    content = [{"type": "text", "text": text}]
    structure = {"result": text} if structured is None else {"result": text, "structured": structured}
    return complete(content=content, structuredContent=structure, isError=failed, _meta=meta or {})


def standing(turn: int, *, done: bool, awaiting: bool) -> dict[str, Any]:
    """Return the `_meta` of a tool result: the state of the episode after the call."""
    return {f"{OURS}turn": turn, f"{OURS}done": done, f"{OURS}awaiting_user": awaiting}
