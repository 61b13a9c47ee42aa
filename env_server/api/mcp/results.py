"""Results in their wire form. The SDK checks them against the protocol version of each request."""

from typing import Any, Final

OURS: Final = "agent-env-server/"
"""Prefix of the server's own names in `_meta`."""

COMPLETE: Final = "complete"
"""The mark of a final result."""

STRUCTURE: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "result": {"type": "string", "description": "The result, as the text has it."},
        "structured": {"description": "The result as data. It is left out where it was cut or is not there."},
    },
    "required": ["result"],
}
"""The output schema of every tool whose results have a structure.

The schema that an outside server declares is not repeated here, because a result may be cut, may fail, or may break
that schema. A client would then report an error of this server.
"""


def complete(**fields: Any) -> dict[str, Any]:
    """Return a final result.

    Every result of protocol 2026-07-28 has this mark; for earlier versions the SDK drops it.
    """
    return {"resultType": COMPLETE, **fields}


def structure(text: str, data: Any) -> dict[str, Any]:
    """Return an object of the schema `STRUCTURE`: the text of a result, and its structure `data` if it was not cut."""
    return {"result": text} if data is None else {"result": text, "structured": data}


def tool_result(
    text: str, status: dict[str, Any], *, failed: bool = False, structure: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return a tool's result: the text and, for a tool that declares an output schema, its `structure`.

    Some clients give the model everything in a result, so other tools repeat nothing in a structure. `status` is the
    `_meta`, which is sent only to clients that ask for it.
    """
    # in the order in which the SDK sends the fields
    content = [{"text": text, "type": "text"}]
    result = {"_meta": status, "content": content, "isError": failed, "resultType": COMPLETE}
    return result if structure is None else {**result, "structuredContent": structure}


def standing(turn: int, *, done: bool, awaiting: bool) -> dict[str, Any]:
    """Return the `_meta` of a tool result: the state of the episode after the call."""
    return {f"{OURS}turn": turn, f"{OURS}done": done, f"{OURS}awaiting_user": awaiting}
