"""Results in their wire form. The SDK checks them against the protocol version of each request."""

from typing import Any, Final

OURS: Final = "agent-env-server/"
"""Prefix of the server's own names in `_meta`."""


def complete(**fields: Any) -> dict[str, Any]:
    """Return a final result.

    Every result of protocol 2026-07-28 has this mark; for earlier versions the SDK drops it.
    """
    return {"resultType": "complete", **fields}


def tool_result(text: str, status: dict[str, Any], *, failed: bool = False, structured: Any = None) -> dict[str, Any]:
    """Return a tool's result: the text and, for a tool that declares an output schema, the structured result.

    Some clients give the model all that a result holds, so there is no structure that repeats the text. `status` is
    the `_meta`, which is sent to those who ask for it.
    """
    fields = {} if structured is None else {"structuredContent": structured}
    return complete(content=[{"type": "text", "text": text}], isError=failed, _meta=status, **fields)


def standing(turn: int, *, done: bool, awaiting: bool) -> dict[str, Any]:
    """Return the `_meta` of a tool result: the state of the episode after the call."""
    return {f"{OURS}turn": turn, f"{OURS}done": done, f"{OURS}awaiting_user": awaiting}
