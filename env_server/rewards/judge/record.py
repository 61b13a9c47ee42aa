"""The conversation as a judge reads it: one JSON object a line, so that no text in it can pass for another speaker's.

A conversation is a sequence of chat messages: `user`, `assistant` and `tool`; a message of either side may have
`tool_calls`, each with a name and arguments; the `environment` may tell the agent something. What is too long is cut,
and says so. Words are cut first: of every call that was made at least the name is on record, however many there were.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

LONGEST_WORDS = 20_000
"""Characters of what the agent says in one message; a report is judged as a whole."""

LONGEST_RESULT = 6_000
"""Characters of what a tool or the user said."""

LONGEST_ARGUMENTS, LEAST_ARGUMENTS = 30_000, 100
"""Characters of the arguments of one message's calls together, and of a call that has many beside it."""

LONGEST_NAME = 200

MOST_CHARACTERS = 160_000
"""Characters of the record. Beyond it the middle is left out: what was asked, and how it ended, is at its ends."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_SPEAKERS = {"user": "user", "assistant": "agent", "tool": "tool", "environment": "environment"}


def record(conversation: Sequence[Mapping[str, Any]]) -> str:
    """The conversation as text; messages of other roles (the agent's policy) are left out."""
    shown = [message for message in conversation if message["role"] in _SPEAKERS]
    lines = [_line(message) for message in shown]
    if sum(map(len, lines)) <= MOST_CHARACTERS:
        return "\n".join(lines)
    first, last = _ends([len(line) for line in lines])
    return "\n".join([*lines[:first], _gap(shown[first:last]), *lines[last:]])


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


def _gap(left_out: Sequence[Mapping[str, Any]]) -> str:
    """What stands for the middle: how much it is, and how often each side made which call in it."""
    line: dict[str, Any] = {"left_out": f"{len(left_out)} messages in the middle of the conversation"}
    for role, speaker in _SPEAKERS.items():
        names = [_name(_inner(call)) for m in left_out if m["role"] == role for call in m.get("tool_calls") or ()]
        if names:
            line[f"calls_of_{speaker}"] = Counter(names)
    return _written(line)


def _line(message: Mapping[str, Any]) -> str:
    speaker = _SPEAKERS[message["role"]]
    line: dict[str, Any] = {"from": speaker}
    if speaker == "tool" and message.get("name"):
        line["result_of"] = message["name"]
    words = str(message.get("content") or "")
    made = message.get("tool_calls") or ()
    room = max(LONGEST_ARGUMENTS // max(len(made), 1), LEAST_ARGUMENTS)
    calls = [_call(_inner(call), room) for call in made]
    if words or not calls:
        line["text"] = _cut(words, LONGEST_WORDS if speaker == "agent" else LONGEST_RESULT)
    if calls:
        line["calls"] = calls
    return _written(line)


def _inner(call: Any) -> Mapping[str, Any]:
    """What is in a call, whatever a model left out of it."""
    inner = call.get("function", call) if isinstance(call, Mapping) else {}
    return inner if isinstance(inner, Mapping) else {}


def _name(call: Mapping[str, Any]) -> str:
    return _cut(str(call.get("name")), LONGEST_NAME)


def _call(call: Mapping[str, Any], room: int) -> dict[str, str]:
    """A call as it was made."""
    arguments = call.get("arguments")
    text = arguments if isinstance(arguments, str) else _written(arguments)
    if len(text) > room and isinstance(arguments, Mapping):  # a long value must not hide the others
        each = room // len(arguments)
        text = _written({_cut(str(name), each): _cut(_text(value), each) for name, value in arguments.items()})
        room *= 2  # for the names, and for saying what was cut
    return {"name": _name(call), "arguments": _cut(text, room)}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else _written(value)


def _cut(text: str, most: int) -> str:
    text = _CONTROL.sub("\ufffd", text)  # each would take six characters as JSON
    return text if len(text) <= most else f"{text[:most]}... [{len(text) - most} characters left out]"


def _written(value: Any) -> str:
    """As JSON that cannot close a tag which stands around it."""
    return json.dumps(value, ensure_ascii=False, default=str).replace("</", "<\\/")
