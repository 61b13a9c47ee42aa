"""The conversation as the model that plays the user sees it, and as a judge reads it."""

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from env_server.models.answer import Message, ToolCall
from env_server.users.base import OwnTools

NOT_AN_OBJECT = "Error: the arguments are not a JSON object."
NOT_DONE = "Not done: that was too much at once. Tell the agent what you have seen so far."


LONGEST_HEARD = 16_000
"""Characters of an agent's message that the user listens to: it is kept with every later turn."""


def heard(message: str) -> Message:
    """What the agent says: to the model it is the other side."""
    left_out = len(message) - LONGEST_HEARD
    if left_out > 0:
        message = f"{message[:LONGEST_HEARD]}... [{left_out} characters left out]"
    return {"role": "user", "content": message}


def spoken(message: str) -> Message:
    """What the user says: the model's own side."""
    return {"role": "assistant", "content": message}


def transcript(chat: Iterable[Message]) -> str:
    """The conversation with both sides named for what they are."""
    return "\n".join(_entry(message) for message in chat)


def _entry(message: Message) -> str:
    match message["role"]:
        case "user":
            return f"Agent: {message['content']}"
        case "tool":
            return f"(The customer sees: {message['content']})"
        case _ if message.get("tool_calls"):
            calls = [call["function"] for call in message["tool_calls"]]
            return "(The customer does: " + ", ".join(f"{c['name']}({c['arguments']})" for c in calls) + ")"
        case _:
            return f"Customer: {message['content']}"


def use(own: OwnTools, call: ToolCall) -> Message:
    """Make one call with the user's own tools; whatever the model got wrong is the result."""
    arguments = _object(call.arguments)
    shown = NOT_AN_OBJECT if arguments is None else own.use(call.name, arguments)
    return result(call, shown)


def result(call: ToolCall, shown: str) -> Message:
    """The result of a call."""
    return {"role": "tool", "tool_call_id": call.id, "content": shown}


def _object(text: str) -> Mapping[str, Any] | None:
    try:
        value = orjson.loads(text or "{}")
        orjson.dumps([[[[[[[[value]]]]]]]])  # it will be stored within a record, and must not be too deep for that
    except (ValueError, TypeError):
        return None
    return value if isinstance(value, dict) else None
