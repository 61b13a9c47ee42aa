"""Messages and actions."""

from typing import Any, Literal

from pydantic import ConfigDict, Field

from schemas.base import Wire


class Message(Wire):
    """One chat message of an observation."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_call_id: str | None = None
    name: str | None = None
    tool_calls: list[dict[str, Any]] | None = None


class ToolCall(Wire):
    """One call of a tool. OpenAI's nested form (`{"type": "function", "function": {...}}`) is understood too.

    The fields are open because a model writes them: what is wrong with them becomes an observation, not an error.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    id: Any = Field(default=None, description="The model's own id of the call; `call_{turn}_{i}` if absent.")
    name: Any = Field(default=None, description="The tool's name.", examples=["get_order_details"])
    arguments: Any = Field(
        default=None,
        description="An object, or its JSON text.",
        examples=[{"order_id": "#W0000001"}],
    )


class Action(Wire):
    """A structured agent message: text, tool calls, or both."""

    content: str | None = None
    tool_calls: list[ToolCall] = Field(default=[], max_length=128)
