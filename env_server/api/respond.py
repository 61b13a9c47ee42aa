"""The tool `respond`, with which an agent speaks to the user where its client can only call tools."""

from typing import Any, Final

ARGUMENTS: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"message": {"type": "string", "description": "What is said."}},
    "required": ["message"],
    "additionalProperties": False,
}
"""The arguments, as JSON Schema."""

SPEAK: Final = "Say something to the user. The user's answer is the result."
