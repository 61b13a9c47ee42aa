"""Results as they go on the wire; the SDK checks them against the protocol version of each request."""

from typing import Any, Final

OURS: Final = "agent-env-server/"
"""What our own names in `_meta` begin with."""


def complete(**fields: Any) -> dict[str, Any]:
    """A result that is final; every result of 2026-07-28 says so, and earlier versions drop the mark."""
    return {"resultType": "complete", **fields}


def tool_result(text: str, meta: dict[str, Any] | None = None, *, failed: bool = False) -> dict[str, Any]:
    """A tool's result: text, and the same text as the structure that `OUTPUT` promises."""
    content = [{"type": "text", "text": text}]
    return complete(content=content, structuredContent={"result": text}, isError=failed, _meta=meta or {})


def standing(turn: int, *, done: bool, awaiting: bool) -> dict[str, Any]:
    """The `_meta` of every tool result: where the episode stands after it."""
    return {f"{OURS}turn": turn, f"{OURS}done": done, f"{OURS}awaiting_user": awaiting}
