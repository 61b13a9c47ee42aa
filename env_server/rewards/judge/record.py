"""The conversation as a judge reads it: one JSON object a line, so that no text in it can pass for another speaker's.

A conversation is a sequence of chat messages: `user`, `assistant` and `tool`; a message of either side may have
`tool_calls`, each with a name and arguments. What is too long is cut, and says so.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

LONGEST_WORDS = 20_000
"""Characters of what the agent says in one message; a report is judged as a whole."""

LONGEST_RESULT = 6_000
"""Characters of what a tool or the user said."""

LONGEST_ARGUMENTS, MOST_CALLS = 2_000, 16
"""Characters of one call's arguments, and calls shown of one message."""

MOST_CHARACTERS = 160_000
"""Characters of the record. Beyond it the middle is left out: what was asked, and how it ended, is at its ends."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_SPEAKERS = {"user": "user", "assistant": "agent", "tool": "tool"}


def record(conversation: Sequence[Mapping[str, Any]]) -> str:
    """The conversation as text; messages of other roles (the agent's policy) are left out."""
    lines = [_line(message) for message in conversation if message["role"] in _SPEAKERS]
    if sum(map(len, lines)) <= MOST_CHARACTERS:
        return "\n".join(lines)
    first, last = _ends([len(line) for line in lines])
    gap = _written({"left_out": f"{last - first} messages in the middle of the conversation"})
    return "\n".join([*lines[:first], gap, *lines[last:]])


def _ends(sizes: Sequence[int]) -> tuple[int, int]:
    """How many messages of the beginning stay (a quarter of the room), and the first one that stays of the end."""
    room, first = MOST_CHARACTERS, 0
    while sizes[first] <= room - MOST_CHARACTERS * 3 // 4:
        room -= sizes[first]
        first += 1
    last = len(sizes)
    while sizes[last - 1] <= room:
        room -= sizes[last - 1]
        last -= 1
    return first, last


def _line(message: Mapping[str, Any]) -> str:
    speaker = _SPEAKERS[message["role"]]
    line: dict[str, Any] = {"from": speaker}
    if speaker == "tool" and message.get("name"):
        line["result_of"] = message["name"]
    words = str(message.get("content") or "")
    calls = [_call(call) for call in message.get("tool_calls") or ()]
    if words or not calls:
        line["text"] = _cut(words, LONGEST_WORDS if speaker == "agent" else LONGEST_RESULT)
    if calls:
        line["calls"] = calls[:MOST_CALLS]
    if len(calls) > MOST_CALLS:
        line["left_out"] = f"{len(calls) - MOST_CALLS} more calls"
    return _written(line)


def _call(call: Any) -> dict[str, str]:
    """A call as it was written, whatever a model left out of it."""
    inner = call.get("function", call) if isinstance(call, Mapping) else {}
    inner = inner if isinstance(inner, Mapping) else {}
    arguments = inner.get("arguments")
    text = arguments if isinstance(arguments, str) else _written(arguments)
    return {"name": _cut(str(inner.get("name")), 200), "arguments": _cut(text, LONGEST_ARGUMENTS)}


def _cut(text: str, most: int) -> str:
    text = _CONTROL.sub("\ufffd", text)  # each would take six characters as JSON
    return text if len(text) <= most else f"{text[:most]}... [{len(text) - most} characters left out]"


def _written(value: Any) -> str:
    """As JSON that cannot close a tag which stands around it."""
    return json.dumps(value, ensure_ascii=False, default=str).replace("</", "<\\/")
