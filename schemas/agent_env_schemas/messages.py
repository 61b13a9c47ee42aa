"""Messages and actions."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, SkipValidation

from agent_env_schemas.base import OPEN, Wire

RESPOND = "respond"
"""The tool with which an agent speaks to the user, where a client can only call tools."""


class Message(Wire):
    """One chat message of an observation."""

    role: Annotated[Literal["system", "user", "assistant", "tool"], OPEN]
    content: str
    tool_call_id: str | None = None
    name: str | None = None
    tool_calls: list[Any] | None = None


class ToolCall(Wire):
    """One call of a tool. OpenAI's nested form (`{"type": "function", "function": {...}}`) is accepted too.

    A model writes the fields, so they take any value. A mistake in them becomes an observation and not an error.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    id: Any = Field(default=None, description="The model's id of the call. The default is `call_{turn}_{i}`.")
    name: Any = Field(default=None, description="The tool's name.", examples=["get_order_details"])
    arguments: Any = Field(
        default=None,
        description="A JSON object, or the text of one.",
        examples=[{"order_id": "#W0000001"}],
    )


ToolCalls = list[SkipValidation[ToolCall]]
"""Calls as they came, unchecked: the action parser says what is wrong with them."""


class Action(Wire):
    """A structured agent message: text, tool calls, or both. Other keys of a chat message (`role`, ...) are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)

    content: str | list[Any] | None = None
    """Text, or OpenAI's list of parts. Only the parts with a `text` are used."""
    tool_calls: ToolCalls | None = None
    """The calls, in the order in which they are made."""

    def plain(self) -> dict[str, Any]:
        """Return the message as plain data: `content` as text and `tool_calls` as they came, each only if given."""
        found: dict[str, Any] = {}
        content, calls = self.content, self.tool_calls
        if isinstance(content, list):
            found["content"] = "".join(p["text"] for p in content if isinstance(p, dict) and _is_text(p))
        elif content is not None:
            found["content"] = content
        if calls:
            found["tool_calls"] = [_plain(call) for call in calls]
        return found


def _plain(call: Any) -> Any:
    return call.model_dump(exclude_unset=True) if isinstance(call, ToolCall) else call


def _is_text(part: dict[Any, Any]) -> bool:
    return isinstance(part.get("text"), str)
