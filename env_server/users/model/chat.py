"""The conversation in two forms: messages for the model that plays the user, and a transcript for a judge."""

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from env_server.models.answer import Message, ToolCall
from env_server.users.base import OwnTools

NOT_AN_OBJECT = "Error: the arguments are not a JSON object."
NOT_DONE = "Not done: that was too much at once. Tell the agent what you have seen so far."


LONGEST_HEARD = 16_000
"""The maximum number of characters that the user reads of one agent message. The text is kept with every later turn."""


def heard(message: str) -> Message:
    """Return the agent's message in the role "user": for the model it is the other side."""
    left_out = len(message) - LONGEST_HEARD
    if left_out > 0:
        message = f"{message[:LONGEST_HEARD]}... [{left_out} characters left out]"
    return {"role": "user", "content": message}


def spoken(message: str) -> Message:
    """Return the user's message in the role "assistant": it is the model's own side."""
    return {"role": "assistant", "content": message}


def transcript(chat: Iterable[Message]) -> str:
    """Return the conversation as text, with a label for the agent and for the customer."""
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
    """Make one call with the user's own tools. If the call is invalid, the result says why."""
    arguments = _object(call.arguments)
    shown = NOT_AN_OBJECT if arguments is None else own.use(call.name, arguments)
    return result(call, shown)


def result(call: ToolCall, shown: str) -> Message:
    """Return the result of a call as a chat message."""
    return {"role": "tool", "tool_call_id": call.id, "content": shown}


def _object(text: str) -> Mapping[str, Any] | None:
    try:
        value = orjson.loads(text or "{}")
        # the value is stored inside a record; this checks that it is not nested too deeply for that
        orjson.dumps([[[[[[[[value]]]]]]]])
    except (ValueError, TypeError):
        return None
    return value if isinstance(value, dict) else None
